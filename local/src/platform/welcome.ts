import { demoCommands } from '../../demo/commands.ts';
import type { Status } from './status.ts';

/** What a newcomer reads when all is ready: where to look, how to sign in, how to open a pull request, how to stop. */
export function welcome({ dashboard, github, users, repositories, kubeconfig, kubectl }: Status): string {
  const [user] = users;
  const [repository] = repositories;
  if (!dashboard || !github || !user || !repository) return 'Greenroom is running.';
  const demo = demoCommands({
    githubUrl: github.url,
    repository: repository.name,
    login: user.login,
    token: user.token,
  });
  return `
Greenroom is ready.

  Dashboard   ${dashboard.url}
  Sign in     "Continue with GitHub", then choose ${user.login} (no password; ${users
    .filter(({ admin }) => admin)
    .map(({ login }) => login)
    .join(', ')} is an administrator)
  Repository  ${repository.url}: connect it in the dashboard first ("Add Repository")

Open a pull request:

  ${demo.clone}
  ${demo.push}
  ${demo.openPullRequest}

Or with kubectl alone:

  export KUBECONFIG=${kubeconfig}
  ${example(repository.clusterCloneUrl)} | ${kubectl} apply -f - && ${kubectl} get penv --watch

npm run status shows health and addresses; npm stop stops everything that was started; npm run reset removes its data too.
`;
}

/** The command that prints the example for this platform's repository: the stand-in's port differs where 3300 was taken. */
function example(cloneUrl: string): string {
  const file = 'docs/examples/preview-environment.yaml';
  return cloneUrl.startsWith('http://host.internal:3300/')
    ? `cat ${file}`
    : `sed 's,url: .*,url: ${cloneUrl},' ${file}`;
}
