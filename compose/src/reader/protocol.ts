import type { Position } from '../project.ts';

/** Where the repository is in the reader's file system: a name that no compose file mentions. */
export const repositoryRoot = '/.greenroom-repository';

/** What `~` stands for, outside the repository like every home folder. */
export const homeRoot = '/.greenroom-home';

export interface ReadRequest {
  /** Repository files by path. */
  files: Record<string, string>;
  composeFile: string;
  profiles: string[];
  environment: Record<string, string>;
  projectName: string;
}

export interface ReadReply {
  /** As compose-go prints it; absolute paths start with `repositoryRoot` where they lie in the repository. */
  project?: unknown;
  errors: string[];
  warnings: string[];
  /** Absolute paths that were looked for and are not there. */
  missing: string[];
  positions: Record<string, Position>;
}
