import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { parseDocument } from 'yaml';
import type { PreviewEnvironment } from '#crds/kinds.ts';
import { cloneDemo } from '#tests/fixtures/e2e-demo.ts';
import { developer } from '#tests/fixtures/e2e-github.ts';
import { journey } from '#tests/fixtures/e2e-journey.ts';
import { builtImages } from '#tests/fixtures/e2e-kubectl.ts';
import { demoOf, newRunId } from '#tests/fixtures/e2e-platform.ts';
import { visit } from '#tests/fixtures/e2e-preview.ts';
import { contentOf } from '#tests/fixtures/e2e-registry.ts';
import { eventually } from '#tests/fixtures/eventually.ts';

/** The same with kubectl alone (issue 3, step 5), then with a private repository. */
const trip = journey('kubectl');
const { platform, kubectl, step } = trip;
const { user, repository } = demoOf(platform);
const EXAMPLE = join(import.meta.dirname, '../../docs/examples/preview-environment.yaml');
/** The operator reads Secrets in the namespace of its release. */
const NAMESPACE = 'greenroom';
const run = newRunId();
const name = `kubectl-${run}`;
const privateName = `private-${run}`;

let environment: PreviewEnvironment;

step(
  'the example gives a live URL',
  async () => {
    const appliedAt = Date.now();
    await apply({ name });
    trip.atEnd(() => kubectl('delete', 'penv', name, '--ignore-not-found'));
    await kubectl('wait', '--for=condition=Ready', `penv/${name}`, '--timeout=180s');
    environment = await read(name);
    const { status, body } = await visit(environment.status?.url ?? '');
    console.log(`[kubectl] applied to ready: ${((Date.now() - appliedAt) / 1000).toFixed(1)} s`);
    expect(status).toBe(200);
    expect(body).toContain('API: reached');
    expect(body).toMatch(/Database: reached, \d+ visits/);
  },
  200_000,
);

step('get shows phase, URL, commit and age', async () => {
  const [head = '', row = ''] = (await kubectl('get', 'penv', name)).split('\n');
  expect(head.split(/\s{2,}/).map(title => title.trim())).toEqual(['NAME', 'PHASE', 'URL', 'COMMIT', 'AGE']);
  const { url, commit } = environment.status ?? {};
  expect(row.split(/\s{2,}/)).toEqual([name, 'running', url, commit, expect.stringMatching(/^\d+[sm]/)]);
});

step('describe tells the story in conditions and events', async () => {
  const description = await kubectl('describe', 'penv', name);
  for (const condition of ['Ready', 'Reconciling', 'Stalled']) {
    expect(description).toMatch(new RegExp(`Type:\\s+${condition}\\b`));
  }
  const events = description.slice(description.lastIndexOf('Events:'));
  const told = ['Setup: Read compose file', 'Deploying: db', 'Deploying: web', 'Serving'];
  for (const message of told) expect(events).toContain(message);
});

step(
  'delete removes all of it',
  async () => {
    await expectRemoved(name, 'default', environment);
  },
  90_000,
);

step(
  'a private repository is built with the token of a Secret',
  async () => {
    const github = developer(platform, user.token, `${user.login}/${privateName}`);
    await github.createPrivateRepository(privateName);
    const clone = await cloneDemo(platform);
    trip.atEnd(() => clone.remove());
    // Content of its own, so that both images are built with the token.
    for (const service of ['api', 'web']) await clone.write(`${service}/run.txt`, `${run}\n`);
    await clone.push(`private-${run}`, 'Something private');
    const url = new URL(`${platform.github.url}/${user.login}/${privateName}.git`);
    url.username = user.login;
    url.password = user.token;
    await clone.pushTo(url.href);

    const secret = {
      metadata: { name: privateName, namespace: NAMESPACE },
      stringData: { token: user.token },
    };
    await kubectl.apply({ apiVersion: 'v1', kind: 'Secret', ...secret });
    trip.atEnd(() => kubectl('delete', 'secret', privateName, '-n', NAMESPACE, '--ignore-not-found'));
    await apply({ name: privateName, repository: `${user.login}/${privateName}`, secret: privateName });
    trip.atEnd(() => kubectl('delete', 'penv', privateName, '-n', NAMESPACE, '--ignore-not-found'));
    const ready = kubectl(
      'wait',
      '--for=condition=Ready',
      `penv/${privateName}`,
      '-n',
      NAMESPACE,
      '--timeout=180s',
    );
    const seen = await seenUntil(ready);
    expect(seen).toContain(privateName);
    for (const form of formsOfToken()) expect(seen).not.toContain(form);
    environment = await read(privateName, NAMESPACE);
    expect((await visit(environment.status?.url ?? '')).status).toBe(200);
  },
  240_000,
);

step('its token is in no image', async () => {
  const { own } = await builtImages(kubectl, environment);
  expect(own).toHaveLength(2);
  for (const image of own) {
    let found = false;
    for await (const content of contentOf(platform, image)) {
      expect(content.includes(user.token), image).toBe(false);
      found ||= content.includes(run);
    }
    expect(found, `${image} holds what was pushed`).toBe(true);
  }
});

step(
  'delete removes the private one as well',
  async () => {
    await expectRemoved(privateName, NAMESPACE, environment);
  },
  90_000,
);

/** Applies the example as it is written, but for its name, the port of the platform under test, and what is given. */
async function apply(change: { name: string; repository?: string; secret?: string }): Promise<void> {
  const example = parseDocument(await readFile(EXAMPLE, 'utf8'));
  const url = new URL(String(example.getIn(['spec', 'source', 'url'])));
  url.port = new URL(platform.github.url).port;
  if (change.repository) url.pathname = `/${change.repository}.git`;
  example.setIn(['metadata', 'name'], change.name);
  example.setIn(['spec', 'source', 'url'], url.href);
  example.setIn(['spec', 'repository'], change.repository ?? repository.name);
  if (change.secret) {
    example.setIn(['metadata', 'namespace'], NAMESPACE);
    example.setIn(['spec', 'source', 'secretRef'], { name: change.secret });
  }
  await kubectl.apply(example.toJS());
}

const read = async (penv: string, namespace = 'default') =>
  JSON.parse(await kubectl('get', 'penv', penv, '-n', namespace, '-o', 'json')) as PreviewEnvironment;

/** All that people with kubectl can see of pods, jobs and the rest but Secrets, collected until the work is done. */
async function seenUntil(work: Promise<unknown>): Promise<string> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  ended.catch(() => {});
  const parts: string[] = [];
  while (!done) {
    parts.push(
      await kubectl('get', 'pods,jobs,configmaps,deployments.apps,penv,pdep,events', '-A', '-o', 'yaml'),
    );
    parts.push(await buildLogs());
    await sleep(500);
  }
  await ended;
  parts.push(await buildLogs());
  return parts.join('\n');
}

async function buildLogs(): Promise<string> {
  const selector = `greenroom.dev/environment=${privateName}`;
  return kubectl('logs', '-n', 'greenroom-builds', '-l', selector, '--tail=-1', '--all-containers').catch(
    () => '',
  );
}

const formsOfToken = () => [user.token, Buffer.from(user.token).toString('base64')];

/** Deletes it and waits until nothing of it is left in the cluster. */
async function expectRemoved(penv: string, namespace: string, { status }: PreviewEnvironment): Promise<void> {
  await kubectl('delete', 'penv', penv, '-n', namespace, '--timeout=60s');
  const selector = `greenroom.dev/environment=${penv}`;
  await eventually(async () => {
    expect(await kubectl('get', 'jobs,pdep,ingresses,pods', '-A', '-l', selector, '-o', 'name')).toBe('');
    expect(await kubectl.exists('namespace', status?.namespace ?? '')).toBe(false);
  }, 30_000);
  expect(await visit(status?.url ?? '')).toMatchObject({
    status: 503,
    headers: { 'x-greenroom-waiting': 'true' },
  });
}
