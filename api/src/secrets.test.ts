import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hash, newToken, open, seal } from './secrets.ts';

describe('seal and open', () => {
  const key = randomBytes(32);

  it('reads back what it sealed, never the same twice', () => {
    const sealed = seal(key, 'token', 'ghu_sëcret');
    expect(open(key, 'token', sealed)).toBe('ghu_sëcret');
    expect(seal(key, 'token', 'ghu_sëcret')).not.toBe(sealed);
    expect(sealed).not.toContain('ghu_');
  });

  it('opens nothing with another key, for another purpose, or after a change', () => {
    const sealed = seal(key, 'token', 'text');
    const changed = Buffer.from(sealed, 'base64url');
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
    expect(open(randomBytes(32), 'token', sealed)).toBeUndefined();
    expect(open(key, 'sign-in', sealed)).toBeUndefined();
    expect(open(key, 'token', changed.toString('base64url'))).toBeUndefined();
    expect(open(key, 'token', '')).toBeUndefined();
  });
});

it('makes tokens of 256 bits and keeps a hash of them', () => {
  expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32);
  expect(hash('a')).toMatch(/^[0-9a-f]{64}$/);
});
