import type { Exposure } from '#crds/vocabulary.ts';

/** Exposure of each compose service by name. */
export type Exposures = Readonly<Record<string, Exposure>>;

/**
 * What the form proposes: a single service is Primary; otherwise names with 'api' are External, the first name with 'app' or
 * 'web' is Primary, and the rest Internal.
 */
export function proposedExposures(names: readonly string[]): Exposures {
  if (names.length === 1) return Object.fromEntries(names.map(name => [name, 'Primary']));
  const isApi = (name: string) => /api/i.test(name);
  const primary = names.find(name => !isApi(name) && /app|web/i.test(name));
  return Object.fromEntries(
    names.map(name => [name, isApi(name) ? 'External' : name === primary ? 'Primary' : 'Internal']),
  );
}

/** The choice with one service changed. A new Primary demotes the one before it to External. */
export function withExposure(exposures: Exposures, name: string, exposure: Exposure): Exposures {
  const demoted = Object.entries(exposures).map(([other, value]) => [
    other,
    exposure === 'Primary' && value === 'Primary' ? 'External' : value,
  ]);
  return { ...Object.fromEntries(demoted), [name]: exposure };
}

export const hasPrimary = (exposures: Exposures): boolean => Object.values(exposures).includes('Primary');
