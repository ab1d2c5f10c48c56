import { Badge } from '@mantine/core';
import {
  IconCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconClock,
  IconLoader2,
  IconPlayerStop,
  IconX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { DeploymentStatus, EnvironmentStatus } from '#crds/vocabulary.ts';
import type { ShownStatus } from '../features/deployment/phases.ts';
import type { Tone } from '../theme/mantine-colors.ts';
import classes from './status-chip.module.css';

/** Every status that any screen shows. */
export type Status = DeploymentStatus | EnvironmentStatus | ShownStatus;

interface Look {
  label: string;
  tone: Tone;
  icon: ComponentType<{ size: number; className?: string | undefined }>;
  /** The icon turns while work goes on. */
  busy?: true;
}

/** Colour is never alone: each status has a word and an icon of its own. A status without a look does not compile. */
const LOOKS: Record<Status, Look> = {
  pending: { label: 'Pending', tone: 'neutral', icon: IconClock },
  processing: { label: 'Processing', tone: 'info', icon: IconLoader2, busy: true },
  building: { label: 'Building', tone: 'warning', icon: IconLoader2, busy: true },
  deploying: { label: 'Deploying', tone: 'info', icon: IconLoader2, busy: true },
  running: { label: 'Running', tone: 'success', icon: IconCheck },
  completed: { label: 'Completed', tone: 'success', icon: IconCheck },
  failed: { label: 'Failed', tone: 'danger', icon: IconX },
  canceled: { label: 'Canceled', tone: 'neutral', icon: IconCircleMinus },
  stopped: { label: 'Stopped', tone: 'neutral', icon: IconPlayerStop },
  skipped: { label: 'Skipped', tone: 'neutral', icon: IconCircleDashed },
};

/** A step that is `running` works; a deployment that is `running` serves. */
const WORKING: Look = { label: 'Running', tone: 'info', icon: IconLoader2, busy: true };

export function StatusChip({ status, working = false }: { status: Status; working?: boolean }) {
  const { label, tone, icon: Icon, busy } = working && status === 'running' ? WORKING : LOOKS[status];
  return (
    <Badge
      variant="light"
      color={tone}
      tt="none"
      className={classes.chip}
      leftSection={<Icon size={14} className={busy && classes.busy} />}
    >
      {label}
    </Badge>
  );
}

/** The status as a dot with its word for screen readers and on hover. */
export function StatusDot({ status }: { status: Status }) {
  const { label, tone } = LOOKS[status];
  return <span role="img" aria-label={label} title={label} className={classes.dot} data-tone={tone} />;
}
