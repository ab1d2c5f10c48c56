import type { FastifyInstance } from 'fastify';
import type { RepositoryParams } from './access.ts';
import {
  accountById,
  findPull,
  findRepository,
  fullName,
  type GitHub,
  gitDirectory,
  pullsOf,
} from './context.ts';
import { notFound } from './errors.ts';
import { listRefs } from './git.ts';
import { type Html, html, linked, page } from './page.ts';
import type { Account, Pull, Repository } from './state.ts';

/** Pages to look at: repositories, and pull requests with their comments. */
export function pageRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;

  app.get('/', () => {
    const items = state.repositories.map(each => {
      const name = fullName(github, each);
      return html`<li><a href="/${name}">${name}</a> ${each.private ? 'Private' : 'Public'}</li>`;
    });
    return page('Repositories', html`<ul>${items}</ul>`);
  });

  app.get<{ Params: RepositoryParams }>('/:owner/:repo', async request => {
    const repository = find(github, request.params);
    const branches = await listRefs(gitDirectory(github, repository), 'refs/heads');
    const name = fullName(github, repository);
    const pulls = pullsOf(github, repository).toReversed();
    const lines = pulls.map(
      each =>
        html`<li><a href="/${name}/pull/${each.number}">#${each.number} ${each.title}</a> ${stateOf(each)}</li>`,
    );
    const refs = [...branches].map(
      ([ref, sha]) => html`<li><code>${ref.slice('refs/heads/'.length)}</code> ${sha.slice(0, 7)}</li>`,
    );
    return page(
      name,
      html`<p>${repository.description ?? ''}</p><p><code>git clone ${github.publicUrl}/${name}.git</code></p>
<h2>Pull requests</h2><ul>${lines}</ul><h2>Branches</h2><ul>${refs}</ul>`,
    );
  });

  app.get<{ Params: RepositoryParams & { number: string } }>('/:owner/:repo/pull/:number', request => {
    const repository = find(github, request.params);
    const pull = findPull(github, repository, Number(request.params.number));
    const author = accountById(github, pull.authorId);
    const comments = state.comments.filter(
      each => each.repositoryId === repository.id && each.number === pull.number,
    );
    const name = fullName(github, repository);
    return page(
      `${pull.title} #${pull.number}`,
      html`<p>${stateOf(pull)} ${author.login} wants to merge <code>${pull.headRef}</code>
(<code>${pull.headSha.slice(0, 7)}</code>) into <code>${pull.baseRef}</code> of <a href="/${name}">${name}</a></p>
${labelsOf(pull)}${pull.body ? bubble(author, pull.createdAt, pull.body) : ''}
${comments.map(each => bubble(accountById(github, each.authorId), each.updatedAt, each.body, each.id))}`,
    );
  });

  app.get<{ Params: { id: string } }>('/avatars/:id', (request, reply) => {
    const account = accountById(github, Number(request.params.id));
    reply.type('image/svg+xml');
    const letter = account.login.slice(0, 1).toUpperCase();
    const hue = (account.id * 137) % 360;
    return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40"
fill="hsl(${hue} 45% 45%)"/><text x="20" y="27" text-anchor="middle" font-family="sans-serif" font-size="20"
fill="#fff">${letter}</text></svg>`.text;
  });
}

function find(github: GitHub, { owner, repo }: RepositoryParams): Repository {
  const repository = findRepository(github, owner, repo);
  if (!repository) throw notFound();
  return repository;
}

function stateOf(pull: Pull): Html {
  const state = pull.mergedAt ? 'merged' : pull.state;
  return html`<span class="state ${state}">${state}</span>`;
}

const labelsOf = (pull: Pull): Html =>
  html`${pull.labels.map(each => html`<code class="label">${each.name}</code> `)}`;

const bubble = (author: Account, time: string, text: string, id: number | string = 'body'): Html =>
  html`<article id="issuecomment-${id}"><h2>${author.login} · ${time}</h2><pre>${linked(text)}</pre></article>`;
