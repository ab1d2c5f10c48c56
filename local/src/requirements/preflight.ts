import { statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { succeeds } from '../process.ts';
import type { Progress } from '../progress.ts';
import { dockerAnswers, ensureDocker } from './docker.ts';
import { debianPackages, hasCommand, installPackages, missingPackages } from './packages.ts';

/** Something that is missing and that we do not install ourselves. */
export interface Missing {
  what: string;
  remedy: string;
}

/** The machine lacks something: `missing` names all of it, with the remedies. */
export class PreflightError extends Error {
  readonly missing: readonly Missing[];
  constructor(missing: readonly Missing[]) {
    super(
      `This machine lacks what Greenroom needs; nothing was changed.\n${missing.map(m => `  - ${m.what}\n    ${m.remedy}`).join('\n')}`,
    );
    this.name = 'PreflightError';
    this.missing = missing;
  }
}

const buildTools: readonly (Missing & { command: string })[] = [
  {
    command: 'go',
    what: 'Go 1.25 or newer (builds Kubernetes)',
    remedy: 'install it from https://go.dev/dl and put it on PATH',
  },
  {
    command: 'cargo',
    what: 'Rust (builds the development database)',
    remedy: 'install it from https://rustup.rs',
  },
  { command: 'cmake', what: 'cmake (builds the development database)', remedy: 'apt-get install cmake' },
  { command: 'cc', what: 'a C compiler', remedy: 'apt-get install gcc libc6-dev' },
];

async function missingTools(): Promise<Missing[]> {
  const found = await Promise.all(buildTools.map(t => hasCommand(t.command)));
  return buildTools.filter((_, i) => !found[i]);
}

async function diskIsShort(gigabytes: number): Promise<Missing[]> {
  const disk = await statfs(homedir());
  const free = (disk.bavail * disk.bsize) / 1e9;
  if (free >= gigabytes) return [];
  return [
    {
      what: `${gigabytes} GB of free disk (${free.toFixed(1)} GB are free)`,
      remedy: `free some space under ${homedir()}`,
    },
  ];
}

/**
 * Makes Docker answer, installing and starting it where that is in our power.
 * @throws PreflightError naming everything that is missing, before anything was changed.
 */
export async function ensureContainerEngine(progress: Progress): Promise<void> {
  const missing: Missing[] = [];
  if (!(await hasCommand('git'))) missing.push({ what: 'git', remedy: 'apt-get install git' });
  const engine = await dockerAnswers();
  const root = process.getuid?.() === 0;
  const apt = await hasCommand('apt-get');
  if (!engine && !(root && (apt || (await hasCommand('dockerd'))))) {
    missing.push({
      what: 'a Docker engine (none answers, and one can be installed and started here only as root on Debian)',
      remedy: 'install and start Docker, add this user to the group docker; or run this as root on Debian 12',
    });
  }
  missing.push(...(await diskIsShort(10)));
  if (missing.length > 0) throw new PreflightError(missing);
  if (engine) return;
  await installPackages(
    (await missingPackages(debianPackages)).filter(p => p.name === 'docker.io'),
    progress,
  );
  await ensureDocker(progress);
}

/**
 * What building a node and its images here needs, beside Docker: compilers, and debootstrap as root.
 * @throws PreflightError naming everything that is missing.
 */
export async function ensureBuildTools(progress: Progress): Promise<void> {
  const missing = await missingTools();
  const packages = await missingPackages(debianPackages.filter(p => p.name === 'debootstrap'));
  const root = process.getuid?.() === 0;
  if (!root) {
    missing.push({
      what: 'root (debootstrap makes the base image)',
      remedy: 'run this as root, or where images can be pulled',
    });
  } else if (packages.length > 0 && !(await succeeds('apt-get', ['--version']))) {
    missing.push({
      what: 'debootstrap',
      remedy: 'install it; its package is called debootstrap nearly everywhere',
    });
  }
  if (missing.length > 0) throw new PreflightError(missing);
  await installPackages(packages, progress);
}
