import { describe, expect, it } from 'vitest';
import type { Build } from '#compose/translation.ts';
import { buildIdentity, dockerfileInContext, imageRepository } from './identity.ts';

const build: Build = {
  service: 'web',
  context: 'web',
  dockerfile: 'web/Dockerfile',
  args: { A: '1', B: '2' },
};
const tree = 'a'.repeat(40);
const same = (other: Partial<Build>, otherTree = tree) =>
  buildIdentity({ ...build, ...other }, otherTree) === buildIdentity(build, tree);

describe('identity of an image', () => {
  it('is a valid tag', () => expect(buildIdentity(build, tree)).toMatch(/^[0-9a-f]{40}$/));

  it.each<[string, Partial<Build>]>([
    ['the order of arguments', { args: { B: '2', A: '1' } }],
    ['the name of the service', { service: 'other' }],
  ])('does not depend on %s', (_what, other) => expect(same(other)).toBe(true));

  it.each<[string, Partial<Build>]>([
    ['the Dockerfile', { dockerfile: 'web/other.Dockerfile' }],
    ['an inline Dockerfile', { dockerfileInline: 'FROM x' }],
    ['the target', { target: 'prod' }],
    ['the value of an argument', { args: { A: '1', B: '3' } }],
    ['which argument has which value', { args: { A: '2', B: '1' } }],
    ['an argument more', { args: { A: '1', B: '2', C: '' } }],
  ])('depends on %s', (_what, other) => expect(same(other)).toBe(false));

  it('depends on the content of the context', () => expect(same({}, 'b'.repeat(40))).toBe(false));
});

describe('repository in the registry', () => {
  const REPOSITORY = /^[a-z0-9]+([._-][a-z0-9]+)*(\/[a-z0-9]+([._-][a-z0-9]+)*)*$/;

  it.each([
    ['https://github.com/Demo/Shop.git', 'web', 'reg:5000/demo/shop/web'],
    ['https://github.com/demo/shop', 'Web_App', 'reg:5000/demo/shop/web-app'],
    ['https://git.example/a/b/c..d/', '_x_', 'reg:5000/a/b/c-d/x'],
  ])('%s, %s', (url, service, expected) => {
    const repository = imageRepository('reg:5000', url, service);
    expect(repository).toBe(expected);
    expect(repository.replace('reg:5000/', '')).toMatch(REPOSITORY);
  });
});

describe('Dockerfile as the build sees it', () => {
  it.each([
    ['.', 'Dockerfile', 'Dockerfile'],
    ['web', 'web/Dockerfile', 'Dockerfile'],
    ['./web/', 'web/docker/prod.Dockerfile', 'docker/prod.Dockerfile'],
    ['web', 'website/Dockerfile', 'website/Dockerfile'],
  ])('context %s, %s', (context, dockerfile, expected) =>
    expect(dockerfileInContext({ ...build, context, dockerfile })).toBe(expected),
  );
});
