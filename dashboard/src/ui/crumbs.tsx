import { Breadcrumbs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from './links.tsx';

/** The way to the current page: Repositories, what lies between, and the page itself. */
export function Crumbs({ between = [], here }: { between?: ReactNode[]; here: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <Breadcrumbs styles={{ root: { flexWrap: 'wrap', rowGap: 4 }, breadcrumb: { whiteSpace: 'normal' } }}>
        <TextLink to="/repositories" size="sm">
          Repositories
        </TextLink>
        {between}
        <Text size="sm" c="dimmed" aria-current="page">
          {here}
        </Text>
      </Breadcrumbs>
    </nav>
  );
}
