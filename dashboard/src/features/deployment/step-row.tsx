import { Badge } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { StatusChip } from '../../ui/status-chip.tsx';
import { Duration, RelativeTime } from '../../ui/times.tsx';
import classes from './phase-table.module.css';
import type { ShownStep } from './phases.ts';

export function StepRow({ step }: { step: ShownStep }) {
  const row = useRef<HTMLLIElement>(null);
  const failed = step.status === 'failed';
  useEffect(() => {
    if (failed) row.current?.scrollIntoView({ block: 'nearest' });
  }, [failed]);
  return (
    <li ref={row} className={classes.step} data-status={step.status}>
      <div className={classes.row}>
        <span />
        <span className={classes.name}>{step.name}</span>
        <span className={classes.chips}>
          <StatusChip status={step.status} working />
          {step.cached && (
            <Badge variant="light" color="neutral" tt="none">
              cached
            </Badge>
          )}
        </span>
        <span className={classes.duration}>
          {step.startedAt && step.status !== 'skipped' && (
            <Duration from={step.startedAt} to={step.endedAt} />
          )}
        </span>
        <span className={classes.ago}>{step.endedAt && <RelativeTime at={step.endedAt} />}</span>
      </div>
      {step.message && <p className={classes.message}>{step.message}</p>}
    </li>
  );
}
