import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const complete = {
  PUBLIC_URL: 'https://greenroom.example/',
  MONGODB_URI: 'mongodb://localhost/app',
  NATS_URL: 'nats://localhost',
  GITHUB_APP_ID: '1',
  GITHUB_APP_SLUG: 'greenroom',
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
  GITHUB_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----',
  GITHUB_WEBHOOK_SECRET: '0123456789abcdef',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

describe('the configuration', () => {
  it('has defaults for all that can have one', () => {
    expect(readConfig({ ...complete, NATS_TOKEN: '' })).toMatchObject({
      PORT: 8080,
      PUBLIC_URL: 'https://greenroom.example',
      WEBHOOK_URL: 'https://greenroom.example/api/webhooks/github',
      GITHUB_API_URL: 'https://api.github.com',
      ADMIN_LOGINS: [],
      BETA_GATE: false,
    });
  });

  it('names each variable that is missing or wrong, and shows no value', () => {
    const wrong = { ...complete, NATS_URL: undefined, ENCRYPTION_KEY: 'c2hvcnQ=', PORT: 'canary' };
    expect(() => readConfig(wrong)).toThrow(
      /PORT .*\n {2}NATS_URL is not set\n {2}ENCRYPTION_KEY must be 32 bytes/,
    );
    expect(() => readConfig(wrong)).not.toThrow(/canary|c2hv/);
  });

  it('reads secrets from files', () => {
    const directory = mkdtempSync(join(tmpdir(), 'greenroom-config-'));
    try {
      const file = join(directory, 'secret');
      writeFileSync(file, 'from a file\n');
      const { GITHUB_CLIENT_SECRET: _, ...rest } = complete;
      expect(readConfig({ ...rest, GITHUB_CLIENT_SECRET_FILE: file }).GITHUB_CLIENT_SECRET).toBe(
        'from a file',
      );
      expect(() => readConfig({ ...rest, GITHUB_CLIENT_SECRET_FILE: `${file}s` })).toThrow(
        /GITHUB_CLIENT_SECRET_FILE: .*secrets cannot be read/,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
