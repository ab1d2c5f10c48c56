import { expect } from 'vitest';
import {
  ask,
  environmentRow,
  fillInConnection,
  isConnected,
  openDeployment,
  openRepository,
  sendConnection,
  signIn,
} from '#tests/fixtures/e2e-dashboard.ts';
import { cloneDemo, type DemoClone } from '#tests/fixtures/e2e-demo.ts';
import { developer } from '#tests/fixtures/e2e-github.ts';
import { journey } from '#tests/fixtures/e2e-journey.ts';
import { environmentOfPull } from '#tests/fixtures/e2e-kubectl.ts';
import { demoOf, newRunId } from '#tests/fixtures/e2e-platform.ts';
import { visit } from '#tests/fixtures/e2e-preview.ts';
import { eventually } from '#tests/fixtures/eventually.ts';

/** What a developer sees of a mistake, and that mending it is enough. */
const trip = journey('failure');
const { platform, kubectl, step } = trip;
const { user, repository } = demoOf(platform);
const github = developer(platform, user.token, repository.name);
const branch = `failure-${newRunId()}`;

let clone: DemoClone;
let pull: number;

const page = () => trip.browser.page;

step('signs in and has the demo repository connected', async () => {
  await signIn(page(), platform, user.login);
  if (await isConnected(page(), repository.name)) return;
  await fillInConnection(page(), repository.name);
  await sendConnection(page(), repository.name);
});

step(
  'a Dockerfile that fails: the reason carries the log, the failed step is open',
  async () => {
    clone = await cloneDemo(platform);
    trip.atEnd(() => clone.remove());
    const dockerfile = await clone.read('web/Dockerfile');
    await clone.write(
      'web/Dockerfile',
      dockerfile.replace('USER', `RUN echo "no luck: ${branch}" && exit 7\nUSER`),
    );
    const commit = await clone.push(branch, 'A build that fails');
    pull = await clone.openPullAsPrinted(branch);
    trip.atEnd(() => github.closePull(pull));
    await openRepository(page(), repository.name);
    await openDeployment(page(), pull, commit);

    const alert = page().getByRole('alert').filter({ hasText: 'Failed in Building: web' });
    await alert.waitFor({ timeout: 120_000 });
    const steps = page().getByRole('list', { name: 'Steps of Building' });
    const failed = steps.getByRole('listitem').filter({ hasText: 'Failed' });
    await alert.getByText(`no luck: ${branch}`).waitFor();
    await failed.getByText('The build of web failed').waitFor();
    await trip.browser.picture('build-failed');
    expect(await newestFailure()).toContain(`no luck: ${branch}`);
    await expectStatus('failed');
    await clone.write('web/Dockerfile', dockerfile);
  },
  180_000,
);

step('the comment names the reason', async () => {
  await eventually(async () => {
    const [comment] = await github.comments(pull);
    expect(comment?.body).toContain('The build of web failed');
  }, 30_000);
});

step(
  'a privileged service is refused, by name and place',
  async () => {
    const compose = await clone.read('compose.yaml');
    const refused = compose.replace('\n  db:\n', '\n  db:\n    privileged: true\n');
    await clone.write('compose.yaml', refused);
    const commit = await clone.push(branch, 'A service that wants too much');
    await openRepository(page(), repository.name);
    await openDeployment(page(), pull, commit);
    const line = refused.split('\n').indexOf('    privileged: true') + 1;
    const reason = new RegExp(`compose\\.yaml:${line}:5 privileged: `);
    await page().getByRole('alert').getByText(reason).waitFor({ timeout: 60_000 });
    await trip.browser.picture('refused');
    expect(await newestFailure()).toMatch(reason);
    await clone.write('compose.yaml', compose);
  },
  90_000,
);

step(
  'the mended commit is served',
  async () => {
    const commit = await clone.push(branch, 'Mended');
    await openRepository(page(), repository.name);
    await openDeployment(page(), pull, commit);
    const link = page().getByRole('link', { name: 'View Environment' });
    await link.waitFor({ timeout: 180_000 });
    const { status, body } = await visit((await link.getAttribute('href')) ?? '');
    expect(status).toBe(200);
    expect(body).toContain('API: reached');
    await expectStatus('running');
    await trip.browser.picture('mended');
    await openRepository(page(), repository.name);
    await environmentRow(page(), pull)
      .getByRole('link', { name: '3 deployments, environment running' })
      .waitFor();
    expect(trip.browser.errors).toEqual([]);
  },
  240_000,
);

async function environment() {
  const found = await environmentOfPull(kubectl, repository.name, pull);
  if (!found) throw new Error(`no PreviewEnvironment for pull request ${pull}`);
  return found;
}

/** The failure reason of the newest deployment, as the API gives it. */
async function newestFailure(): Promise<string> {
  const { metadata } = await environment();
  const { data } = await ask(page(), platform, 'listDeployments', metadata.uid);
  return data[0]?.failure_reason ?? '';
}

async function expectStatus(status: string): Promise<void> {
  await eventually(async () => expect((await environment()).status?.status).toBe(status));
}
