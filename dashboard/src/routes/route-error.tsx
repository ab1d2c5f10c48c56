import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/states.tsx';

/** A page whose route could not be loaded, or that failed while rendering. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Container py="xl">
      <ErrorState
        title="This page could not be loaded"
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Container>
  );
}
