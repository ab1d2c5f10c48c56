import { notifications } from '@mantine/notifications';

const SHOWN_MS = 6000;

export function notify(message: string): void {
  notifications.show({ message, color: 'var(--gr-success)', autoClose: SHOWN_MS });
}

export function notifyError(message: string): void {
  notifications.show({ message, color: 'var(--gr-danger)', autoClose: SHOWN_MS, role: 'alert' });
}
