import { type Octokit, RequestError } from 'octokit';

export type RepositoryName = { owner: string; repo: string };

/** Owner and name of a full name such as `acme/shop`. */
export function splitName(fullName: string): RepositoryName {
  const [owner = '', repo = ''] = fullName.split('/');
  return { owner, repo };
}

/** Paths of all files at a branch. GitHub lists the first 100,000 entries. */
export async function listPaths(octokit: Octokit, name: RepositoryName, branch: string): Promise<string[]> {
  try {
    const { data } = await octokit.rest.git.getTree({ ...name, tree_sha: branch, recursive: 'true' });
    return data.tree.filter(entry => entry.type === 'blob').map(entry => entry.path);
  } catch (error) {
    // GitHub answers 409 for a repository without commits.
    if (error instanceof RequestError && error.status === 409) return [];
    throw error;
  }
}

/** Content of a file at a branch, undefined where there is none. */
export async function readFile(
  octokit: Octokit,
  name: RepositoryName,
  branch: string,
  path: string,
): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.repos.getContent({ ...name, path, ref: branch });
    if (Array.isArray(data) || data.type !== 'file') return undefined;
    return Buffer.from(data.content, 'base64').toString('utf8');
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined;
    throw error;
  }
}
