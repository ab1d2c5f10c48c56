import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** The header is for screen readers only, as above a column of menus. */
  quiet?: boolean;
}

interface Props<T> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  /** A row that wants attention, and how urgently. */
  highlight?: (row: T) => 'warning' | 'danger' | undefined;
}

/**
 * A table on wide screens, a stack of labelled cards on narrow ones. A `<RowLink>` in a cell makes the whole row its
 * target.
 */
export function DataTable<T>({ caption, columns, rows, rowKey, highlight }: Props<T>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.hidden}>{caption}</caption>
        <Head columns={columns} />
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)} data-highlight={highlight?.(row)}>
              {columns.map(({ header, cell, quiet }) => (
                <td key={header} data-label={quiet ? undefined : header}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ columns }: { columns: { header: string; quiet?: boolean }[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ header, quiet }) => (
          <th key={header} scope="col">
            <span className={quiet ? classes.hidden : undefined}>{header}</span>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Placeholder of a DataTable with as many rows, in the same frame. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.frame}>
      {Array.from({ length: rows + 1 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className={classes.placeholder}>
          <Skeleton height={14} width={index === 0 ? '40%' : '85%'} />
        </div>
      ))}
    </div>
  );
}
