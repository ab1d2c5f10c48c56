import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './states.module.css';

/** Nothing is there, and that is fine: says so, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="sm" className={classes.empty}>
      <Text c="dimmed">{title}</Text>
      {children}
    </Stack>
  );
}

/** Something could not be loaded: what, the server's own words, and Retry. */
export function ErrorState({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: unknown;
  onRetry: () => void;
}) {
  const reason = error instanceof Error ? error.message : String(error);
  return (
    <Alert color="danger" variant="light" icon={<IconAlertTriangle />} title={title} role="alert">
      <Stack gap="sm" align="flex-start">
        {reason !== title && <Text size="sm">{reason}</Text>}
        <Button variant="default" size="xs" onClick={onRetry}>
          Retry
        </Button>
      </Stack>
    </Alert>
  );
}

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** As high as what it stands for, so that nothing jumps. */
  skeleton: ReactNode;
  /** Title of the error. */
  failure: string;
  children: (data: T) => ReactNode;
}

/** One of a query's three states. Data that is there stays, even when refreshing it failed. */
export function Loaded<T>({ query, skeleton, failure, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return <ErrorState title={failure} error={query.error} onRetry={() => query.refetch()} />;
  return (
    <div aria-busy="true" aria-live="polite">
      {skeleton}
    </div>
  );
}

export function PageSpinner() {
  return (
    <Center className={classes.page}>
      <Loader color="var(--gr-primary)" aria-label="Loading" />
    </Center>
  );
}

/** A page outside the shell that has one thing to say. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" className={classes.page}>
      <Stack align="center" maw={480} ta="center">
        <Title order={1} size="h2">
          {title}
        </Title>
        {children}
      </Stack>
    </Center>
  );
}
