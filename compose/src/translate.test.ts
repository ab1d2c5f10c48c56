import type { KubernetesObject, V1Deployment, V1Job } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildReader } from './build-reader.ts';
import type { ComposeProject } from './project.ts';
import { closeReader, readProject } from './read.ts';
import { listBuilds, translate } from './translate.ts';
import type { Translation, TranslationSettings } from './translation.ts';

beforeAll(() => buildReader(), 300_000);
afterAll(closeReader);

const settings: TranslationSettings = {
  namespace: 'demo',
  labels: { 'greenroom.dev/environment': 'demo' },
  services: [],
  limits: { cpu: '0.125', memory: '256Mi' },
  images: { web: 'registry/web:1', api: 'registry/api:1' },
  host: (service, primary) => (primary ? 'demo.localhost' : `${service}-demo.localhost`),
  urls: { scheme: 'http', port: 8080 },
};

async function project(text: string, files: Record<string, string> = {}): Promise<ComposeProject> {
  const repository: Record<string, string> = { 'compose.yaml': text, ...files };
  const options = { composeFile: 'compose.yaml', projectName: 'demo' };
  const result = await readProject({ ...options, readFile: async path => repository[path] });
  if (!result.project) throw new Error(JSON.stringify(result.problems));
  return result.project;
}

/** Translates one service `web` that is given as its keys. */
async function service(keys: string, files?: Record<string, string>): Promise<Translation> {
  const body = keys.replaceAll('\n', '\n    ');
  return translate(await project(`services:\n  web:\n    ${body}\nvolumes: { data: {} }\n`, files), settings);
}

function find<T extends KubernetesObject>(
  translation: Translation,
  kind: string,
  name = 'web',
): T | undefined {
  return translation.objects.find(one => one.kind === kind && one.metadata?.name?.startsWith(name)) as
    | T
    | undefined;
}

const spec = (translation: Translation) => find<V1Deployment>(translation, 'Deployment')?.spec;
const pod = (translation: Translation) => spec(translation)?.template.spec;
const container = (translation: Translation) => pod(translation)?.containers[0];
const said = (translation: Translation, verdict: string) =>
  translation.report.filter(finding => finding.verdict === verdict).map(finding => finding.key);

describe('keys of a service', () => {
  it.each<[keys: string, expected: object]>([
    ['image: nginx', { image: 'nginx' }],
    ['image: nginx\ncommand: echo "a b" $$HOME', { args: ['echo', 'a b', '$HOME'] }],
    ['image: nginx\ncommand: ["sh", "-c", "echo $$(date)"]', { args: ['sh', '-c', 'echo $$(date)'] }],
    ['image: nginx\nentrypoint: /run.sh -x\ncommand: [go]', { command: ['/run.sh', '-x'], args: ['go'] }],
    ['image: nginx\nentrypoint: []\ncommand: [go]', { command: ['go'] }],
    ['image: nginx\nworking_dir: /app', { workingDir: '/app' }],
    ['image: nginx\ntty: true\nstdin_open: true', { tty: true, stdin: true }],
    ['image: nginx\nread_only: true', { securityContext: { readOnlyRootFilesystem: true } }],
    ['image: nginx\ncap_drop: [ALL]', { securityContext: { capabilities: { drop: ['ALL'] } } }],
    ['image: nginx\npull_policy: always', { imagePullPolicy: 'Always' }],
    [
      'image: nginx\ndeploy: { resources: { limits: { cpus: "0.5", memory: 64M } } }',
      { resources: { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '10m', memory: '16Mi' } } },
    ],
    [
      'image: nginx\nhealthcheck: { test: curl -f http://x, interval: 1m30s, timeout: 500ms, retries: 5 }',
      {
        readinessProbe: {
          exec: { command: ['/bin/sh', '-c', 'curl -f http://x'] },
          ...{ periodSeconds: 90, timeoutSeconds: 1, failureThreshold: 5 },
        },
      },
    ],
    [
      'image: nginx\nhealthcheck: { test: [CMD, pg_isready], start_period: 30s, start_interval: 2s }',
      {
        startupProbe: { exec: { command: ['pg_isready'] }, periodSeconds: 2 },
        readinessProbe: { exec: { command: ['pg_isready'] }, periodSeconds: 30 },
      },
    ],
    ['image: nginx\ntmpfs: ["/run:size=64m"]', { volumeMounts: [{ mountPath: '/run' }] }],
    [
      'image: nginx\nvolumes: [{ type: volume, source: data, target: /var/lib, read_only: true, volume: { nocopy: true } }]',
      { volumeMounts: [{ mountPath: '/var/lib', readOnly: true }] },
    ],
  ])('%s', async (keys, expected) => {
    const translation = await service(keys);
    expect(container(translation)).toMatchObject(expected);
    expect(said(translation, 'refused')).toEqual([]);
    expect(said(translation, 'approximated')).toEqual([]);
  });

  it.each<[keys: string, expected: object]>([
    ['image: nginx\nuser: "1000:100"', { securityContext: { runAsUser: 1000, runAsGroup: 100 } }],
    ['image: nginx\nstop_grace_period: 1m', { terminationGracePeriodSeconds: 60 }],
    ['image: nginx\nhostname: boss', { hostname: 'boss' }],
    ['image: nginx\nextra_hosts: ["a:1.2.3.4"]', { hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }] }],
    ['image: nginx\nshm_size: 1gb', { volumes: [{ emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } }] }],
  ])('%s', async (keys, expected) => {
    const translation = await service(keys);
    expect(pod(translation)).toMatchObject(expected);
    expect(said(translation, 'refused')).toEqual([]);
  });

  it('keeps a service with data alone, and replaces others without a gap', async () => {
    const data = await service('image: redis\nvolumes: ["data:/data"]');
    expect(spec(data)?.strategy).toEqual({ type: 'Recreate' });
    expect(find(data, 'PersistentVolumeClaim', 'data')).toBeDefined();
    const plain = await service('image: redis');
    expect(spec(plain)?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  it('mounts files of the repository, configs and secrets; a change renames what holds them', async () => {
    const keys = 'image: nginx\nvolumes: ["./web.conf:/etc/web.conf:ro"]';
    const first = await service(keys, { 'web.conf': 'one' });
    const second = await service(keys, { 'web.conf': 'two' });
    expect(find(first, 'ConfigMap')).toMatchObject({ data: { '0-web.conf': 'one' }, immutable: true });
    expect(find(second, 'ConfigMap')?.metadata?.name).not.toBe(find(first, 'ConfigMap')?.metadata?.name);
    expect(said(first, 'refused')).toEqual([]);
    const text =
      'services:\n  web: { image: nginx, secrets: [key], configs: [{ source: c, target: /c }] }\nsecrets: { key: { file: k.txt } }\nconfigs: { c: { content: hello } }\n';
    const both = translate(await project(text, { 'k.txt': 'secret' }), settings);
    expect(find(both, 'Secret')).toMatchObject({ data: { '0-key': 'c2VjcmV0' } });
    expect(container(both)?.volumeMounts?.map(mount => mount.mountPath)).toEqual(['/c', '/run/secrets/key']);
  });
});

describe('refusals', () => {
  it.each([
    ['privileged: true', 'privileged'],
    ['network_mode: host', 'network_mode'],
    ['pid: host', 'pid'],
    ['ipc: host', 'ipc'],
    ['devices: [/dev/kvm]', 'devices'],
    ['cap_add: [SYS_ADMIN]', 'cap_add'],
    ['security_opt: [seccomp:unconfined]', 'security_opt'],
    ['volumes: [/var/run/docker.sock:/var/run/docker.sock]', 'volumes.0'],
    ['volumes: [/etc:/host]', 'volumes.0'],
    ['volumes: [../other:/other]', 'volumes.0'],
    ['volumes: [~/data:/data]', 'volumes.0'],
    ['volumes: [./folder:/data]', 'volumes.0'],
    ['extra_hosts: [h:host-gateway]', 'extra_hosts'],
    ['sysctls: { net.core.somaxconn: 1 }', 'sysctls'],
    ['gpus: all', 'gpus'],
    [
      'deploy: { resources: { reservations: { devices: [{ capabilities: [gpu] }] } } }',
      'deploy.resources.reservations.devices',
    ],
    ['userns_mode: host', 'userns_mode'],
    ['build: ../other', 'build.context'],
    ['build: https://github.com/a/b.git', 'build.context'],
    ['build: { context: ., dockerfile: ../Dockerfile }', 'build.dockerfile'],
    ['build: { context: ., ssh: [default] }', 'build.ssh'],
  ])('%s', async (key, refused) => {
    const translation = await service(`image: nginx\n${key}`);
    const findings = translation.report.filter(finding => finding.verdict === 'refused');
    expect(findings).toMatchObject([{ service: 'web', key: refused, line: 4, file: 'compose.yaml' }]);
    expect(findings[0]?.reason).toMatch(/\.$/);
  });

  it('refuses a key that it does not know, whatever it is', async () => {
    const read = await project('services:\n  web: { image: nginx }\n');
    const web = { ...read.services.web, teleport: true };
    const translation = translate({ ...read, services: { web }, otherKeys: ['galaxies'] }, settings);
    expect(said(translation, 'refused').sort()).toEqual(['galaxies', 'teleport']);
  });
});

it.each([
  ['volumes: [".:/app"]\nbuild: .', 'volumes.0'],
  ['volumes: ["./src:/app/src", "/app/node_modules"]\nbuild: .', 'volumes.1'],
  ['image: nginx\nlogging: { driver: none }', 'logging'],
  ['image: nginx\nvolumes: ["data:/data"]', 'volumes.0'],
  ['image: nginx\ninit: true', 'init'],
  ['image: nginx\nuser: postgres', 'user'],
  ['image: nginx\nrestart: on-failure', 'restart'],
  ['image: nginx\nenvironment: [UNSET]', 'environment.UNSET'],
])('approximates %s by name', async (keys, key) => {
  const translation = await service(keys);
  expect(said(translation, 'approximated')).toContain(key);
  expect(said(translation, 'refused')).toEqual([]);
});

const application = `services:
  web:
    build: { context: web, args: { B: "2", A: "1" }, target: run }
    ports: ["8080:3000"]
    depends_on:
      api: { condition: service_healthy }
      migrate: { condition: service_completed_successfully }
  api:
    build: { context: ., dockerfile: api/Dockerfile }
    expose: ["4000"]
    environment: { DATABASE: "db:5432" }
    healthcheck: { test: [CMD, "true"] }
    depends_on: [db]
  migrate: { image: migrate, restart: "on-failure:3", depends_on: [db] }
  db: { image: postgres, volumes: ["data:/var/lib/postgresql/data"] }
volumes: { data: {} }
`;

describe('an application', () => {
  it('is rolled out in order, with one-shot services as Jobs', async () => {
    const { rollout, objects } = translate(await project(application), settings);
    expect(rollout.map(({ service, kind }) => `${service} ${kind}`)).toEqual([
      ...['db Deployment', 'api Deployment', 'migrate Job', 'web Deployment'],
    ]);
    expect(rollout[3]?.waitsFor).toEqual([
      { service: 'api', condition: 'healthy' },
      { service: 'migrate', condition: 'completed' },
    ]);
    const migrate = objects.find(one => one.kind === 'Job') as V1Job;
    expect(migrate.spec?.backoffLimit).toBe(3);
    expect(migrate.metadata?.name).toBe(rollout[2]?.name);
  });

  it('lists builds before images are known', async () => {
    expect(listBuilds(await project(application))).toEqual([
      { service: 'api', context: '.', dockerfile: 'api/Dockerfile', args: {} },
      {
        service: 'web',
        context: 'web',
        dockerfile: 'web/Dockerfile',
        args: { A: '1', B: '2' },
        target: 'run',
      },
    ]);
  });

  it('gives the only publishing service the primary route and the API its own, on the target port', async () => {
    const translation = translate(await project(application), settings);
    expect(translation.routes).toEqual([
      {
        service: 'web',
        primary: true,
        host: 'demo.localhost',
        url: 'http://demo.localhost:8080',
        port: 3000,
      },
      {
        ...{ service: 'api', primary: false, port: 4000 },
        ...{ host: 'api-demo.localhost', url: 'http://api-demo.localhost:8080' },
      },
    ]);
    expect(container(translation)).toMatchObject({
      readinessProbe: { tcpSocket: { port: 3000 } },
      lifecycle: { preStop: { sleep: { seconds: 5 } } },
    });
    expect(pod(translation)?.terminationGracePeriodSeconds).toBe(15);
    expect(container(translation)?.env).toEqual([
      { name: 'GREENROOM_URL', value: 'http://demo.localhost:8080' },
      { name: 'GREENROOM_URL_API', value: 'http://api-demo.localhost:8080' },
      { name: 'GREENROOM_URL_WEB', value: 'http://demo.localhost:8080' },
    ]);
    const labelled = translation.objects.filter(
      one => one.metadata?.labels?.['greenroom.dev/route'] === 'true',
    );
    expect(labelled.map(one => `${one.kind} ${one.metadata?.name}`)).toEqual([
      ...['Ingress greenroom-route-api', 'Ingress greenroom-route-web'],
      ...['Service greenroom-route-api', 'Service greenroom-route-web'],
    ]);
  });

  it('is the same byte for byte, and another image changes one Deployment only', async () => {
    const first = translate(await project(application), settings);
    const again = translate(await project(application), settings);
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    const images = { ...settings.images, web: 'registry/web:2' };
    const next = translate(await project(application), { ...settings, images });
    const changed = next.objects.filter(
      (one, index) => JSON.stringify(one) !== JSON.stringify(first.objects[index]),
    );
    expect(changed.map(one => `${one.kind} ${one.metadata?.name}`)).toEqual(['Deployment web']);
  });

  it('leaves out what is disabled, and follows the settings', async () => {
    const services = [
      { name: 'web', exposure: 'External' as const, resources: { memory: '1Gi' } },
      { name: 'migrate', exposure: 'Internal' as const, disabled: true },
    ];
    const translation = translate(await project(application), { ...settings, services });
    expect(translation.rollout.map(step => step.service)).toEqual(['db', 'api', 'web']);
    expect(translation.routes.map(route => `${route.service} ${route.primary}`)).toEqual(['web false']);
    expect(container(translation)?.resources?.limits).toEqual({ cpu: '125m', memory: '1024Mi' });
  });
});

describe('names', () => {
  it('makes a service reachable by container_name, hostname, aliases and links', async () => {
    const text =
      'services:\n  web: { image: nginx, links: ["db:database"] }\n  db: { image: redis, container_name: store, hostname: boss, networks: { back: { aliases: [cache] } } }\nnetworks: { back: {} }\n';
    const { objects } = translate(await project(text), settings);
    const names = objects.filter(one => one.kind === 'Service').map(one => one.metadata?.name);
    expect(names).toEqual(expect.arrayContaining(['boss', 'cache', 'database', 'db', 'store', 'web']));
  });

  it('carries names that DNS cannot, and refuses where another service needs them', async () => {
    const text =
      'services:\n  my_db: { image: redis }\n  web: { image: nginx, environment: { DB: "NAME:6379" } }\n';
    const unused = translate(await project(text), settings);
    expect(said(unused, 'refused')).toEqual([]);
    expect(find(unused, 'Deployment', 'my-db')?.metadata?.labels?.['greenroom.dev/service']).toBe('my_db');
    const used = translate(await project(text.replace('NAME', 'my_db')), settings);
    expect(used.report.find(finding => finding.verdict === 'refused')?.reason).toContain('my_db');
  });
});
