import { readFile, writeFile } from 'node:fs/promises';
import { buildKeys, deployKeys, type KeyRule, serviceKeys } from './translate/keys.ts';

/** The page that tells people what Greenroom does with each key. */
export const keysPage = new URL('../../docs/compose.md', import.meta.url);

const begin = '<!-- keys: written by compose/src/document-keys.ts -->';
const end = '<!-- end of keys -->';

/** The page with its tables as the translation has them now. */
export function withKeys(page: string): string {
  const start = page.indexOf(begin);
  const stop = page.indexOf(end);
  if (start < 0 || stop < start) throw new Error(`docs/compose.md lacks the marks ${begin} and ${end}`);
  const tables = [
    ...table('Keys of a service', serviceKeys),
    ...table('Keys of `build`', buildKeys),
    ...table('Keys of `deploy`', deployKeys),
  ];
  return [page.slice(0, start) + begin, '', ...tables, page.slice(stop)].join('\n');
}

/** Columns are padded, as the formatter wants them. */
function table(title: string, keys: Record<string, KeyRule>): string[] {
  const body = Object.entries(keys).map(([key, { verdict, reason }]) => [
    `\`${key}\``,
    verdict,
    reason ?? '',
  ]);
  const rows = [['key', 'verdict', 'how, or why not'], ...body];
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const line = (row: string[], fill: string) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head = '', ...lines] = rows.map(row => line(row, ' '));
  return [`### ${title}`, '', head, line([], '-'), ...lines, ''];
}

if (import.meta.main) await writeFile(keysPage, withKeys(await readFile(keysPage, 'utf8')));
