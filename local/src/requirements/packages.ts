import { run, succeeds } from '../process.ts';
import type { Progress } from '../progress.ts';

/** A Debian package, and the command or file whose presence makes it unnecessary. */
export interface DebianPackage {
  name: string;
  command: string;
  why: string;
}

/** What this machine needs beside Go, Rust and git, when the cluster node is built here. */
export const debianPackages: readonly DebianPackage[] = [
  { name: 'docker.io', command: 'dockerd', why: 'the Docker engine that runs the cluster node' },
  { name: 'debootstrap', command: 'debootstrap', why: 'makes the base image of containers' },
];

/** Folders of system commands, which the PATH of an ordinary user may lack. */
export const systemPath = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

/** Whether `command` is on the PATH or in a system folder. */
export const hasCommand = (command: string) =>
  succeeds('/bin/sh', ['-c', 'PATH="$2" command -v "$1"', 'sh', command, systemPath]);

/** Those of `packages` whose command is missing. */
export async function missingPackages(packages: readonly DebianPackage[]): Promise<DebianPackage[]> {
  const present = await Promise.all(packages.map(p => hasCommand(p.command)));
  return packages.filter((_, i) => !present[i]);
}

/** Installs packages with apt; the package lists are fetched once. */
export async function installPackages(packages: readonly DebianPackage[], progress: Progress): Promise<void> {
  if (packages.length === 0) return;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const p of packages) progress.note(`installing the Debian package ${p.name}: ${p.why}`);
  await progress.step(`Debian packages: ${packages.map(p => p.name).join(', ')}`, async () => {
    await run('apt-get', ['update', '-q'], { env, log: 'apt-update' });
    const names = packages.map(p => p.name);
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], {
      env,
      log: 'apt-install',
    });
  });
}
