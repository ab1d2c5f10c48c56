import type { ComposeProject, Problem } from './project.ts';

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

/** Reads a compose file with everything it refers to. Never throws for what a repository holds. */
export async function readProject(_options: ReadOptions): Promise<ReadResult> {
  throw new Error('to follow');
}

/** Stops the reader's worker thread; the next `readProject` starts it again. */
export async function closeReader(): Promise<void> {}

/** The compose files among a repository's paths: the root's first, `compose.yaml` before `docker-compose.yml`. */
export function findComposeFile(_paths: string[]): string[] {
  throw new Error('to follow');
}
