import { basename, dirname, isAbsolute, normalize } from 'node:path/posix';
import type { ComposeProject, Problem } from './project.ts';
import { explain } from './reader/problems.ts';
import { type ReadReply, repositoryRoot } from './reader/protocol.ts';
import { mountedFiles, toProject } from './reader/resolve.ts';
import { ReaderStopped, readInThread, stopThread } from './reader/thread.ts';

export interface ReadOptions {
  /** Path of the compose file within the repository. */
  composeFile: string;
  /** Content of a repository file at the commit; undefined where there is no such file. */
  readFile(path: string): Promise<string | undefined>;
  profiles?: string[];
  /** Variables for interpolation; they win over the `.env` beside the compose file. */
  environment?: Record<string, string>;
  projectName: string;
}

export interface ReadResult {
  /** Absent when a problem is an error. */
  project?: ComposeProject;
  problems: Problem[];
}

const maximumFiles = 100;
const maximumFileBytes = 1024 * 1024;
const maximumBytes = 8 * 1024 * 1024;
const maximumRounds = 50;
const maximumServices = 100;

/** A bound that the repository exceeds; the message is for its author. */
class TooMuch extends Error {}

/**
 * Reads a compose file with everything it refers to: `.env`, `env_file`, `include`, `extends`, mounted files.
 * Whatever the repository holds ends up in `problems`; it throws when `readFile` does or the reader cannot start.
 */
export async function readProject(options: ReadOptions): Promise<ReadResult> {
  const file = normalize(options.composeFile);
  const fail = (message: string, hint?: string): ReadResult => ({
    problems: [{ severity: 'error', message, file, line: 1, column: 1, key: '', ...(hint && { hint }) }],
  });
  if (isAbsolute(file) || file.startsWith('..'))
    return fail('The compose file must lie within the repository');
  const repository = boundedRepository(options.readFile);
  try {
    if ((await repository.read(file)) === undefined) {
      return fail(`There is no ${file} in the repository`, 'Choose another compose file in the settings.');
    }
    await repository.read(inFolder(dirname(file), '.env'));
    const reply = await readWithReferences({ ...options, composeFile: file }, repository);
    const problems = await explain(reply, file, repository);
    if (!reply.project || problems.some(problem => problem.severity === 'error')) return { problems };
    const project = toProject(reply.project, file, reply.positions);
    const count = Object.keys(project.services).length;
    if (count > maximumServices)
      return fail(`${count} services; an environment has at most ${maximumServices}`);
    for (const path of mountedFiles(project)) {
      const content = await repository.read(path);
      if (content !== undefined) project.files[path] = content;
    }
    return { project, problems };
  } catch (error) {
    if (error instanceof TooMuch) return fail(error.message);
    if (error instanceof ReaderStopped) {
      return fail(
        `The compose file was not read: ${error.message}`,
        'Look for very large port ranges or nested anchors.',
      );
    }
    throw error;
  }
}

/** Stops the reader's worker thread; the next `readProject` starts it again. */
export async function closeReader(): Promise<void> {
  await stopThread();
}

const composeNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

/** The compose files among a repository's paths: the root's first, `compose.yaml` before `docker-compose.yml`. */
export function findComposeFile(paths: string[]): string[] {
  const rank = (path: string) => composeNames.indexOf(basename(path));
  const depth = (path: string) => path.split('/').length;
  const folder = (path: string) => dirname(path);
  return paths
    .filter(path => rank(path) >= 0 && !path.split('/').includes('node_modules'))
    .sort((a, b) => depth(a) - depth(b) || compare(folder(a), folder(b)) || rank(a) - rank(b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The repository through a meter, each file read once. */
export interface Repository {
  /** By path; undefined where the repository has no such file. */
  files: Map<string, string | undefined>;
  read(path: string): Promise<string | undefined>;
}

function boundedRepository(readFile: ReadOptions['readFile']): Repository {
  const files = new Map<string, string | undefined>();
  let bytes = 0;
  return {
    files,
    async read(path) {
      if (files.has(path)) return files.get(path);
      if (files.size >= maximumFiles) throw new TooMuch(`It refers to more than ${maximumFiles} files`);
      const content = await readFile(path);
      const size = Buffer.byteLength(content ?? '');
      if (size > maximumFileBytes)
        throw new TooMuch(`${path} is larger than ${maximumFileBytes / 2 ** 20} MiB`);
      bytes += size;
      if (bytes > maximumBytes)
        throw new TooMuch(`It refers to more than ${maximumBytes / 2 ** 20} MiB of files`);
      files.set(path, content);
      return content;
    },
  };
}

/**
 * The reader itself says which files it looked for: they are fetched and it reads again, until it finds all there is.
 * So what a file refers to is decided in one place, by compose-go, after interpolation.
 */
async function readWithReferences(options: ReadOptions, repository: Repository): Promise<ReadReply> {
  for (let round = 0; ; round++) {
    if (round === maximumRounds) throw new TooMuch('Its files refer to each other too deeply');
    const present = [...repository.files].filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const reply = await readInThread({
      files: Object.fromEntries(present),
      composeFile: options.composeFile,
      profiles: options.profiles ?? [],
      environment: options.environment ?? {},
      projectName: options.projectName,
    });
    const wanted = reply.missing
      .filter(path => path.startsWith(`${repositoryRoot}/`))
      .map(path => path.slice(repositoryRoot.length + 1))
      .filter(path => !repository.files.has(path));
    const found = await Promise.all(wanted.map(path => repository.read(path)));
    if (found.every(content => content === undefined)) return reply;
  }
}

function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}
