import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clone, clone, gitUrl } from './clone.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { faultsOfAnswer, faultsOfWebhook } from './schemas.ts';
import { startTestGitHub, type TestGitHub, tokens } from './start.ts';

const shopAt = { owner: 'demo', repo: 'shop' };
const secret = 'hook-secret';
const none = '0'.repeat(40);
let github: TestGitHub;
let receiver: Receiver;
let shop: Clone;

beforeAll(async () => {
  github = await startTestGitHub();
  receiver = await startReceiver();
  shop = await clone(gitUrl(github.url, 'demo/shop', tokens.demo));
  await shop.push('main', { 'a.txt': 'one\n' });
  await github.as(tokens.demo).rest.repos.createWebhook({
    ...shopAt,
    events: ['push', 'pull_request', 'issue_comment'],
    config: { url: receiver.url, secret, content_type: 'json' },
  });
  await receiver.next('ping');
});
afterAll(async () => {
  await shop.remove();
  await receiver.close();
  await github.close();
});

/** Pushes a branch with one commit and opens its pull request. */
async function open(branch: string) {
  const sha = await shop.push(branch, { [`${branch}.txt`]: 'x\n' });
  const push = await receiver.next('push');
  const { data } = await github
    .as(tokens.demo)
    .rest.pulls.create({ ...shopAt, title: `Try ${branch}`, head: branch, base: 'main', body: 'Why not' });
  return { sha, push, pull: data, opened: await receiver.next('pull_request', 'opened') };
}

describe('pull requests', () => {
  test('a push and an opened pull request are told as GitHub tells them', async () => {
    const { sha, push, pull, opened } = await open('feature');
    expect(push.payload).toMatchObject({
      ref: 'refs/heads/feature',
      before: none,
      after: sha,
      created: true,
    });
    expect(push.payload.commits).toMatchObject([{ id: sha, added: ['feature.txt'], modified: [] }]);
    expect(faultsOfWebhook('push', push.payload)).toEqual([]);
    expect(pull).toMatchObject({
      state: 'open',
      head: { ref: 'feature', sha },
      changed_files: 1,
      additions: 1,
    });
    expect(opened.payload.pull_request.head.sha).toBe(sha);
    expect(faultsOfWebhook('pull-request-opened', opened.payload)).toEqual([]);
    expect(await verify(secret, opened.body, opened.signature)).toBe(true);
    expect(opened.userAgent).toMatch(/^GitHub-Hookshot\//);
    expect(await shop.git('ls-remote', 'origin', `refs/pull/${pull.number}/head`)).toContain(sha);
  });

  test('a push to its branch moves it, with before and after, by the time the push returns', async () => {
    const { sha, pull } = await open('moving');
    const after = await shop.push('moving', { 'moving.txt': 'y\n' });
    const { data } = await github.as().rest.pulls.get({ ...shopAt, pull_number: pull.number });
    expect(data.head.sha).toBe(after);
    const { payload } = await receiver.next('pull_request', 'synchronize');
    expect(payload).toMatchObject({ before: sha, after, pull_request: { head: { sha: after } } });
    expect(faultsOfWebhook('pull-request-synchronize', payload)).toEqual([]);
    expect(await shop.git('ls-remote', 'origin', `refs/pull/${pull.number}/head`)).toContain(after);
    expect((await receiver.next('push')).payload.forced).toBe(false);
    await shop.git('commit', '--quiet', '--amend', '-m', 'Rewritten');
    await shop.git('push', '--quiet', '--force', 'origin', 'moving');
    expect((await receiver.next('push')).payload.forced).toBe(true);
    await receiver.next('pull_request', 'synchronize');
  });

  test('close, reopen, edit and label each send their event', async () => {
    const { pull } = await open('edited');
    const octokit = github.as(tokens.demo);
    const at = { ...shopAt, pull_number: pull.number };
    await octokit.rest.pulls.update({ ...at, title: 'Another title' });
    const edited = await receiver.next('pull_request', 'edited');
    expect(edited.payload).toMatchObject({ changes: { title: { from: 'Try edited' } } });
    await octokit.rest.pulls.update({ ...at, state: 'closed' });
    const closed = await receiver.next('pull_request', 'closed');
    expect(closed.payload.pull_request).toMatchObject({ state: 'closed', merged: false });
    await octokit.rest.pulls.update({ ...at, state: 'open' });
    const reopened = await receiver.next('pull_request', 'reopened');
    const issue = { ...shopAt, issue_number: pull.number };
    const labels = await octokit.rest.issues.addLabels({ ...issue, labels: ['preview'] });
    const labeled = await receiver.next('pull_request', 'labeled');
    expect(labeled.payload).toMatchObject({ label: { name: 'preview' } });
    await octokit.rest.issues.removeLabel({ ...issue, name: 'preview' });
    const unlabeled = await receiver.next('pull_request', 'unlabeled');
    const list = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels';
    expect(faultsOfAnswer(list, 200, labels.data)).toEqual([]);
    for (const { payload } of [edited, closed, reopened, labeled, unlabeled]) {
      const { action } = payload;
      expect(faultsOfWebhook(`pull-request-${action}`, payload), action).toEqual([]);
    }
  });

  test('merging puts a merge commit on the base and closes as merged', async () => {
    const { pull } = await open('merged');
    const at = { ...shopAt, pull_number: pull.number };
    const { data } = await github.as(tokens.demo).rest.pulls.merge(at);
    expect(data.merged).toBe(true);
    const closed = await receiver.next('pull_request', 'closed');
    expect(closed.payload.pull_request).toMatchObject({ merged: true, merge_commit_sha: data.sha });
    expect((await receiver.next('push')).payload).toMatchObject({ ref: 'refs/heads/main', after: data.sha });
    await expect(github.as(tokens.demo).rest.pulls.merge(at)).rejects.toMatchObject({ status: 405 });
  });

  test('deleting its branch closes it', async () => {
    const { pull } = await open('deleted');
    await shop.git('push', '--quiet', 'origin', '--delete', 'deleted');
    const push = await receiver.next('push');
    expect(push.payload).toMatchObject({ deleted: true, after: none, head_commit: null });
    expect(faultsOfWebhook('push', push.payload)).toEqual([]);
    expect((await receiver.next('pull_request', 'closed')).payload.number).toBe(pull.number);
  });

  test('comments are written, edited and deleted, each with its event', async () => {
    const { pull } = await open('talk');
    const octokit = github.as(tokens.demo);
    const created = await octokit.rest.issues.createComment({
      ...shopAt,
      issue_number: pull.number,
      body: '/preview <b>https://example.org/x</b>',
    });
    const event = await receiver.next('issue_comment', 'created');
    expect(faultsOfWebhook('issue-comment-created', event.payload)).toEqual([]);
    expect(event.payload).toMatchObject({
      issue: { number: pull.number, pull_request: { url: pull.url } },
      comment: { author_association: 'OWNER' },
    });
    const page = await (await fetch(pull.html_url)).text();
    expect(page).toContain('&lt;b&gt;<a href="https://example.org/x">');
    const at = { ...shopAt, comment_id: created.data.id };
    const edited = await octokit.rest.issues.updateComment({ ...at, body: 'Running' });
    expect(edited.data).toMatchObject({ id: created.data.id, body: 'Running' });
    const { payload } = await receiver.next('issue_comment', 'edited');
    expect(faultsOfWebhook('issue-comment-edited', payload)).toEqual([]);
    const others = github.as(tokens.mallory).rest.issues.updateComment({ ...at, body: 'Evil' });
    await expect(others).rejects.toMatchObject({ status: 403 });
    await octokit.rest.issues.deleteComment(at);
    const deleted = await receiver.next('issue_comment', 'deleted');
    expect(faultsOfWebhook('issue-comment-deleted', deleted.payload)).toEqual([]);
    await expect(octokit.rest.issues.getComment(at)).rejects.toMatchObject({ status: 404 });
  });

  test('a second one for the same branch, and one without commits, are refused in GitHub’s words', async () => {
    await open('twice');
    const create = (head: string) =>
      github.as(tokens.demo).rest.pulls.create({ ...shopAt, title: 'Again', head, base: 'main' });
    const errorOf = (message: string) => ({
      status: 422,
      response: { data: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', message }] } },
    });
    await expect(create('twice')).rejects.toMatchObject(
      errorOf('A pull request already exists for demo:twice.'),
    );
    await expect(create('main')).rejects.toMatchObject(errorOf('No commits between main and main'));
    await expect(create('nowhere')).rejects.toMatchObject({
      response: { data: { errors: [{ field: 'head', code: 'invalid' }] } },
    });
  });

  test('lists filter and page with links that Octokit follows', async () => {
    const octokit = github.as(tokens.demo);
    await open('page-1');
    await open('page-2');
    const all = await octokit.paginate(octokit.rest.pulls.list, { ...shopAt, state: 'all', per_page: 1 });
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(new Set(all.map(each => each.number)).size).toBe(all.length);
    const one = await octokit.rest.pulls.list({ ...shopAt, head: 'demo:page-1', base: 'main' });
    expect(one.data.map(each => each.head.ref)).toEqual(['page-1']);
    expect(faultsOfAnswer('GET /repos/{owner}/{repo}/pulls', 200, one.data)).toEqual([]);
    const [pull] = one.data;
    const full = await octokit.rest.pulls.get({ ...shopAt, pull_number: pull?.number ?? 0 });
    expect(faultsOfAnswer('GET /repos/{owner}/{repo}/pulls/{pull_number}', 200, full.data)).toEqual([]);
    const files = await octokit.rest.pulls.listFiles({ ...shopAt, pull_number: full.data.number });
    expect(files.data).toMatchObject([{ filename: 'page-1.txt', status: 'added' }]);
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files';
    expect(faultsOfAnswer(route, 200, files.data)).toEqual([]);
  });
});
