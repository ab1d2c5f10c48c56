import { dirname, join, normalize } from 'node:path/posix';
import { LineCounter, parseDocument } from 'yaml';
import { type Positions, positionOf } from '../positions.ts';
import type { Position, Problem } from '../project.ts';
import type { Repository } from '../read.ts';
import { homeRoot, type ReadReply, repositoryRoot } from './protocol.ts';

/** What the reader said, as problems with a place and advice. */
export async function explain(
  reply: ReadReply,
  composeFile: string,
  repository: Repository,
): Promise<Problem[]> {
  const context = { composeFile, repository, positions: reply.positions, missing: reply.missing };
  const errors = await Promise.all(reply.errors.map(message => explainError(message, context)));
  return [...errors.flat(), ...reply.warnings.map(message => explainWarning(message, context))];
}

interface Context {
  composeFile: string;
  repository: Repository;
  positions: Positions;
  missing: string[];
}

async function explainError(raw: string, context: Context): Promise<Problem[]> {
  const message = clean(raw);
  const named = /(?:failed to parse|validating) (.+?\.ya?ml)/.exec(message)?.[1];
  const file = named ?? context.composeFile;
  if (message.startsWith('failed to parse')) return explainSyntax(message, file, context.repository);
  if (/no such file|not found|is a directory/i.test(message)) {
    const missing = await explainMissing(message, raw, context);
    if (missing) return [missing];
  }
  const variable = /required variable ([\w]+) is missing/.exec(message)?.[1];
  if (variable) {
    const problem = { ...error(message, variablePosition(variable, context)), key: keyIn(message) };
    return [
      {
        ...problem,
        hint: `Set ${variable} in the repository's settings, or give it a default: \${${variable}:-…}`,
      },
    ];
  }
  const key = keyIn(message);
  return [
    { ...error(message.replace(/^validating \S+: /, ''), positionOf(context.positions, key, file)), key },
  ];
}

/** The `yaml` package knows the column; compose-go's parser knows the line. */
function explainSyntax(message: string, file: string, repository: Repository): Problem[] {
  const content = repository.files.get(file) ?? '';
  const lineCounter = new LineCounter();
  const found = syntaxErrors(content, lineCounter);
  if (found.length > 0) {
    return found.map(({ text, offset }) => {
      const { line, col } = lineCounter.linePos(offset);
      return { ...error(`Not valid YAML: ${text}`, { file, line, column: col }), key: '' };
    });
  }
  const line = Number(/line (\d+)/.exec(message)?.[1] ?? 1);
  return [
    {
      ...error(message.replace(/^failed to parse \S+: /, 'Not valid YAML: '), { file, line, column: 1 }),
      key: '',
    },
  ];
}

function syntaxErrors(content: string, lineCounter: LineCounter): { text: string; offset: number }[] {
  try {
    const { errors } = parseDocument(content, { lineCounter, prettyErrors: false });
    return errors.map(({ message, pos }) => ({ text: message, offset: pos[0] }));
  } catch {
    return [];
  }
}

async function explainMissing(message: string, raw: string, context: Context): Promise<Problem | undefined> {
  const path = context.missing.findLast(candidate => raw.includes(candidate));
  if (path === undefined) return undefined;
  if (!path.startsWith(`${repositoryRoot}/`)) {
    const place = referenceTo(clean(path), context) ?? start(context);
    const outside = `It refers to a file outside the repository (${clean(path)}), which is not read`;
    return { ...error(outside, place), hint: 'Commit the file to the repository and refer to it there.' };
  }
  const file = clean(path);
  const place = referenceTo(file, context) ?? start(context);
  const example = /env/i.test(file) ? await findExample(file, context.repository) : undefined;
  return {
    ...error(
      /is a directory/.test(message) ? `${file} is a folder` : `There is no ${file} in the repository`,
      place,
    ),
    hint: example
      ? `${example} lies beside it: refer to that, commit a copy as ${file}, or mark it \`required: false\`.`
      : `Commit ${file}, or mark the reference \`required: false\` where it is an env_file.`,
  };
}

const exampleNames = ['.example', '.sample', '.template', '.dist', '.default', '.defaults'];

async function findExample(file: string, repository: Repository): Promise<string | undefined> {
  const folder = dirname(file);
  const common = ['.env.example', '.env.sample', 'env.example', 'example.env', '.env.template', '.env.dist'];
  const candidates = [
    ...exampleNames.map(suffix => `${file}${suffix}`),
    ...common.map(name => normalize(join(folder, name))),
  ];
  for (const candidate of candidates) if ((await repository.read(candidate)) !== undefined) return candidate;
  return undefined;
}

/** Where a path is written: the value whose text, taken from the compose file's folder, leads there. */
function referenceTo(
  path: string,
  { repository, positions }: Context,
): (Position & { key: string }) | undefined {
  for (const [key, position] of Object.entries(positions)) {
    const line = (repository.files.get(position.file) ?? '').split('\n')[position.line - 1] ?? '';
    const words = line.match(/[^\s"'[\]{},:-][^\s"'[\]{},:]*/g) ?? [];
    const folder = `/${dirname(position.file)}`;
    if (words.some(word => [path, `/${path}`].includes(join(folder, word)) || word === path))
      return { ...position, key };
  }
  return undefined;
}

function explainWarning(raw: string, context: Context): Problem {
  const message = clean(raw);
  const variable = /^The "(\w+)" variable is not set/.exec(message)?.[1];
  if (!variable) return { ...start(context), severity: 'warning', message };
  return {
    ...variablePosition(variable, context),
    key: '',
    severity: 'warning',
    message: `${variable} is not set; it is taken as empty`,
    hint: `Set ${variable} in the repository's settings, or give it a default: \${${variable}:-…}`,
  };
}

function variablePosition(variable: string, { composeFile, repository }: Context): Position {
  const use = new RegExp(`\\$\\{?${variable}\\b`);
  for (const [file, content] of repository.files) {
    const lines = (content ?? '').split('\n');
    const line = lines.findIndex(text => use.test(text));
    if (line >= 0) return { file, line: line + 1, column: (lines[line] ?? '').search(use) + 1 };
  }
  return { file: composeFile, line: 1, column: 1 };
}

/** compose-go names keys by their path, or in its schema's words. */
function keyIn(message: string): string {
  const path =
    /\b(?:services|volumes|networks|configs|secrets|include|name)(?:[.[][\w-]+\]?)*/.exec(message)?.[0] ?? '';
  const service = /service "([^"]+)"/.exec(message)?.[1];
  const base = path.includes('.') || !service ? path : `services.${service}`;
  const extra = /additional propert\w+ '([^']+)'/.exec(message)?.[1];
  const key = base.replaceAll('[', '.').replaceAll(']', '');
  return extra ? [key, extra].filter(Boolean).join('.') : key;
}

function error(message: string, place: Position & { key?: string }): Problem {
  return { key: '', ...place, severity: 'error', message };
}

function start({ composeFile }: Context): Position & { key: string } {
  return { file: composeFile, line: 1, column: 1, key: '' };
}

function clean(message: string): string {
  return message
    .replaceAll(`${repositoryRoot}/`, '')
    .replaceAll(repositoryRoot, '.')
    .replaceAll(homeRoot, '~');
}
