import { expect, it } from 'vitest';
import { hasPrimary, proposedExposures, withExposure } from './exposures.ts';

it('makes a single service primary', () => {
  expect(proposedExposures(['worker'])).toEqual({ worker: 'Primary' });
});

it('proposes by name', () => {
  expect(proposedExposures(['db', 'api', 'web', 'app'])).toEqual({
    db: 'Internal',
    api: 'External',
    web: 'Primary',
    app: 'Internal',
  });
  expect(hasPrimary(proposedExposures(['db', 'cache']))).toBe(false);
});

it('demotes the primary before to external', () => {
  expect(withExposure({ web: 'Primary', admin: 'Internal' }, 'admin', 'Primary')).toEqual({
    web: 'External',
    admin: 'Primary',
  });
});
