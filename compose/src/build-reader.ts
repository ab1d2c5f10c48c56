import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { limitMemory } from './reader/limit-memory.ts';

const run = promisify(execFile);
const source = new URL('../reader/', import.meta.url);
const output = new URL('../dist/', import.meta.url);
const memoryLimit = 512 * 1024 * 1024;

/**
 * Builds the compose reader into compose/dist/reader.wasm with Go and the module proxy. Does nothing when the sources
 * and the compiler are those of the last build.
 * @returns whether something was built
 */
export async function buildReader(): Promise<boolean> {
  const key = await inputsKey();
  const keyFile = new URL('reader.key', output);
  if ((await readFile(keyFile, 'utf8').catch(() => '')) === key) return false;
  await mkdir(output, { recursive: true });
  const unlimited = fileURLToPath(new URL(`reader-${process.pid}.wasm`, output));
  await run('go', ['build', '-buildmode=c-shared', '-trimpath', '-ldflags=-s -w', '-o', unlimited, '.'], {
    cwd: fileURLToPath(source),
    env: { ...process.env, GOOS: 'wasip1', GOARCH: 'wasm', GOFLAGS: '-mod=readonly -buildvcs=false' },
  });
  await writeFile(unlimited, limitMemory(await readFile(unlimited), memoryLimit));
  // Readers that start meanwhile see the old file or the new one, never a half.
  await rename(unlimited, new URL('reader.wasm', output));
  await writeFile(keyFile, key);
  return true;
}

async function inputsKey(): Promise<string> {
  const version = await run('go', ['version']).catch(() => {
    throw new Error(
      'The compose reader is built with Go 1.25 or newer, and no `go` was found on the PATH. Install Go.',
    );
  });
  const hash = createHash('sha256').update(version.stdout);
  for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(await readFile(new URL(name, source)));
  for (const name of ['./build-reader.ts', './reader/limit-memory.ts']) {
    hash.update(await readFile(new URL(name, import.meta.url)));
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  const started = performance.now();
  const built = await buildReader();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(built ? `Compose reader built in ${seconds} s` : 'Compose reader is up to date');
}
