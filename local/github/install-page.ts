import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findAccount, type GitHub } from './context.ts';
import { forbidden, notFound, parseBody } from './errors.ts';
import { createInstallation, installableAccounts } from './installations.ts';
import { html, page } from './page.ts';

const choice = z.object({ login: z.string(), account: z.string(), state: z.string().optional() });

/** The page that installs the app on an account, on all of its repositories. */
export function installPageRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;
  const { slug, name = slug, setupUrl } = github.config.app;
  const path = `/apps/${slug}/installations/new`;
  const installedOn = (accountId: number) => state.installations.find(each => each.accountId === accountId);

  app.get<{ Querystring: { state?: string } }>(path, request => {
    const people = state.accounts.filter(each => each.type === 'User' && !each.login.endsWith('[bot]'));
    const forms = people.flatMap(person =>
      installableAccounts(github, person).map(
        account => html`<form method="post" action="${path}">
<input type="hidden" name="login" value="${person.login}"><input type="hidden" name="account" value="${account.login}">
<input type="hidden" name="state" value="${request.query.state ?? ''}">
<button class="main">${installedOn(account.id) ? 'Configure' : 'Install'} on ${account.login} as ${person.login}</button>
</form>`,
      ),
    );
    return page(`Install ${name}`, html`<p>On all repositories of the account you choose.</p>${forms}`);
  });

  app.post(path, (request, reply) => {
    const wanted = parseBody(choice, request.body, 'Installation');
    const person = findAccount(github, wanted.login);
    const account = findAccount(github, wanted.account);
    if (!person || !account) throw notFound();
    if (!installableAccounts(github, person).includes(account)) {
      throw forbidden(`${person.login} may not install apps on ${account.login}`);
    }
    const existing = installedOn(account.id);
    const installation = existing ?? createInstallation(github, account, null, person);
    if (setupUrl) {
      const url = new URL(setupUrl);
      url.searchParams.set('installation_id', String(installation.id));
      url.searchParams.set('setup_action', existing ? 'update' : 'install');
      if (wanted.state) url.searchParams.set('state', wanted.state);
      return reply.redirect(url.href, 303);
    }
    return page(
      `${name} is installed on ${account.login}`,
      html`<p>You can close this tab and go on where you came from.</p>`,
    );
  });
}
