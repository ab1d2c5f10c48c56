import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localDir } from '../paths.ts';
import { images } from './catalogue.ts';
import { recipeHash } from './ingredients.ts';

const all = [...images.values()];

test.for(all)('$name has a Dockerfile, and a base if it asks for one', image => {
  const dockerfile = join(localDir, 'images', image.folder, 'Dockerfile');
  expect(existsSync(dockerfile)).toBe(true);
  expect(/^ARG BASE$/m.test(readFileSync(dockerfile, 'utf8'))).toBe(image.base !== undefined);
});

test('no two images claim the same tag of a repository', () => {
  const names = all.flatMap(i => i.tags.map(t => `${i.repository}:${t}`));
  expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([]);
});

test('the tags that compose files use most are there', () => {
  const names = all.flatMap(i => i.tags.map(t => `${i.repository?.replace('library/', '')}:${t}`));
  expect(names).toEqual(
    expect.arrayContaining([
      ...[
        'node:20-alpine',
        'node:22-slim',
        'node:24',
        'node:lts',
        'python:3.12-slim',
        'nginx:alpine',
        'redis:7-alpine',
      ],
      ...[
        'postgres:16-alpine',
        'postgres:17',
        'busybox:latest',
        'debian:bookworm-slim',
        'docker/dockerfile:1',
      ],
    ]),
  );
});

test("an image's hash changes with its base's", async () => {
  const redis = images.get('redis');
  if (!redis) throw new Error('no redis');
  const { base: _, ...alone } = redis;
  expect(await recipeHash(redis)).not.toBe(await recipeHash(alone));
  expect(await recipeHash({ ...redis, tags: [] })).toBe(await recipeHash(redis));
});
