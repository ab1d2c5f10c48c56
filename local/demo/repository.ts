import { fileURLToPath } from 'node:url';
import type { RepositorySeed } from '../github/config.ts';

/** The demo shop as an entry of the stand-in's `repositories`: its first start makes the first commit on main. */
export const demoRepository = (owner: string): RepositorySeed => ({
  owner,
  name: 'shop',
  description: 'A small shop to try preview environments with',
  seedFrom: fileURLToPath(new URL('shop', import.meta.url)),
});
