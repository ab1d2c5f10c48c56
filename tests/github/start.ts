import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Octokit } from 'octokit';
import type { GitHubConfigInput, RepositorySeed } from '../../local/github/config.ts';
import { startGitHub } from '../../local/github/server.ts';

export const tokens = { demo: 'demo-personal-token', mallory: 'mallory-personal-token' };
export const app = { id: 7, clientId: 'Iv1.test', clientSecret: 'client-secret-of-the-test' };

/** A stand-in on a free port with its data in a directory of its own, and clients to talk to it. */
export interface TestGitHub {
  readonly url: string;
  readonly api: string;
  readonly config: GitHubConfigInput;
  as(token?: string): Octokit;
  app(): App;
  /** Stops it and starts it again over the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export async function startTestGitHub(
  changes: { app?: Partial<GitHubConfigInput['app']>; repositories?: RepositorySeed[] } = {},
): Promise<TestGitHub> {
  const directory = await mkdtemp(join(tmpdir(), 'greenroom-github-'));
  const keyFile = join(directory, 'key.pem');
  await writeFile(keyFile, keys.publicKey);
  const config: GitHubConfigInput = {
    port: 0,
    dataDir: join(directory, 'data'),
    app: {
      ...app,
      slug: 'greenroom',
      keyFile,
      callbackUrls: ['http://127.0.0.1:1/callback'],
      ...changes.app,
    },
    users: [
      { login: 'demo', token: tokens.demo, name: 'Demo', email: 'demo@example.org' },
      { login: 'mallory', token: tokens.mallory },
    ],
    organizations: [{ login: 'acme', members: { demo: 'admin' } }],
    repositories: changes.repositories ?? [
      { owner: 'demo', name: 'shop' },
      { owner: 'demo', name: 'secret', private: true },
    ],
    installations: [{ account: 'demo' }],
  };
  let running = await startGitHub(config);
  const as = (token?: string) => {
    const options = token ? { auth: token } : {};
    return new Octokit({
      ...options,
      baseUrl: `${running.url}/api/v3`,
      ...impatient,
    });
  };
  return {
    get url() {
      return running.url;
    },
    get api() {
      return `${running.url}/api/v3`;
    },
    config,
    as,
    app: () =>
      new App({
        appId: app.id,
        privateKey: keys.privateKey,
        Octokit: Octokit.defaults({ baseUrl: `${running.url}/api/v3`, ...impatient }),
      }),
    async restart() {
      await running.close();
      running = await startGitHub(config);
    },
    async close() {
      await running.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const silent = () => {};
const quiet = { debug: silent, info: silent, warn: silent, error: silent };

/** Octokit spaces writes by a second or three and tries again what failed; tests want neither. */
const impatient = {
  retry: { enabled: false },
  throttle: { enabled: false },
  log: quiet,
};
