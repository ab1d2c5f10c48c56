import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoRepository } from '../../local/demo/repository.ts';
import { clone, gitUrl } from './clone.ts';
import { startReceiver } from './receiver.ts';
import { startTestGitHub, type TestGitHub, tokens } from './start.ts';

const shopAt = { owner: 'demo', repo: 'shop' };
let github: TestGitHub;

beforeAll(async () => {
  github = await startTestGitHub({ repositories: [demoRepository('demo')] });
});
afterAll(() => github.close());

describe('a restart', () => {
  test('keeps repositories, pull requests, comments, hooks, deliveries and tokens', async () => {
    const receiver = await startReceiver();
    const shop = await clone(gitUrl(github.url, 'demo/shop', tokens.demo));
    const sha = await shop.push('feature', { 'web/version.txt': '1.1.0\n' });
    const octokit = github.as(tokens.demo);
    const { data: pull } = await octokit.rest.pulls.create({
      ...shopAt,
      title: 'Feature',
      head: 'feature',
      base: 'main',
    });
    const { data: hook } = await octokit.rest.repos.createWebhook({
      ...shopAt,
      config: { url: receiver.url, content_type: 'json' },
      events: ['*'],
    });
    await receiver.next('ping');
    await octokit.rest.issues.createComment({ ...shopAt, issue_number: pull.number, body: 'Hello' });
    await receiver.next('issue_comment');
    const installation = await github.app().octokit.rest.apps.getRepoInstallation(shopAt);
    const at = { installation_id: installation.data.id };
    const { data: created } = await github.app().octokit.rest.apps.createInstallationAccessToken(at);

    await github.restart();
    const after = github.as(created.token);
    const { data } = await after.rest.pulls.get({ ...shopAt, pull_number: pull.number });
    expect([data.head.sha, data.comments]).toEqual([sha, 1]);
    const deliveries = await github
      .as(tokens.demo)
      .rest.repos.listWebhookDeliveries({ ...shopAt, hook_id: hook.id });
    expect(deliveries.data.map(each => each.event)).toEqual(['issue_comment', 'ping']);
    await shop.git('remote', 'set-url', 'origin', gitUrl(github.url, 'demo/shop', tokens.demo));
    await shop.push('feature', { 'web/version.txt': '1.2.0\n' });
    expect((await receiver.next('pull_request', 'synchronize')).payload.number).toBe(pull.number);
    await shop.remove();
    await receiver.close();
  });

  test('does not seed again: the demo has the one commit it was given', async () => {
    const commits = () => github.as().rest.repos.listCommits(shopAt);
    const before = (await commits()).data;
    await github.restart();
    expect((await commits()).data.map(each => each.sha)).toEqual(before.map(each => each.sha));
    expect(before).toHaveLength(1);
    const compose = await github.as().rest.repos.getContent({ ...shopAt, path: 'compose.yaml' });
    expect(compose.status).toBe(200);
  });
});
