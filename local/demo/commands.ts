/** Where the demo repository is and who works in it. */
export interface DemoAccess {
  /** The stand-in's browser-facing base address, without a trailing slash. */
  githubUrl: string;
  /** `owner/name`. */
  repository: string;
  login: string;
  token: string;
}

/** Lines for a shell that take a newcomer from nothing to an open pull request. */
export interface DemoCommands {
  clone: string;
  /** Makes a branch with a change that the page shows, and pushes it. */
  push: string;
  openPullRequest: string;
}

/** The commands to print. The branch must be a plain name: letters, digits, `-`, `_`, `.`, `/`. */
export function demoCommands(access: DemoAccess, branch = 'new-heading'): DemoCommands {
  if (!/^[\w./-]+$/.test(branch)) throw new Error(`"${branch}" is not a plain branch name`);
  const { githubUrl, repository, login, token } = access;
  const directory = repository.split('/').at(-1);
  const pull = JSON.stringify({ title: 'A new heading', head: branch, base: 'main' });
  return {
    clone: `git clone ${authenticated(githubUrl, login, token)}/${repository}.git && cd ${directory}`,
    push: `git switch -c ${branch} && sed -i "s/Good things, close by/Hello from a branch/" web/page.js && git commit -am "A new heading" && git push origin ${branch}`,
    openPullRequest: `curl -sS -X POST ${githubUrl}/api/v3/repos/${repository}/pulls -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '${pull}'`,
  };
}

function authenticated(githubUrl: string, login: string, token: string): string {
  const url = new URL(githubUrl);
  url.username = login;
  url.password = token;
  return url.href.replace(/\/$/, '');
}
