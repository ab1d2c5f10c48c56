import { expect, it } from 'vitest';
import type { Deployment } from '#crds/kinds.ts';
import { deployment, NOW } from '#tests/fixtures/operator-objects.ts';
import { type CommitTools, hasPublishedAll } from './commit.ts';

const entry = (seq: number) => ({ seq, type: 'deployment.created', at: NOW.toISOString(), data: {} });

it.each<[string, Deployment['status'], number, boolean]>([
  ['an object that never told anything', {}, 0, true],
  ['an event that waits', { eventSeq: 3, outbox: [entry(2), entry(3)] }, 2, false],
  ['events that are out', { eventSeq: 3, outbox: [entry(2), entry(3)] }, 3, true],
  // After a restart nothing is known of what an earlier process published and trimmed.
  ['an outbox that was emptied before a restart', { eventSeq: 3, outbox: [] }, 0, true],
])('%s', (_what, status, published, expected) => {
  const tools = { publishedUpTo: () => published } as unknown as CommitTools;
  expect(hasPublishedAll(tools, deployment({ status }))).toBe(expected);
});
