import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'greenroom-dashboard-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Greenroom</title>');
  await writeFile(join(directory, 'assets', 'index-abc123.js'), 'export {}');
  world = await startWorld({ DASHBOARD_DIR: directory });
}, 30_000);
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true });
});

const page = (path: string) => world.call('GET', path, { headers: { accept: 'text/html,*/*' } });

it.each(['/', '/login?token=x', '/repository/5/settings', '/jadmin'])(
  'serves the dashboard at %s',
  async path => {
    const { status, headers, body } = await page(path);
    expect(status).toBe(200);
    expect(body).toContain('<title>Greenroom</title>');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  },
);

it('serves hashed assets for ever', async () => {
  const { status, headers } = await page('/assets/index-abc123.js');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

it.each(['/assets/gone.js', '/api/unknown', '/../package.json', '/%2e%2e/%2e%2e/etc/passwd'])(
  'answers %s with no page of another kind',
  async path => {
    const { status, body } = await page(path);
    if (status === 200) expect(body).toContain('<title>Greenroom</title>');
    else expect([400, 403, 404]).toContain(status);
  },
);

it('answers an unknown call with JSON', async () => {
  const { status, body } = await page('/api/unknown');
  expect({ status, body }).toEqual({ status: 404, body: { error: 'Not found', code: 'not_found' } });
});
