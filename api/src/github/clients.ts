import { exchangeWebFlowCode, refreshToken } from '@octokit/oauth-methods';
import { App, Octokit, RequestError } from 'octokit';
import type { Config } from '../config.ts';

const TIMEOUT_MS = 15_000;

/** What a person's sign-in gives us. The refresh token is there when the app's user tokens expire. */
export interface UserTokens {
  token: string;
  expiresAt?: Date;
  refreshToken?: string;
}

export interface GitHub {
  /** The page where a person grants access. */
  authorizeUrl(state: string, challenge: string): string;
  installUrl: string;
  exchangeCode(code: string, verifier: string): Promise<UserTokens>;
  refresh(token: string): Promise<UserTokens>;
  /** Acts as the person whose token it is. */
  asUser(token: string): Octokit;
  /** Id of the app's installation that covers a repository, undefined where it is not installed. */
  installationOf(owner: string, repo: string): Promise<number | undefined>;
  /** Acts as the app in an installation. */
  asInstallation(id: number): Promise<Octokit>;
  /** A fresh token, good for an hour, that may read the contents of this one repository. */
  repositoryToken(installation: number, repositoryId: number): Promise<string>;
}

/** Clients of the GitHub that the configuration names; they never retry by themselves, their callers do. */
export function openGitHub(config: Config): GitHub {
  const Client = Octokit.defaults({
    baseUrl: config.GITHUB_API_URL,
    userAgent: 'greenroom',
    retry: { enabled: false },
    throttle: { enabled: false },
    request: { fetch: fetchWithTimeout },
  });
  const credentials = {
    clientType: 'github-app' as const,
    clientId: config.GITHUB_CLIENT_ID,
    clientSecret: config.GITHUB_CLIENT_SECRET,
  };
  const app = new App({
    appId: config.GITHUB_APP_ID,
    privateKey: config.GITHUB_PRIVATE_KEY,
    Octokit: Client,
  });
  const callback = `${config.PUBLIC_URL}/api/auth/github/callback`;
  const anonymous = new Client().request;

  return {
    installUrl: `${config.GITHUB_URL}/apps/${config.GITHUB_APP_SLUG}/installations/new`,
    authorizeUrl(state, challenge) {
      const url = new URL(`${config.GITHUB_URL}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: config.GITHUB_CLIENT_ID,
        redirect_uri: callback,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    async exchangeCode(code, verifier) {
      // The method has no option for PKCE, so the verifier travels as a default of the request.
      const request = anonymous.defaults({ code_verifier: verifier });
      const answer = await exchangeWebFlowCode({ ...credentials, code, redirectUrl: callback, request });
      return toTokens(answer.authentication);
    },
    async refresh(token) {
      const answer = await refreshToken({ ...credentials, refreshToken: token, request: anonymous });
      return toTokens(answer.authentication);
    },
    asUser: token => new Client({ auth: token }),
    async installationOf(owner, repo) {
      try {
        return (await app.octokit.rest.apps.getRepoInstallation({ owner, repo })).data.id;
      } catch (error) {
        if (error instanceof RequestError && error.status === 404) return undefined;
        throw error;
      }
    },
    asInstallation: async id => (await app.getInstallationOctokit(id)) as Octokit,
    async repositoryToken(installationId, repositoryId) {
      const answer = await app.octokit.auth({
        type: 'installation',
        installationId,
        repositoryIds: [repositoryId],
        permissions: { contents: 'read' },
        refresh: true,
      });
      return (answer as { token: string }).token;
    },
  };
}

const fetchWithTimeout = (url: string | URL, options?: RequestInit) =>
  fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });

function toTokens(authentication: { token: string; expiresAt?: string; refreshToken?: string }): UserTokens {
  return {
    token: authentication.token,
    ...(authentication.expiresAt && { expiresAt: new Date(authentication.expiresAt) }),
    ...(authentication.refreshToken && { refreshToken: authentication.refreshToken }),
  };
}
