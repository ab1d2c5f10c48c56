import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoRepository } from '../../demo/repository.ts';
import type { GitHubConfigInput } from '../../github/config.ts';
import { firstFreePort } from '../cluster/ports.ts';
import type { Cluster } from '../cluster/provider.ts';
import { instanceDir, localDir } from '../paths.ts';
import { startBackground, stopBackground } from './background.ts';

const script = join(localDir, 'github', 'main.ts');
/** Where `npm run dev` serves the dashboard. */
export const DEV_DASHBOARD_URL = 'http://localhost:5173';
const READY_WITHIN_MS = 20_000;

const folderOf = (instance: string) => join(instanceDir(instance), 'github');
const configFile = (instance: string) => join(folderOf(instance), 'config.json');

/** The running GitHub stand-in. */
export interface GitHubStandIn {
  config: GitHubConfigInput;
  /** As browsers and `git` on this machine reach it. */
  url: string;
  /** Its REST API as pods reach it. */
  apiUrl: string;
  privateKey: string;
}

/**
 * Starts the stand-in as a process of its own, with two demo users, the demo repository and Greenroom's GitHub App
 * installed. Keys, tokens and port are made at the first start and kept.
 */
export async function startGitHub(cluster: Cluster, dashboardUrl: string): Promise<GitHubStandIn> {
  const { instance, hostGateway, hostAddress } = cluster;
  await mkdir(folderOf(instance), { recursive: true, mode: 0o700 });
  const keyFile = join(folderOf(instance), 'app.pem');
  if (!existsSync(keyFile)) await writeFile(keyFile, newPrivateKey(), { mode: 0o600 });
  const before = await readGitHubConfig(instance);
  const config = {
    ...(before ?? (await newConfig(instance, keyFile))),
    listen: [...new Set(['127.0.0.1', hostGateway])],
  };
  config.app.callbackUrls = [dashboardUrl, DEV_DASHBOARD_URL].map(url => `${url}/api/auth/github/callback`);
  config.app.setupUrl = `${dashboardUrl}/onboarding`;
  await writeFile(configFile(instance), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await startBackground(instance, 'github', script, ['--config', configFile(instance)]);
  const url = `http://127.0.0.1:${config.port}`;
  await answers(`${url}/`, join(instanceDir(instance), 'github.log'));
  return {
    config,
    url,
    apiUrl: `http://${hostAddress}:${config.port}/api/v3`,
    privateKey: await readFile(keyFile, 'utf8'),
  };
}

export async function stopGitHub(instance: string): Promise<void> {
  await stopBackground(instance, 'github', script);
}

export async function removeGitHub(instance: string): Promise<void> {
  await stopGitHub(instance);
  await rm(folderOf(instance), { recursive: true, force: true });
}

/** The stand-in's configuration, once it was started. */
export async function readGitHubConfig(instance: string): Promise<GitHubConfigInput | undefined> {
  return existsSync(configFile(instance))
    ? JSON.parse(await readFile(configFile(instance), 'utf8'))
    : undefined;
}

async function newConfig(instance: string, keyFile: string): Promise<GitHubConfigInput> {
  const token = () => `ghp_${randomBytes(18).toString('hex')}`;
  return {
    port: await firstFreePort(3300),
    dataDir: join(folderOf(instance), 'data'),
    app: {
      id: 1,
      slug: 'greenroom',
      name: 'Greenroom',
      clientId: 'greenroom-demo',
      clientSecret: randomBytes(24).toString('hex'),
      keyFile,
      callbackUrls: [],
      webhookSecret: randomBytes(24).toString('hex'),
    },
    users: [
      { login: 'demo', name: 'Demo Developer', token: token() },
      { login: 'admin', name: 'Demo Administrator', token: token(), admin: true },
    ],
    repositories: [demoRepository('demo')],
    installations: [{ account: 'demo' }],
  };
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

async function answers(url: string, log: string): Promise<void> {
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; await sleep(100)) {
    if (
      await fetch(url).then(
        response => response.ok,
        () => false,
      )
    )
      return;
  }
  throw new Error(`The GitHub stand-in does not answer at ${url}; what it said: ${log}`);
}
