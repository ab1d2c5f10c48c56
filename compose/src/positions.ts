import { dirname, join, normalize } from 'node:path/posix';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from 'yaml';
import type { Position } from './project.ts';

export type Positions = Record<string, Position>;

const maximumDepth = 6;
const maximumEntries = 20_000;

/**
 * Where every key of a compose file is, by its path (`services.web.ports.0`). Keys that come from included or extended
 * files point there.
 * @param files content by repository path
 */
export function indexPositions(composeFile: string, files: Record<string, string>): Positions {
  const names = Object.keys(files).filter(name => name !== composeFile && /\.ya?ml$/.test(name));
  const byFile = new Map([composeFile, ...names].map(file => [file, indexFile(file, files[file] ?? '')]));
  const all: Positions = {};
  for (const [file, index] of byFile) {
    for (const { service, base, baseFile } of index.extended) {
      inherit(
        index.positions,
        service,
        base,
        byFile.get(normalize(join(dirname(file), baseFile ?? '.')))?.positions,
      );
      if (!baseFile) inherit(index.positions, service, base, index.positions);
    }
    for (const [key, position] of Object.entries(index.positions)) all[key] ??= position;
  }
  return all;
}

/** The position of a key, or of the nearest key around it. */
export function positionOf(positions: Positions, key: string, file: string): Position {
  for (let path = key; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    if (Object.hasOwn(positions, path)) return positions[path] ?? { file, line: 1, column: 1 };
  }
  return { file, line: 1, column: 1 };
}

interface Extended {
  service: string;
  base: string;
  baseFile?: string;
}

function indexFile(file: string, content: string): { positions: Positions; extended: Extended[] } {
  const positions: Positions = {};
  const extended: Extended[] = [];
  const lines = new LineCounter();
  const document = parse(content, lines);
  if (!document) return { positions, extended };
  let entries = 0;

  const note = (path: string, node: unknown) => {
    const offset = rangeStart(node);
    if (offset === undefined || Object.hasOwn(positions, path)) return;
    const { line, col } = lines.linePos(offset);
    positions[path] = { file, line, column: col };
    entries++;
  };
  const walk = (node: unknown, path: string, depth: number): void => {
    if (depth > maximumDepth || entries > maximumEntries) return;
    const value = follow(document, node);
    if (isSeq(value)) {
      value.items.forEach((item, index) => {
        note(`${path}.${index}`, item);
        walk(item, `${path}.${index}`, depth + 1);
      });
    } else if (isMap(value)) {
      for (const pair of value.items) walkPair(pair, path, depth);
      // Merged keys come last: the map's own keys win.
      for (const pair of value.items) if (keyOf(pair) === '<<') walkMerged(pair.value, path, depth);
    }
  };
  const walkPair = (pair: Pair, path: string, depth: number) => {
    const key = keyOf(pair);
    if (key === '<<') return;
    const inner = path === '' ? key : `${path}.${key}`;
    note(inner, pair.key);
    if (depth === 2 && key === 'extends' && path.startsWith('services.')) {
      const found = readExtends(document, pair.value);
      if (found) extended.push({ service: path.slice('services.'.length), ...found });
    }
    walk(pair.value, inner, depth + 1);
  };
  const walkMerged = (node: unknown, path: string, depth: number) => {
    const value = follow(document, node);
    for (const one of isSeq(value) ? value.items : [value]) walk(one, path, depth + 1);
  };
  walk(document.contents, '', 0);
  return { positions, extended };
}

function parse(content: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(content, { lineCounter, merge: true, logLevel: 'silent', customTags: ['merge'] });
  } catch {
    // Nesting deeper than the stack: the reader says so, positions are only an aid.
    return undefined;
  }
}

function follow(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : String(pair.key);
}

function rangeStart(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}

function readExtends(document: Document, node: unknown): Omit<Extended, 'service'> | undefined {
  const value = follow(document, node);
  if (isScalar(value)) return { base: String(value.value) };
  if (!isMap(value)) return undefined;
  const file = value.get('file');
  return { base: String(value.get('service')), ...(typeof file === 'string' && { baseFile: file }) };
}

function inherit(into: Positions, service: string, base: string, from: Positions | undefined): void {
  const prefix = `services.${base}.`;
  for (const [key, position] of Object.entries(from ?? {})) {
    if (key.startsWith(prefix)) into[`services.${service}.${key.slice(prefix.length)}`] ??= position;
  }
}
