import { expect, it } from 'vitest';
import { type KubeObject, objectKey } from '../kube/resources.ts';
import { obsolete } from './prune.ts';

const object = (kind: string, name: string, apiVersion = 'v1'): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'env-shop' },
});
const names = (there: KubeObject[], wanted: KubeObject[]) =>
  obsolete(new Map(there.map(each => [objectKey(each), each])), wanted).map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );

it('removes what is no longer wanted', () =>
  expect(
    names(
      [object('Service', 'web'), object('Service', 'old'), object('Deployment', 'old', 'apps/v1')],
      [object('Service', 'web')],
    ),
  ).toEqual(['Service old', 'Deployment old']));

it('tells kinds of the same name apart', () =>
  expect(names([object('ConfigMap', 'web')], [object('Service', 'web')])).toEqual(['ConfigMap web']));

it('keeps volumes: their data is not ours', () =>
  expect(names([object('PersistentVolumeClaim', 'data')], [])).toEqual([]));

it('removes nothing where all is wanted', () =>
  expect(names([object('Service', 'web')], [object('Service', 'web'), object('Service', 'new')])).toEqual(
    [],
  ));
