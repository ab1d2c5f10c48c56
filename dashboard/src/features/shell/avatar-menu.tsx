import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { userQuery } from '../../api/queries/user.ts';
import { endSession } from '../../session/session.ts';
import { THEMES } from '../../theme/themes.ts';
import { chooseTheme, useTheme } from '../../theme/use-theme.ts';
import classes from './shell.module.css';

/** Ends the session here even when the server cannot be told. */
async function signOut(): Promise<void> {
  await call('signOut', {}).catch(() => {});
  endSession('signed-out');
}

export function AvatarMenu() {
  const { data: user } = useQuery(userQuery);
  const chosen = useTheme();
  if (!user) return null;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${user.username}`} bdrs="xl">
          <Avatar src={user.avatar_url} name={user.username} alt="" radius="xl" size={36} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--gr-text)" fw={600} span>
            {user.username}
          </Text>
          {user.is_admin && ' · Admin'}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup value={chosen.id} onChange={chooseTheme}>
          {THEMES.map(({ id, name }) => (
            <Menu.RadioItem
              key={id}
              value={id}
              rightSection={<span className={classes.swatch} data-theme={id} aria-hidden="true" />}
            >
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
