import { describe, expect, it } from 'vitest';
import { environmentNamespace, publicHost } from './names.ts';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const namespaceOf = (name: string, { namespace = 'greenroom', prefix = 'env-' } = {}) =>
  environmentNamespace({ metadata: { name, namespace }, spec: { prefix } });

describe('namespace of an environment', () => {
  it('begins with prefix and name', () => expect(namespaceOf('shop-1')).toMatch(/^env-shop-1-[0-9a-f]{6}$/));
  it('is always the same', () => expect(namespaceOf('shop')).toBe(namespaceOf('shop')));
  it('differs between namespaces of the environments', () =>
    expect(namespaceOf('shop', { namespace: 'a' })).not.toBe(namespaceOf('shop', { namespace: 'b' })));
  it('differs between names that are cut to the same length', () =>
    expect(namespaceOf(`${'x'.repeat(70)}1`)).not.toBe(namespaceOf(`${'x'.repeat(70)}2`)));

  it.each([
    ['dots', 'feature.login'],
    ['the longest name', 'x'.repeat(253)],
    ['a cut that falls behind a dash', `${'x'.repeat(51)}-yyyyyyyyyyyyy`],
    ['dots and dashes alternately', `a${'.-'.repeat(40)}b`],
  ])('is a DNS label with %s', (_what, name) => {
    expect(namespaceOf(name)).toMatch(LABEL);
    expect(namespaceOf(name, { prefix: 'a-prefix-of-twenty-x' })).toMatch(LABEL);
  });
});

describe('public host', () => {
  const host = (service: string, primary = false, namespace = 'env-shop-123456') =>
    publicHost(namespace, service, primary, 'preview.example');

  it('of the primary service is the environment', () =>
    expect(host('web', true)).toBe('env-shop-123456.preview.example'));
  it('of another begins with the service', () =>
    expect(host('api')).toBe('api-env-shop-123456.preview.example'));
  it('differs between long services that are cut to the same length', () =>
    expect(host(`${'x'.repeat(60)}1`)).not.toBe(host(`${'x'.repeat(60)}2`)));

  it.each([
    ['capitals', 'Api'],
    ['underscores and dots', 'my_api.v2'],
    ['an underscore at its start', '_api'],
    ['a length that needs cutting', 'service-'.repeat(7)],
    ['a cut that falls behind a dash', `${'x'.repeat(55)}-y`],
  ])('is a DNS label with %s', (_what, service) => expect(host(service).split('.')[0]).toMatch(LABEL));
});
