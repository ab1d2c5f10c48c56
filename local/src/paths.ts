import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Record<string, string | undefined>;

/** Folder of everything that is downloaded or built once and kept: binaries, base file systems, logs. */
export const cacheRoot = (env: Env = process.env): string =>
  env.GREENROOM_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'greenroom');

/** Folder of what is true of this machine now: running instances, their kubeconfigs, a Docker engine we started. */
export const stateRoot = (env: Env = process.env): string =>
  join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'greenroom');

/** State of one instance of the platform. */
export const instanceDir = (instance: string): string => join(stateRoot(), instance);

/** Root of this checkout's `local/` folder. */
export const localDir: string = join(import.meta.dirname, '..');
