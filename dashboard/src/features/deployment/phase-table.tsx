import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconFlag } from '@tabler/icons-react';
import { useState } from 'react';
import type { Phase } from '#crds/vocabulary.ts';
import { StatusChip } from '../../ui/status-chip.tsx';
import { Duration, RelativeTime } from '../../ui/times.tsx';
import classes from './phase-table.module.css';
import type { ShownPhase } from './phases.ts';
import { StepRow } from './step-row.tsx';

/** The phases with their steps. A phase opens by itself when it works or fails, and stays as the reader leaves it. */
export function PhaseTable({ createdAt, phases }: { createdAt: string; phases: ShownPhase[] }) {
  const [open, setOpen] = useState<Partial<Record<Phase, boolean>>>({});
  const opening = phases.filter(
    ({ phase, status }) => open[phase] === undefined && (status === 'running' || status === 'failed'),
  );
  if (opening.length > 0)
    setOpen({ ...open, ...Object.fromEntries(opening.map(({ phase }) => [phase, true])) });
  return (
    <ol className={classes.phases} aria-label="Phases">
      <li className={classes.phase}>
        <div className={classes.row}>
          <IconFlag size={18} className={classes.mark} aria-hidden="true" />
          <span className={classes.name}>Created</span>
          <span />
          <span className={classes.duration} />
          <span className={classes.ago}>
            <RelativeTime at={createdAt} />
          </span>
        </div>
      </li>
      {phases.map(shown => (
        <PhaseRow
          key={shown.phase}
          shown={shown}
          open={open[shown.phase] ?? false}
          onToggle={() => setOpen({ ...open, [shown.phase]: !open[shown.phase] })}
        />
      ))}
    </ol>
  );
}

function PhaseRow({ shown, open, onToggle }: { shown: ShownPhase; open: boolean; onToggle: () => void }) {
  const { phase, status, steps, startedAt, endedAt } = shown;
  const expandable = steps.length > 0;
  const panel = `steps-${phase}`;
  const cells = (
    <>
      <IconChevronRight
        size={18}
        className={classes.mark}
        data-open={open && expandable}
        data-empty={!expandable}
        aria-hidden="true"
      />
      <span className={classes.name}>{phase}</span>
      <StatusChip status={status} working />
      <span className={classes.duration}>{startedAt && <Duration from={startedAt} to={endedAt} />}</span>
      <span className={classes.ago}>{endedAt && <RelativeTime at={endedAt} />}</span>
    </>
  );
  if (!expandable) {
    return (
      <li className={classes.phase}>
        <div className={classes.row}>{cells}</div>
      </li>
    );
  }
  return (
    <li className={classes.phase}>
      <UnstyledButton className={classes.row} aria-expanded={open} aria-controls={panel} onClick={onToggle}>
        {cells}
      </UnstyledButton>
      <div id={panel}>
        <Collapse expanded={open} keepMounted={false}>
          <ol className={classes.steps} aria-label={`Steps of ${phase}`}>
            {steps.map(step => (
              <StepRow key={step.name} step={step} />
            ))}
          </ol>
        </Collapse>
      </div>
    </li>
  );
}
