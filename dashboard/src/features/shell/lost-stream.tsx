import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './shell.module.css';

/** A stream that comes back sooner than this was never worth a word. */
const PATIENCE_MS = 2000;

/** Says discreetly that what is shown may be out of date. The region is always there, so screen readers hear it change. */
export function LostStream({ lost }: { lost: boolean }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status">
      {shown && (
        <span className={classes.lost}>
          <IconPlugConnectedX size={16} aria-hidden="true" />
          Live updates interrupted. Reconnecting...
        </span>
      )}
    </div>
  );
}
