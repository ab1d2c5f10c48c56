import { Button, Text } from '@mantine/core';
import { endSession } from '../../session/session.ts';
import { Notice } from '../../ui/states.tsx';

export function BetaScreen() {
  return (
    <Notice title="Greenroom is in private beta">
      <Text c="dimmed">
        Your account has no beta access yet. Ask an administrator of this installation for access, then sign
        in again.
      </Text>
      <Button variant="default" onClick={() => endSession('signed-out')}>
        Logout
      </Button>
    </Notice>
  );
}
