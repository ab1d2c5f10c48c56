import { expect, test } from 'vitest';
import { entryKey } from '../cache.ts';
import { wrapperModule } from './go.ts';
import { binaryEntry, commandName, commandsOf, recipes } from './recipes.ts';

test.for([
  ['github.com/nats-io/nats-server/v2', '.', 'nats-server'],
  ['github.com/coredns/coredns', '.', 'coredns'],
  ['helm.sh/helm/v4', 'cmd/helm', 'helm'],
] as const)('%s %s is called %s', ([module, path, name]) => expect(commandName(module, path)).toBe(name));

test('a measured duration does not change the cache key, a package does', () => {
  const key = entryKey(binaryEntry(recipes.nats));
  expect(entryKey(binaryEntry({ ...recipes.nats, seconds: 1 }))).toBe(key);
  expect(entryKey(binaryEntry({ ...recipes.nats, packages: ['other'] }))).not.toBe(key);
});

test('kubernetes is built with all that a node runs', () => {
  expect(commandsOf(recipes.kubernetes)).toContain('kubelet');
});

test("the wrapper module repeats upstream's replacements, and takes staging modules from the proxy", () => {
  const text = wrapperModule(recipes.kubernetes, {
    Go: '1.24.0',
    Replace: [
      { Old: { Path: 'k8s.io/api' }, New: { Path: './staging/src/k8s.io/api' } },
      { Old: { Path: 'a.b/c', Version: 'v1.0.0' }, New: { Path: 'd.e/f', Version: 'v2.0.0' } },
    ],
    Exclude: [{ Path: 'x.y/z', Version: 'v3.0.0' }],
  });
  expect(text).toContain('replace k8s.io/api => k8s.io/api v0.34.4\n');
  expect(text).toContain('replace a.b/c v1.0.0 => d.e/f v2.0.0\n');
  expect(text).toContain('exclude x.y/z v3.0.0\n');
});
