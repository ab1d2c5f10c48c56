import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReader } from '#compose/build-reader.ts';
import { startCluster } from '../cluster/start.ts';
import { createLimiter } from '../limiter.ts';
import { projectDir } from '../platform/bundle.ts';
import { kubectlPath } from '../platform/kubectl.ts';
import { startPlatform, stopPlatform } from '../platform/platform.ts';
import { readStatus } from '../platform/status.ts';
import type { Progress } from '../progress.ts';
import { installPackages, missingPackages } from '../requirements/packages.ts';
import { runChecks } from './checks.ts';
import { startTestServers } from './servers.ts';
import { addCounts, type Count, countOf, type Tier, tiersOf } from './tiers.ts';

const INSTANCE = 'test';
const ARTIFACTS = join(projectDir, 'artifacts');

export interface TestOptions {
  /** Only these test files; the checks of the code are left out then. */
  files: string[];
  /** Leave the test platform running, so that the next run begins at once. */
  keep: boolean;
  progress: Progress;
}

/** Runs checks and tests with everything that they need, on a platform of their own. */
export async function runTests({ files, keep, progress }: TestOptions): Promise<Count> {
  await mkdir(ARTIFACTS, { recursive: true });
  let count: Count = { passed: 0, failed: 0 };
  await progress.step('building the compose reader', buildReader);
  if (files.length === 0) count = await runChecks(progress);
  try {
    for (const tier of tiersOf(files)) count = addCounts(count, await runTier(tier, files, progress));
  } finally {
    if (!keep) await progress.step('stopping the test platform', () => stopPlatform(INSTANCE, true));
  }
  return count;
}

const RUN: Record<Tier, (files: string[], progress: Progress) => Promise<Count>> = {
  unit: files => vitest('unit', files, {}),

  // Before Greenroom is installed: its operator would act on what these tests write.
  integration: async (files, progress) => {
    const limiter = createLimiter(2);
    const cluster = await startCluster({ instance: INSTANCE, progress, limiter });
    const servers = await startTestServers(cluster, limiter, progress);
    try {
      return await vitest('integration', files, {
        TEST_INSTANCE: INSTANCE,
        TEST_KUBECONFIG: cluster.kubeconfig,
        TEST_KUBECTL: kubectlPath(),
        TEST_NATS_URL: servers.natsUrl,
        TEST_MONGODB_URI: servers.mongodbUri,
      });
    } finally {
      await servers.stop();
    }
  },

  e2e: async (files, progress) => {
    const chromium = { name: 'chromium', command: 'chromium', why: 'the browser of the end-to-end tests' };
    await installPackages(await missingPackages([chromium]), progress);
    await startPlatform({ instance: INSTANCE, progress });
    return vitest('e2e', files, { TEST_STATUS: JSON.stringify(await readStatus(INSTANCE)) });
  },
};

/** A tier that cannot run counts as failed, and says why. */
async function runTier(tier: Tier, files: string[], progress: Progress): Promise<Count> {
  try {
    return await progress.step(`${tier} tests`, () => RUN[tier](files, progress));
  } catch (error) {
    process.stderr.write(
      `The ${tier} tests could not run: ${error instanceof Error ? error.stack : error}\n`,
    );
    return { passed: 0, failed: 1 };
  }
}

async function vitest(tier: Tier, files: string[], env: Record<string, string>): Promise<Count> {
  const report = join(ARTIFACTS, `${tier}.json`);
  await rm(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      join(projectDir, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--project', tier, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...files,
    ],
    { cwd: projectDir, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } },
  );
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const text = await readFile(report, 'utf8').catch(() => undefined);
  return countOf(text === undefined ? undefined : JSON.parse(text), exitCode);
}
