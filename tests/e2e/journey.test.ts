import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { PreviewEnvironment } from '#crds/kinds.ts';
import { PHASES } from '#crds/vocabulary.ts';
import {
  ask,
  environmentRow,
  fillInConnection,
  forget,
  isConnected,
  openDeployment,
  openRepository,
  sendConnection,
  signIn,
  watchPhases,
} from '#tests/fixtures/e2e-dashboard.ts';
import { cloneDemo, type DemoClone } from '#tests/fixtures/e2e-demo.ts';
import { developer } from '#tests/fixtures/e2e-github.ts';
import { journey } from '#tests/fixtures/e2e-journey.ts';
import { builtImages, environmentOfPull, podsLeftOf, podsOf } from '#tests/fixtures/e2e-kubectl.ts';
import { demoOf, newRunId } from '#tests/fixtures/e2e-platform.ts';
import { keepVisiting, type Sample, versionIn, visit } from '#tests/fixtures/e2e-preview.ts';
import { isInRegistry } from '#tests/fixtures/e2e-registry.ts';
import { buildSeconds, faultsIn } from '#tests/fixtures/e2e-timeline.ts';
import { eventually } from '#tests/fixtures/eventually.ts';

/** From a pull request to a live URL, its next version, and its end (issue 3, steps 2 to 4). */
const trip = journey('pull-request');
const { platform, kubectl, step } = trip;
const { user, repository } = demoOf(platform);
const github = developer(platform, user.token, repository.name);
const run = newRunId();
const branch = `journey-${run}`;
const firstVersion = `${run}.1`;
const secondVersion = `${run}.2`;

let clone: DemoClone;
let pull: number;
let commit: string;
let pushedAt: number;
let environment: PreviewEnvironment;
let namespace: string;
let url: string;
let comment: number;
let images: string[];

const page = () => trip.browser.page;

step('signs in with GitHub; the token does not stay in the address', async () => {
  await page().goto(platform.dashboard.url);
  await trip.browser.picture('login');
  await signIn(page(), platform, user.login);
  expect(new URL(page().url()).search).toBe('');
  await page()
    .getByRole('region', { name: 'Active environments' })
    .getByText(/No active environments|TTL/)
    .waitFor();
  await trip.browser.picture('overview');
});

step('connects the demo repository with the short form', async () => {
  if (await isConnected(page(), repository.name)) await forget(page(), repository.name);
  await fillInConnection(page(), repository.name);
  const proposed = async (service: string, exposure: string) =>
    expect(
      await page()
        .getByRole('radiogroup', { name: service })
        .getByRole('radio', { name: exposure })
        .isChecked(),
      `${service} is ${exposure}`,
    ).toBe(true);
  await proposed('web', 'Primary');
  await proposed('api', 'External');
  await proposed('db', 'Internal');
  await trip.browser.picture('connect');
  await sendConnection(page(), repository.name);
  await trip.browser.picture('connected');
  await openRepository(page(), repository.name);
  // Gone after a reload: the steps that follow must see everything without one.
  await page().evaluate(() => Object.assign(window, { sameDocument: true }));
});

step('pushes a branch and opens a pull request with the printed commands', async () => {
  clone = await cloneDemo(platform);
  trip.atEnd(() => clone.remove());
  await clone.write('web/version.txt', `${firstVersion}\n`);
  pushedAt = Date.now();
  commit = await clone.pushAsPrinted(branch);
  pull = await clone.openPullAsPrinted(branch);
  trip.atEnd(() => github.closePull(pull));
});

step('the environment appears on the open page', async () => {
  const openedAt = Date.now();
  await environmentRow(page(), pull).waitFor();
  expect.soft(Date.now() - openedAt, 'milliseconds until it appeared').toBeLessThan(5_000);
  environment = await eventually(async () => {
    const found = await environmentOfPull(kubectl, repository.name, pull);
    if (!found?.status?.namespace) throw new Error(`no PreviewEnvironment for pull request ${pull}`);
    return found;
  });
  namespace = environment.status?.namespace ?? '';
  await trip.browser.picture('environment');
});

step(
  'its phases move live until the URL serves the change, within 3 minutes',
  async () => {
    await openDeployment(page(), pull, commit);
    const seen = await watchPhases(page());
    const { port } = new URL(platform.dashboard.url);
    const expected = `http://${namespace}.localhost:${port}`;
    const [seconds] = await Promise.all([secondsUntil(expected, firstVersion), followPhases()]);
    expect(seconds).toBeLessThan(180);

    const link = page().getByRole('link', { name: 'View Environment' });
    await link.waitFor();
    url = (await link.getAttribute('href')) ?? '';
    expect(new URL(url).origin).toBe(expected);
    const changes = await seen();
    const shown = changes.map(({ phase, status }) => `${phase} ${status}`).join(', ');
    expect.soft(changes.findLast(({ phase }) => phase === 'Booting')?.status).toBe('Completed');
    expect.soft(faultsIn(changes), shown).toEqual([]);
    const { data } = await ask(page(), platform, 'listDeployments', environment.metadata.uid);
    expect(data).toHaveLength(1);
    report(`push to 200: ${seconds.toFixed(1)} s, of which builds ${buildSeconds(data[0]).toFixed(1)} s`);
    await trip.browser.picture('deployed');
  },
  300_000,
);

step('the page was never reloaded', async () => {
  expect(await page().evaluate(() => 'sameDocument' in window)).toBe(true);
});

step('Visit opens the application, which reached its API and its database', async () => {
  await openRepository(page(), repository.name);
  const link = environmentRow(page(), pull).getByRole('link', { name: 'Visit' });
  expect(await link.getAttribute('href')).toBe(url);
  await trip.browser.picture('repository');
  const [shop] = await Promise.all([trip.browser.context.waitForEvent('page'), link.click()]);
  await shop.getByText('API: reached').waitFor();
  await shop.getByText(/Database: reached, \d+ visits/).waitFor();
  await shop.getByRole('heading', { name: 'Hello from a branch' }).waitFor();
  await shop.getByText(`Version ${firstVersion}`).waitFor();
  await trip.browser.picture('preview', shop);
  await shop.close();
});

step('the pull request has one comment with URL and status', async () => {
  comment = await eventually(async () => {
    const [only, ...others] = await github.comments(pull);
    expect(others).toEqual([]);
    expect(only?.body).toContain(url);
    expect(only?.body).toContain('Running');
    expect(only?.body).toContain(commit.slice(0, 8));
    return only?.id ?? 0;
  }, 30_000);
  const tab = await trip.browser.context.newPage();
  await tab.goto(`${repository.url}/pull/${pull}`);
  await trip.browser.picture('comment', tab);
  await tab.close();
});

step(
  'another push is served with no failed request in between; only web is rebuilt',
  async () => {
    const pods = async (service: string) => podsOf(kubectl, namespace, service);
    const before = { web: await pods('web'), api: await pods('api'), db: await pods('db') };
    const visitor = keepVisiting(url);
    let goneAt: number;
    try {
      await sleep(2_000);
      await clone.write('web/version.txt', `${secondVersion}\n`);
      pushedAt = Date.now();
      commit = await clone.push(branch, 'Another version');
      report(`second push to 200: ${(await secondsUntil(url, secondVersion)).toFixed(1)} s`);
      [goneAt] = await Promise.all([whenGone(before.web), seeDeployed(), sleep(10_000)]);
    } finally {
      await visitor.stop();
    }
    const { samples } = visitor;
    report(
      `${samples.length} requests meanwhile, old pods gone ${seconds(pushedAt, goneAt)} s after the push`,
    );
    expect(samples.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(samples.map(({ version }) => version))).toEqual(new Set([firstVersion, secondVersion]));
    expect(samples.at(0)?.version).toBe(firstVersion);
    expect(versionsAfter(samples, goneAt)).toEqual(new Set([secondVersion]));

    expect(await pods('api')).toEqual(before.api);
    expect(await pods('db')).toEqual(before.db);
    expect(await pods('web')).not.toEqual(before.web);
    const steps = page().getByRole('list', { name: 'Steps of Building' });
    await page()
      .getByRole('button', { name: /^Building/ })
      .click();
    await steps
      .getByRole('listitem')
      .filter({ hasText: 'api' })
      .getByText('cached', { exact: true })
      .waitFor();
    expect(await steps.getByRole('listitem').filter({ hasText: 'web' }).textContent()).not.toContain(
      'cached',
    );
    await trip.browser.picture('second-deployment');
  },
  300_000,
);

step('the comment was edited, not repeated', async () => {
  await eventually(async () => {
    const comments = await github.comments(pull);
    expect(comments.map(({ id }) => id)).toEqual([comment]);
    expect(comments[0]?.body).toContain(commit.slice(0, 8));
    expect(comments[0]?.body).toContain('Running');
  }, 30_000);
});

step(
  'closing the pull request removes namespace, routes and images within a minute',
  async () => {
    const { own, ofOthers } = await builtImages(kubectl, environment);
    images = own.filter(image => !ofOthers.has(image));
    expect(images.length).toBeGreaterThan(0);
    await openRepository(page(), repository.name);
    const closedAt = Date.now();
    await github.closePull(pull);
    await eventually(async () => {
      expect(await kubectl.exists('namespace', namespace)).toBe(false);
      expect(await environmentOfPull(kubectl, repository.name, pull)).toBeUndefined();
    }, 60_000);
    report(`closed to gone: ${seconds(closedAt, Date.now())} s`);
    const answer = await visit(url);
    expect(answer).toMatchObject({ status: 503, headers: { 'x-greenroom-waiting': 'true' } });
    expect(versionIn(answer.body)).toBeUndefined();
    for (const image of images) expect(await isInRegistry(platform, image), image).toBe(false);
  },
  90_000,
);

step('the records stay, and the comment says that the environment was removed', async () => {
  const link = environmentRow(page(), pull).getByRole('link', { name: '2 deployments, environment stopped' });
  await link.waitFor();
  await trip.browser.picture('stopped');
  await link.click();
  const table = page().getByRole('table', { name: /^Deployments of this environment/ });
  await table.getByRole('link', { name: commit.slice(0, 8) }).waitFor();
  expect(await table.getByRole('link').count()).toBe(2);
  await trip.browser.picture('records');
  await eventually(async () => {
    const comments = await github.comments(pull);
    expect(comments.map(({ id }) => id)).toEqual([comment]);
    expect(comments[0]?.body).toContain('The environment was removed');
  }, 30_000);
  expect(trip.browser.errors).toEqual([]);
});

const report = (line: string) => console.log(`[journey] ${line}`);
const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);

/** Asks until the version is served; how long that was after the push, in seconds. */
async function secondsUntil(address: string, version: string): Promise<number> {
  return eventually(async () => {
    const { status, body } = await visit(address);
    expect(status).toBe(200);
    expect(versionIn(body)).toBe(version);
    expect(body).toContain('API: reached');
    expect(body).toMatch(/Database: reached, \d+ visits/);
    return (Date.now() - pushedAt) / 1000;
  }, 240_000);
}

/** Waits for the end of the deployment, with a picture of each phase at work. */
async function followPhases(): Promise<void> {
  const phases = page().getByRole('list', { name: 'Phases' });
  for (const phase of PHASES) {
    const row = phases.getByRole('button', { name: new RegExp(`^${phase}`) });
    await row.filter({ hasText: /Running|Completed|Failed/ }).waitFor({ timeout: 240_000 });
    await trip.browser.picture(`phase-${phase.toLowerCase()}`);
  }
}

/** Goes to the page of the newest deployment and waits until it is served. */
async function seeDeployed(): Promise<void> {
  await openDeployment(page(), pull, commit);
  await page().getByRole('link', { name: 'View Environment' }).waitFor();
}

/** When the last of these pods was gone, in milliseconds since the epoch. */
async function whenGone(pods: string[]): Promise<number> {
  return eventually(async () => {
    const left = await podsLeftOf(kubectl, namespace, 'web');
    expect(left.filter(uid => pods.includes(uid))).toEqual([]);
    return Date.now();
  }, 120_000);
}

const versionsAfter = (samples: Sample[], at: number) =>
  new Set(samples.filter(sample => sample.at > at).map(({ version }) => version));
