import { expect, it } from 'vitest';
import { live, podOf, workload } from '#tests/fixtures/operator-objects.ts';
import { isPodOf, isSameRevision, stamp } from './revision.ts';

const one = workload('web', 'Deployment', 'web:1');
const other = workload('web', 'Deployment', 'web:2');

it('is the same for the same content, so that pods stay', () =>
  expect(stamp(structuredClone(one))).toEqual(stamp(one)));

it('is another for other content', () => expect(isSameRevision(stamp(one), live(other))).toBe(false));

it('finds itself in the cluster, whatever the cluster added', () =>
  expect(
    isSameRevision(stamp(one), {
      ...live(one),
      metadata: { ...live(one).metadata, uid: 'x', generation: 9 },
    }),
  ).toBe(true));

it('is not there while nothing is', () => expect(isSameRevision(stamp(one), undefined)).toBe(false));

it('tells pods of this version from those of the one before', () => {
  expect(isPodOf(podOf(one, {}), stamp(one))).toBe(true);
  expect(isPodOf(podOf(other, {}), stamp(one))).toBe(false);
});

it("gives pods the environment's labels, and keeps their own", () => {
  const labelled = { ...one, metadata: { ...one.metadata, labels: { owner: 'me', app: 'not this' } } };
  expect(stamp(labelled).spec?.template?.metadata?.labels).toMatchObject({ owner: 'me', app: 'web' });
});

it('leaves what it is given as it was', () => {
  const before = structuredClone(one);
  stamp(one);
  expect(one).toEqual(before);
});
