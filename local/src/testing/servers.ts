import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GenericContainer } from 'testcontainers';
import { binaries } from '../binaries/build.ts';
import { firstFreePort, isFree } from '../cluster/ports.ts';
import type { Cluster } from '../cluster/provider.ts';
import type { Limiter } from '../limiter.ts';
import type { Progress } from '../progress.ts';

/** NATS and MongoDB for integration tests: of their own, with no one else's data in them. */
export interface TestServers {
  natsUrl: string;
  mongodbUri: string;
  stop(): Promise<void>;
}

/** As containers where images can be pulled, else as processes from the binaries that the cluster's images hold too. */
export function startTestServers(
  cluster: Cluster,
  limiter: Limiter,
  progress: Progress,
): Promise<TestServers> {
  return cluster.registry.mirror ? startProcesses(limiter, progress) : startContainers();
}

async function startContainers(): Promise<TestServers> {
  const [nats, mongodb] = await Promise.all([
    new GenericContainer('nats:2-alpine').withCommand(['-js']).withExposedPorts(4222).start(),
    new GenericContainer('mongo:8').withExposedPorts(27017).start(),
  ]);
  return {
    natsUrl: `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`,
    mongodbUri: `mongodb://${mongodb.getHost()}:${mongodb.getMappedPort(27017)}/test?directConnection=true`,
    stop: async () => {
      await Promise.all([nats.stop(), mongodb.stop()]);
    },
  };
}

async function startProcesses(limiter: Limiter, progress: Progress): Promise<TestServers> {
  const [natsFolder, mongodbFolder] = await Promise.all([
    binaries('nats', limiter, progress),
    binaries('mongodb', limiter, progress),
  ]);
  const data = await mkdtemp(join(tmpdir(), 'greenroom-test-'));
  const natsPort = await firstFreePort(24222);
  const mongodbPort = await firstFreePort(natsPort + 1);
  const nats = spawn(
    join(natsFolder, 'nats-server'),
    ['-js', '-a', '127.0.0.1', '-p', String(natsPort), '-sd', data],
    {
      stdio: 'ignore',
    },
  );
  const mongodb = spawn(
    join(mongodbFolder, 'secantusd-rs'),
    [
      '--host',
      '127.0.0.1',
      '--port',
      String(mongodbPort),
      '--storage-path',
      join(data, 'mongodb'),
      '--sync-on-commit',
    ],
    { stdio: 'ignore' },
  );
  await Promise.all([
    listening(natsPort, nats, 'nats-server'),
    listening(mongodbPort, mongodb, 'secantusd-rs'),
  ]);
  return {
    natsUrl: `nats://127.0.0.1:${natsPort}`,
    mongodbUri: `mongodb://127.0.0.1:${mongodbPort}/test?directConnection=true`,
    stop: async () => {
      await Promise.all([ended(nats), ended(mongodb)]);
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function listening(port: number, child: ChildProcess, name: string): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) break;
    if (!(await isFree(port))) return;
  }
  throw new Error(`${name} does not listen on port ${port} of 127.0.0.1`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([exit, sleep(5_000, undefined, { ref: false })]);
  if (child.exitCode === null) child.kill('SIGKILL');
}
