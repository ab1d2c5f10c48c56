import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import classes from './row-link.module.css';

function Stretched(props: ComponentProps<'a'>) {
  return <a {...props} data-row-link="" className={classes.link} />;
}

/** A link whose target is the whole table row. Other controls in the row go into `<AboveRowLink>`. */
export const RowLink = createLink(Stretched);

export function AboveRowLink(props: ComponentProps<'div'>) {
  return <div {...props} className={classes.above} />;
}
