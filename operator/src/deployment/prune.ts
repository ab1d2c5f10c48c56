import { type KubeObject, objectKey } from '../kube/resources.ts';

/**
 * Objects of the environment that are no longer wanted. Volumes stay: their data is the environment's, and
 * goes with it. Objects that others made of these (a Job's pods) are not among what is watched here.
 */
export function obsolete(
  objects: ReadonlyMap<string, KubeObject>,
  wantedObjects: readonly KubeObject[],
): KubeObject[] {
  const wanted = new Set(wantedObjects.map(objectKey));
  return [...objects]
    .filter(([key, { kind }]) => !wanted.has(key) && kind !== 'PersistentVolumeClaim')
    .map(([, object]) => object);
}
