import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { build as buildDashboard } from 'vite';
import { buildReader } from '#compose/build-reader.ts';
import { localDir } from '../paths.ts';

/** Root of this checkout. */
export const projectDir: string = join(localDir, '..');

/** The parts of Greenroom that run in the cluster. */
export const PARTS = ['operator', 'api'] as const;
export type Part = (typeof PARTS)[number];

/** Builds the compose reader and the dashboard, which the parts carry. */
export async function buildAssets(): Promise<void> {
  await buildReader();
  await buildDashboard({ root: join(projectDir, 'dashboard'), logLevel: 'error' });
}

/** Lays out a part's Docker build context in `folder`: its program as a few files, without node_modules. */
export async function layOut(part: Part, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: {
      main: join(projectDir, part, 'src/main.ts'),
      worker: join(projectDir, 'compose/src/reader/worker.ts'),
    },
    platform: 'node',
    cwd: projectDir,
    logLevel: 'silent',
  });
  await bundle.write({ dir: join(folder, 'bin'), format: 'esm', chunkFileNames: '[name].js' });
  await bundle.close();
  await copyFile(join(projectDir, part, 'Dockerfile'), join(folder, 'Dockerfile'));
  await copyFile(join(projectDir, 'compose/dist/reader.wasm'), join(folder, 'reader.wasm'));
  if (part !== 'api') return;
  await mkdir(join(folder, 'dashboard'), { recursive: true });
  await cp(join(projectDir, 'dashboard/dist'), join(folder, 'dashboard'), { recursive: true });
}
