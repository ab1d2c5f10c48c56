import { expect, test } from 'vitest';
import { fillIn } from './addons.ts';
import { grantedCapabilities } from './node-container.ts';

test('only capabilities that the machine can give are asked for', () => {
  expect(grantedCapabilities('CapBnd:\t000001fffeffffff\n')).not.toContain('SYS_RESOURCE');
  expect(grantedCapabilities('CapBnd:\t000001ffffffffff\n')).toContain('SYS_RESOURCE');
});

test("an add-on's placeholders are filled in, and a missing value is named", () => {
  expect(fillIn('image: $IMAGE_TRAEFIK # $VOL_DIR', { IMAGE_TRAEFIK: 'a/b:1' })).toBe(
    'image: a/b:1 # $VOL_DIR',
  );
  expect(() => fillIn('image: $IMAGE_TRAEFIK', {})).toThrow('$IMAGE_TRAEFIK');
});
