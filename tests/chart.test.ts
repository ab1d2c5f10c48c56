import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type KubernetesObject,
  loadAllYaml,
  type V1Deployment,
  type V1StatefulSet,
} from '@kubernetes/client-node';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOOL_TIMEOUT_MS, tool } from './fixtures/operator-tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
let helm: string;

beforeAll(async () => {
  helm = await tool('helm', 'helm');
}, TOOL_TIMEOUT_MS);

/** The arguments of the README's `helm install`, as a shell would pass them. */
async function readmeArguments(): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, command = ''] = /^helm install ((?:.*\\\n)*.*)$/m.exec(readme) ?? [];
  return command
    .replaceAll('\\\n', ' ')
    .split(/\s+/)
    .map(word => word.replace(/'(.*)'$/, '$1'));
}

async function template(args: string[]): Promise<KubernetesObject[]> {
  const { stdout } = await run(helm, ['template', ...args], { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  return loadAllYaml(stdout);
}

const workloads = (objects: KubernetesObject[]) =>
  objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet') as (
    | V1Deployment
    | V1StatefulSet
  )[];

describe('the chart', () => {
  it('passes helm lint', async () => {
    await run(helm, ['lint', 'charts/greenroom', ...(await readmeArguments()).slice(4)], { cwd: root });
  });

  it('renders with what the README says', async () => {
    const objects = await template(await readmeArguments());
    const names = workloads(objects).map(({ metadata }) => metadata?.name);
    expect(names.toSorted()).toEqual([
      'greenroom-api',
      'greenroom-mongodb',
      'greenroom-nats',
      'greenroom-operator',
    ]);
  });

  it('runs nothing as root, with a writable root or with capabilities', async () => {
    for (const { metadata, spec } of workloads(await template(await readmeArguments()))) {
      const pod = spec?.template.spec;
      expect(pod?.securityContext, metadata?.name).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext } of pod?.containers ?? []) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('carries the CRDs that are generated', async () => {
    const { stdout } = await run(helm, ['show', 'crds', 'charts/greenroom'], { cwd: root });
    for (const name of ['deployments', 'previewenvironments']) {
      const generated = await readFile(join(root, `crds/generated/${name}.greenroom.dev.yaml`), 'utf8');
      expect(stdout).toContain(generated.trim());
    }
  });

  it('keeps the digits of a long GitHub App id', async () => {
    const args = (await readmeArguments()).map(each => each.replace('appId=123456', 'appId=12345678'));
    const api = workloads(await template(args)).find(({ metadata }) => metadata?.name === 'greenroom-api');
    expect(api?.spec?.template.spec?.containers[0]?.env).toContainEqual({
      name: 'GITHUB_APP_ID',
      value: '12345678',
    });
  });

  it.each(['dashboard.url', 'previews.domain', 'registry.host', 'github.existingSecret'])(
    'says that %s is needed',
    async value => {
      const args = (await readmeArguments()).map(each => (each.startsWith(`${value}=`) ? `${value}=` : each));
      await expect(template(args)).rejects.toThrow(`${value} is needed`);
    },
  );
});
