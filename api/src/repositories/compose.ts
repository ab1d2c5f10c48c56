import { findComposeFile, readProject } from '#compose/read.ts';
import type { Context } from '../context.ts';
import { asUser } from '../github/as-user.ts';
import { listPaths, readFile, splitName } from '../github/contents.ts';
import { HttpError } from '../http/errors.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import type { UserDoc } from '../store/users.ts';
import { type FoundService, foundServices } from './services.ts';

/** Paths of the compose files on the default branch, the likeliest first. */
export function findComposeFiles(
  context: Context,
  user: UserDoc,
  repository: RepositoryDoc,
): Promise<string[]> {
  return asUser(context, user, 'Repository', async octokit =>
    findComposeFile(await listPaths(octokit, splitName(repository.full_name), repository.default_branch)),
  );
}

/** The services of a compose file on the default branch. Throws 404 when it is not there, 422 naming the line at fault. */
export function readServices(
  context: Context,
  user: UserDoc,
  repository: RepositoryDoc,
  path: string,
): Promise<FoundService[]> {
  return asUser(context, user, 'Compose file', async octokit => {
    const name = splitName(repository.full_name);
    const read = (file: string) => readFile(octokit, name, repository.default_branch, file);
    if ((await read(path)) === undefined) throw new HttpError(404, `${path} not found`, 'not_found');
    const { project, problems } = await readProject({
      composeFile: path,
      projectName: 'preview',
      readFile: read,
    });
    if (project) return foundServices(project.services);
    const [first] = problems.filter(problem => problem.severity === 'error');
    const where = first ? `${first.file}:${first.line}: ${first.message}` : 'it cannot be read';
    throw new HttpError(422, `${path} is not a valid compose file. ${where}`, 'compose_invalid');
  });
}
