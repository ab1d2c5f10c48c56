import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AboveRowLink } from './row-link.tsx';

/** The menu at the end of a row. Its children are Menu.Items. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <AboveRowLink>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" size="lg" aria-label={label}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{children}</Menu.Dropdown>
      </Menu>
    </AboveRowLink>
  );
}
