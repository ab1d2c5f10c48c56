import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { openRepository, type RepositoryParams } from './access.ts';
import { accountOf } from './auth.ts';
import { findPull, fullName, type GitHub, pullsOf } from './context.ts';
import { ApiError, parseBody } from './errors.ts';
import { linksFor } from './links.ts';
import { emitPull } from './pull-events.ts';
import { renderLabel } from './render/pull.ts';
import type { Label, Repository } from './state.ts';

type WithNumber = { Params: RepositoryParams & { number: string } };

const added = z.object({ labels: z.array(z.string().min(1).max(50)).min(1) });

/** Labels on pull requests. A name that no pull request has yet makes a label, in GitHub's default grey. */
export function labelRoutes(app: FastifyInstance, github: GitHub): void {
  const path = '/repos/:owner/:repo/issues/:number/labels';

  app.get<WithNumber>(path, request => {
    const { repository } = openRepository(github, request, 'issues', 'read');
    const { labels } = findPull(github, repository, Number(request.params.number));
    return labels.map(each => renderLabel(each, linksFor(github, request), fullName(github, repository)));
  });

  app.post<WithNumber>(path, async request => {
    const { actor, repository } = openRepository(github, request, 'issues', 'write');
    const pull = findPull(github, repository, Number(request.params.number));
    const wanted = Array.isArray(request.body) ? { labels: request.body } : request.body;
    for (const name of parseBody(added, wanted, 'Label').labels) {
      if (pull.labels.some(each => isNamed(each, name))) continue;
      const label = existing(github, repository, name) ?? {
        id: github.store.nextId(),
        name,
        color: 'ededed',
      };
      pull.labels.push(label);
      github.store.changed();
      await emitPull(github, repository, pull, accountOf(github, actor), { action: 'labeled', label });
    }
    const links = linksFor(github, request);
    return pull.labels.map(each => renderLabel(each, links, fullName(github, repository)));
  });

  app.delete<{ Params: WithNumber['Params'] & { name: string } }>(`${path}/:name`, async request => {
    const { actor, repository } = openRepository(github, request, 'issues', 'write');
    const pull = findPull(github, repository, Number(request.params.number));
    const label = pull.labels.find(each => isNamed(each, request.params.name));
    if (!label) throw new ApiError(404, 'Label does not exist');
    pull.labels = pull.labels.filter(each => each !== label);
    github.store.changed();
    await emitPull(github, repository, pull, accountOf(github, actor), { action: 'unlabeled', label });
    const links = linksFor(github, request);
    return pull.labels.map(each => renderLabel(each, links, fullName(github, repository)));
  });
}

const isNamed = (label: Label, name: string) => label.name.toLowerCase() === name.toLowerCase();

const existing = (github: GitHub, repository: Repository, name: string): Label | undefined =>
  pullsOf(github, repository)
    .flatMap(each => each.labels)
    .find(each => isNamed(each, name));
