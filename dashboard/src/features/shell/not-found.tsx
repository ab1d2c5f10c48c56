import { Text } from '@mantine/core';
import { ButtonLink } from '../../ui/links.tsx';
import { Notice } from '../../ui/states.tsx';

export function NotFound() {
  return (
    <Notice title="Page not found">
      <Text c="dimmed">There is nothing at this address.</Text>
      <ButtonLink to="/overview">Go to the overview</ButtonLink>
    </Notice>
  );
}
