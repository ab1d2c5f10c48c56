import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { keysPage, withKeys } from './document-keys.ts';

it('docs/compose.md says what the translation does (else run `node compose/src/document-keys.ts`)', async () => {
  const page = await readFile(keysPage, 'utf8');
  expect(page).toBe(withKeys(page));
});
