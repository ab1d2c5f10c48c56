import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KubernetesObjectApi, loadAllYaml, PatchStrategy } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from '#crds/generate.ts';
import { API_GROUP_VERSION } from '#crds/vocabulary.ts';
import { kubectlPath } from '#local/platform/kubectl.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type OperatorCluster, openCluster } from '../fixtures/operator-cluster.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let cluster: OperatorCluster;
let objects: KubernetesObjectApi;

beforeAll(async () => {
  cluster = await openCluster();
  objects = KubernetesObjectApi.makeApiClient(cluster.config);
  // The cluster may have those of another version.
  for (const definition of Object.values(generate()).flatMap(text => loadAllYaml(text))) {
    const options = [undefined, undefined, 'greenroom-tests', true, PatchStrategy.ServerSideApply] as const;
    await objects.patch(definition, ...options);
  }
  // A changed schema is in force a moment later.
  await eventually(async () => expect(await refusal(environment({ source: {} }))).toContain('source.url'));
});
afterAll(() => cluster?.remove());

const COMMIT = 'a'.repeat(40);
const source = { url: 'https://git.example/demo/shop.git', ref: 'main' };
const object = (kind: string, name: string, spec: object) => ({
  apiVersion: API_GROUP_VERSION,
  kind,
  metadata: { name, namespace: cluster.name },
  spec,
});
const environment = (spec: object = {}, name = 'shop') =>
  object('PreviewEnvironment', name, { source, ...spec });
const deployment = (spec: object = {}, name = 'shop-1') =>
  object('Deployment', name, {
    environment: 'none',
    namespace: 'none',
    source: { url: source.url, commit: COMMIT },
    ...spec,
  });
type Spec = Record<string, unknown>;
const tryOut = async (what: object): Promise<Spec> =>
  ((await objects.create(what, undefined, 'All')) as { spec?: Spec }).spec ?? {};
/** What the API server has against an object; nothing of it is kept. */
const refusal = (what: object): Promise<string> => messageOf(tryOut(what));
const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => expect.fail('the API server was to refuse it'),
    error => JSON.parse(error.body).message,
  );
const kubectl = async (...args: string[]) =>
  (
    await run(process.env.TEST_KUBECTL ?? kubectlPath(), [
      '--kubeconfig',
      cluster.kubeconfig,
      '-n',
      cluster.name,
      ...args,
    ])
  ).stdout;

it('the files are those that the schema gives', async () => {
  const folder = join(root, 'crds', 'generated');
  const files = await Promise.all(
    (await readdir(folder)).map(async name => [name, await readFile(join(folder, name), 'utf8')]),
  );
  expect(Object.fromEntries(files)).toEqual(generate());
});

it('the examples of the documents apply', async () => {
  const folder = join(root, 'docs', 'examples');
  const names = (await readdir(folder)).filter(name => name.endsWith('.yaml'));
  expect(names).not.toEqual([]);
  for (const name of names) {
    const said = await kubectl('apply', '--dry-run=server', '--validate=strict', '-f', join(folder, name));
    expect(said).toContain('created (server dry run)');
  }
});

describe('a PreviewEnvironment', () => {
  it('needs only a source, and gets the defaults', async () =>
    expect(await tryOut(environment())).toEqual({
      source,
      prefix: 'env-',
      maxDurationMinutes: 480,
      services: [],
      serviceLimits: { cpu: '0.125', memory: '256Mi' },
      buildLimits: { cpu: '0.5', memory: '1Gi' },
    }));

  it('gets defaults below what it gives, too', async () => {
    const { services, serviceLimits, pullRequest } = await tryOut(
      environment({ services: [{ name: 'web' }], serviceLimits: { cpu: '2' }, pullRequest: { number: 3 } }),
    );
    expect(services).toEqual([{ name: 'web', exposure: 'Internal', disabled: false }]);
    expect(serviceLimits).toEqual({ cpu: '2', memory: '256Mi' });
    expect(pullRequest).toEqual({ number: 3, title: '', author: '', url: '' });
  });

  it.each<[string, object]>([
    ['a commit without a ref', { source: { url: source.url, commit: COMMIT } }],
    ['a Secret with a token', { source: { ...source, secretRef: { name: 'repository-token' } } }],
    ['plain HTTP with a port', { source: { ...source, url: 'http://host.internal:3300/demo/shop.git' } }],
    ['a ref with slashes', { source: { ...source, ref: 'refs/heads/feature/a-b_c.d' } }],
    [
      'quantities',
      { serviceLimits: { cpu: '0.125', memory: '256Mi' }, buildLimits: { cpu: '500m', memory: '1.5Gi' } },
    ],
    ['the shortest lifetime', { maxDurationMinutes: 5 }],
    ['the longest lifetime', { maxDurationMinutes: 10080 }],
  ])('may have %s', async (_what, spec) => expect(await tryOut(environment(spec))).toMatchObject(spec));

  it('may have a name of 50 characters, not of 51', async () => {
    await tryOut(environment({}, 'x'.repeat(50)));
    expect(await refusal(environment({}, 'x'.repeat(51)))).toContain(
      'metadata.name may have at most 50 characters: it is part of a namespace, a host name and labels',
    );
  });

  it.each<[string, object, string]>([
    ['no source', { source: undefined }, 'spec.source: Required value'],
    ['no URL', { source: { ref: 'main' } }, 'spec.source.url: Required value'],
    [
      'neither ref nor commit',
      { source: { url: source.url } },
      'source needs a ref (branch or tag) or a commit',
    ],
    [
      'credentials in the URL',
      { source: { ...source, url: 'https://user:secret@git.example/x' } },
      'spec.source.url',
    ],
    ['a URL of ssh', { source: { ...source, url: 'ssh://git.example/x' } }, 'spec.source.url'],
    ['a path for a URL', { source: { ...source, url: '/etc' } }, 'spec.source.url'],
    ['a short commit', { source: { ...source, commit: 'abc123' } }, 'spec.source.commit'],
    ['a ref that is an option', { source: { ...source, ref: '--upload-pack=x' } }, 'spec.source.ref'],
    ['a ref with a space', { source: { ...source, ref: 'a b' } }, 'spec.source.ref'],
    ['a ref that is a pattern', { source: { ...source, ref: 'release-*' } }, 'spec.source.ref'],
    ['an empty ref', { source: { ...source, ref: '' } }, 'spec.source.ref'],
    [
      'a Secret of another namespace',
      { source: { ...source, secretRef: { name: 'other/token' } } },
      'spec.source.secretRef.name',
    ],
    ['a bad amount of memory', { serviceLimits: { memory: '256 MB' } }, 'spec.serviceLimits.memory'],
    ['a bad amount of CPU', { buildLimits: { cpu: 'many' } }, 'spec.buildLimits.cpu'],
    [
      'a bad amount for one service',
      { services: [{ name: 'web', buildMemory: '-1Gi' }] },
      'spec.services[0].buildMemory',
    ],
    ['a service without a name', { services: [{ exposure: 'Primary' }] }, 'spec.services[0].name'],
    [
      'an exposure that is none',
      { services: [{ name: 'web', exposure: 'Public' }] },
      'supported values: "Internal", "External", "Primary"',
    ],
    ['a lifetime that is too short', { maxDurationMinutes: 4 }, 'spec.maxDurationMinutes'],
    ['a lifetime that is too long', { maxDurationMinutes: 10081 }, 'spec.maxDurationMinutes'],
    ['a lifetime that is no number', { maxDurationMinutes: '1h' }, 'spec.maxDurationMinutes'],
    ['a prefix with capitals', { prefix: 'Env-' }, 'spec.prefix'],
    ['a prefix that begins with a dash', { prefix: '-env' }, 'spec.prefix'],
    ['a prefix that is too long', { prefix: 'x'.repeat(21) }, 'spec.prefix'],
    ['a pull request without a number', { pullRequest: { title: 'x' } }, 'spec.pullRequest.number'],
    ['a compose file without a name', { composeFile: '' }, 'spec.composeFile'],
    [
      'more services than any project',
      { services: Array.from({ length: 201 }, (_, i) => ({ name: `s${i}` })) },
      'spec.services',
    ],
  ])('may not have %s', async (_what, spec, message) =>
    expect(await refusal(environment(spec))).toContain(message),
  );

  it('keeps its prefix, which is part of its URL', async () => {
    // Its repository is nowhere, so that an operator that runs beside the test has little to do.
    const kept = { ...environment({ source: { ...source, url: 'http://127.0.0.1:1/x.git' } }, 'kept') };
    await objects.create(kept);
    const change = (spec: object) =>
      objects.patch({ ...kept, spec }, undefined, 'All', undefined, undefined, PatchStrategy.MergePatch);
    expect(await messageOf(change({ prefix: 'other-' }))).toContain(
      'prefix cannot be changed: it is part of the namespace and the URL',
    );
    await change({ maxDurationMinutes: 60 });
    await objects.delete(kept);
  });
});

describe('a Deployment', () => {
  it('gets the defaults', async () =>
    expect(await tryOut(deployment())).toMatchObject({
      cancel: false,
      services: [],
      buildLimits: { cpu: '0.5', memory: '1Gi' },
    }));

  it.each<[string, object, string]>([
    ['a ref alone', { source }, 'a Deployment needs source.commit, a full SHA'],
    ['no environment', { environment: undefined }, 'spec.environment: Required value'],
    ['no namespace', { namespace: undefined }, 'spec.namespace: Required value'],
    ['a namespace that is too long', { namespace: 'x'.repeat(64) }, 'spec.namespace'],
  ])('may not have %s', async (_what, spec, message) =>
    expect(await refusal(deployment(spec))).toContain(message),
  );

  it('may not have a name that is no label', async () =>
    expect(await refusal(deployment({}, 'x'.repeat(64)))).toContain(
      'metadata.name may have at most 63 characters',
    ));

  it.each<[string, object, string]>([
    [
      'its commit',
      { source: { url: source.url, commit: 'b'.repeat(40) } },
      'source cannot be changed: create a new Deployment instead',
    ],
    [
      'its repository',
      { source: { url: 'https://other.example', commit: COMMIT } },
      'source cannot be changed',
    ],
    [
      'its environment',
      { environment: 'other' },
      'environment cannot be changed: create a new Deployment instead',
    ],
    ['its namespace', { namespace: 'other' }, 'namespace cannot be changed: create a new Deployment instead'],
  ])('keeps %s', async (what, spec, message) => {
    const kept = deployment({}, `keeps-${what.replaceAll(' ', '-')}`);
    await objects.create(kept);
    const change = (changed: object) =>
      objects.patch(
        { ...kept, spec: changed },
        undefined,
        'All',
        undefined,
        undefined,
        PatchStrategy.MergePatch,
      );
    expect(await messageOf(change(spec))).toContain(message);
    await change({ cancel: true });
  });
});

describe('under kubectl', () => {
  it.each([
    ['penv', ['NAME', 'PHASE', 'URL', 'COMMIT', 'AGE']],
    ['pdep', ['NAME', 'ENVIRONMENT', 'STATUS', 'COMMIT', 'AGE']],
  ])('%s shows what one looks for', async (shortName, columns) => {
    await objects.create(deployment({}, `shown-as-${shortName}`));
    const shown = environment(
      { source: { ...source, url: 'http://127.0.0.1:1/x.git' } },
      `shown-as-${shortName}`,
    );
    await objects.create(shown);
    const [header = ''] = (await kubectl('get', shortName)).split('\n');
    expect(header.trim().split(/\s+/)).toEqual(columns);
    await objects.delete(shown);
  });

  it.each([
    'penv.spec.source.ref',
    'penv.spec.maxDurationMinutes',
    'pdep.spec.cancel',
    'pdep.status.failureReason',
  ])('explains %s', async field =>
    expect(await kubectl('explain', `${field}`, '--api-version', API_GROUP_VERSION)).toMatch(
      /DESCRIPTION:\s+\S{3,}/,
    ),
  );
});
