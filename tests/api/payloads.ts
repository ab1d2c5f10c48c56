import examples from '@octokit/webhooks-examples' with { type: 'json' };

interface Changes {
  title?: string;
  sha?: string;
  state?: 'open' | 'closed';
  /** Seconds after the first state of the pull request. */
  second?: number;
  headRepository?: { id: number } | null;
}

const example = () => {
  const found = (examples as unknown as { name: string; examples: Record<string, unknown>[] }[])
    .find(each => each.name === 'pull_request')
    ?.examples.find(each => each.action === 'opened');
  // biome-ignore lint/suspicious/noExplicitAny: GitHub's own example, changed below
  return structuredClone(found) as any;
};

/** GitHub's published example of a pull_request delivery, about a repository of ours. */
export function pullRequestPayload(
  action: string,
  { id, full_name, number }: { id: number; full_name: string; number: number },
  changes: Changes = {},
) {
  const payload = example();
  const time = new Date(Date.parse('2026-01-01T00:00:00Z') + (changes.second ?? 0) * 1000);
  Object.assign(payload, { action, number });
  Object.assign(payload.repository, { id, full_name, private: false });
  Object.assign(payload.pull_request, {
    number,
    title: changes.title ?? 'A change',
    state: changes.state ?? 'open',
    updated_at: time.toISOString().replace('.000Z', 'Z'),
  });
  payload.pull_request.user.login = 'demo';
  Object.assign(payload.pull_request.head, {
    ref: 'change',
    sha: changes.sha ?? 'a'.repeat(40),
    repo: changes.headRepository === undefined ? { id } : changes.headRepository,
  });
  return payload;
}
