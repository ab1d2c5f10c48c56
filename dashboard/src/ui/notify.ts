import { notifications } from '@mantine/notifications';

const SHOWN_MS = 6000;

export function notify(message: string): void {
  notifications.show({ message, color: 'var(--gr-success)', autoClose: SHOWN_MS, withBorder: true });
}

export function notifyError(message: string): void {
  notifications.show({
    message,
    color: 'var(--gr-danger)',
    autoClose: SHOWN_MS,
    withBorder: true,
    role: 'alert',
  });
}
