import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface Props {
  /** Also the title of the browser's tab, when `title` is text or `tab` says it. */
  title: ReactNode;
  tab: string;
  hint?: ReactNode;
  breadcrumbs?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, tab, hint, breadcrumbs, actions }: Props) {
  useEffect(() => {
    document.title = `${tab} · Greenroom`;
  }, [tab]);
  return (
    <Stack gap="xs" mb="lg">
      {breadcrumbs}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {hint && (
            <Text c="dimmed" component="div" mt={4}>
              {hint}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </Stack>
  );
}
