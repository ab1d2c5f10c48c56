import type { FastifyRequest } from 'fastify';
import { verifyAppToken } from './app-token.ts';
import { accountById, botLogin, findAccount, type GitHub } from './context.ts';
import { badCredentials, forbidden, requiresAuthentication } from './errors.ts';
import { hashOf } from './secrets.ts';
import type { Account, Installation, Permissions } from './state.ts';

/** Who makes a call. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'app' }
  | { kind: 'user'; account: Account; throughApp: boolean }
  | {
      kind: 'installation';
      installation: Installation;
      repositoryIds: number[] | null;
      permissions: Permissions;
    };

/** Reads `Authorization` (token, bearer or basic, in any case). Throws 401 for credentials nobody has. */
export function authenticate(github: GitHub, request: FastifyRequest): Actor {
  const header = request.headers.authorization;
  if (!header) return { kind: 'anonymous' };
  const [scheme = '', value = ''] = header.trim().split(/\s+/, 2);
  switch (scheme.toLowerCase()) {
    case 'basic':
      return actorOf(github, passwordOf(value));
    case 'bearer':
    case 'token':
      if (value.split('.').length !== 3) return actorOf(github, value);
      verifyAppToken(github, value);
      return { kind: 'app' };
    default:
      throw badCredentials();
  }
}

/** A token may be the password or, as BuildKit and old scripts send it, the user name with no password. */
function passwordOf(encoded: string): string {
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return password.join(':') || user;
}

function actorOf(github: GitHub, secret: string): Actor {
  const { state } = github.store;
  const hash = hashOf(secret);
  const token = state.tokens.find(each => each.hash === hash);
  if (!token || (token.expiresAt && Date.parse(token.expiresAt) <= Date.now())) throw badCredentials();
  if (token.kind !== 'installation') {
    const account = accountById(github, token.subjectId);
    return { kind: 'user', account, throughApp: token.kind === 'app-user' };
  }
  const installation = state.installations.find(each => each.id === token.subjectId);
  if (!installation) throw badCredentials();
  return {
    kind: 'installation',
    installation,
    repositoryIds: token.repositoryIds ?? installation.repositoryIds,
    permissions: token.permissions ?? github.config.app.permissions,
  };
}

/** The account that an actor's comments and pushes are by; the app's bot for an installation. */
export function accountOf(github: GitHub, actor: Actor): Account {
  if (actor.kind === 'user') return actor.account;
  if (actor.kind === 'anonymous') throw requiresAuthentication();
  const bot = findAccount(github, botLogin(github));
  if (!bot) throw new Error('the app has no bot account; seeding makes it');
  return bot;
}

/** The signed-in person. Throws 401 without one, 403 for an app's own token. */
export function requireUser(github: GitHub, request: FastifyRequest): Account {
  const actor = authenticate(github, request);
  if (actor.kind === 'user') return actor.account;
  throw actor.kind === 'anonymous'
    ? requiresAuthentication()
    : forbidden('Resource not accessible by integration');
}
