import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyState, type State } from './state.ts';

/** The state in memory and its file. Change `state`, call `changed()`, and `flush()` before you answer. */
export interface Store {
  readonly state: State;
  nextId(): number;
  changed(): void;
  /** Resolves when all that changed before the call is on disk. */
  flush(): Promise<void>;
}

/** Opens `dataDir/state.json`, or starts empty. The directory is made if missing. */
export async function openStore(dataDir: string): Promise<Store> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'state.json');
  const state = await load(file);
  let dirty = false;
  let writing: Promise<void> = Promise.resolve();
  return {
    state,
    nextId() {
      dirty = true;
      return state.nextId++;
    },
    changed() {
      dirty = true;
    },
    flush() {
      if (!dirty) return writing;
      dirty = false;
      const text = JSON.stringify(state);
      // A failed write fails its own caller, not those that come after.
      writing = writing.catch(() => {}).then(() => replace(file, text));
      return writing;
    },
  };
}

async function load(file: string): Promise<State> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return { ...emptyState(), ...JSON.parse(text) };
  } catch (error) {
    throw new Error(`${file} is not JSON; remove the GitHub stand-in's data to start afresh`, {
      cause: error,
    });
  }
}

async function replace(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
