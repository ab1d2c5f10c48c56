import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

interface Props {
  url: string;
  /** Only what runs can be visited. */
  enabled: boolean;
  label?: string;
  size?: 'xs' | 'sm';
}

/** Opens a preview URL in a new tab. */
export function VisitButton({ url, enabled, label = 'Visit', size = 'xs' }: Props) {
  const look = { size, rightSection: <IconExternalLink size={14} aria-hidden="true" /> };
  if (!enabled) {
    return (
      <Button {...look} disabled>
        {label}
      </Button>
    );
  }
  return (
    <Button {...look} component="a" href={url} target="_blank" rel="noreferrer">
      {label}
    </Button>
  );
}
