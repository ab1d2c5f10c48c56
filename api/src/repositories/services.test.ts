import { describe, expect, it } from 'vitest';
import { changeService, withDefaults } from './services.ts';

const found = (...names: string[]) => names.map(name => ({ name, ports: [80] }));
const reach = (services: ReturnType<typeof withDefaults>) =>
  Object.fromEntries(
    services.map(each => [
      each.serviceName,
      each.isPrimary ? 'Primary' : each.isPublic ? 'External' : 'Internal',
    ]),
  );

describe('defaults of services', () => {
  it('makes a single service primary', () =>
    expect(reach(withDefaults(found('db'), []))).toEqual({ db: 'Primary' }));

  it('makes api external, the first app or web primary, the rest internal', () =>
    expect(reach(withDefaults(found('cache', 'web-api', 'webshop', 'app'), []))).toEqual({
      cache: 'Internal',
      'web-api': 'External',
      webshop: 'Primary',
      app: 'Internal',
    }));

  it('keeps what was set, and makes no second primary', () => {
    const known = changeService(withDefaults(found('db', 'web'), []), 'db', { isPrimary: true });
    expect(reach(withDefaults(found('db', 'app'), known))).toEqual({ db: 'Primary', app: 'Internal' });
  });
});

it('demotes the primary service before to external', () => {
  const services = changeService(withDefaults(found('db', 'web'), []), 'db', { isPrimary: true });
  expect(reach(services)).toEqual({ db: 'Primary', web: 'External' });
});
