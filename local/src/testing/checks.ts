import { spawn } from 'node:child_process';
import { projectDir } from '../platform/bundle.ts';
import type { Progress } from '../progress.ts';
import type { Count } from './tiers.ts';

/** Checks of the code itself, by npm script. */
const CHECKS = {
  generated: 'generated files are up to date',
  typecheck: 'types',
  lint: 'lint and format',
  deadcode: 'dead code',
  'check-imports': 'dependency direction',
};

/** Runs every check, whatever the others say; what a failing one prints is shown. */
export async function runChecks(progress: Progress): Promise<Count> {
  const count = { passed: 0, failed: 0 };
  for (const [script, what] of Object.entries(CHECKS)) {
    const ok = await progress
      .step(what, () => npmRun(script))
      .then(
        () => true,
        error => {
          process.stderr.write(`${(error as Error).message}\n`);
          return false;
        },
      );
    count[ok ? 'passed' : 'failed']++;
  }
  return count;
}

function npmRun(script: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: projectDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(output))));
  });
}
