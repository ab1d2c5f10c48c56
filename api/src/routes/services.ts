import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/handler.ts';
import { findComposeFiles, readServices } from '../repositories/compose.ts';
import { changeService, withDefaults } from '../repositories/services.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import { toRepositories } from '../views.ts';

export const services: Pick<
  Handlers,
  'listComposeFiles' | 'listComposeServices' | 'setComposePath' | 'listServices' | 'updateService'
> = {
  async listComposeFiles({ context, user, repository }) {
    const paths = await findComposeFiles(context, user, repository);
    return { composeFiles: paths.map(path => ({ name: path.split('/').at(-1) ?? path, path })) };
  },

  async listComposeServices({ context, user, repository, query }) {
    return { services: await readServices(context, user, repository, query.path) };
  },

  async setComposePath({ context, user, repository, body }) {
    const found = await readServices(context, user, repository, body.path);
    const changed = await context.store.repositories
      .findOneAndUpdate(
        { _id: repository._id },
        {
          $set: {
            compose_file: body.path,
            services: withDefaults(found, repository.services),
            updated_at: new Date(),
          },
        },
        { returnDocument: 'after' },
      )
      .lean<RepositoryDoc>();
    const [answer] = changed ? await toRepositories(context.store, [changed]) : [];
    if (!answer) throw notFound('Repository');
    return answer;
  },

  listServices: async ({ repository }) => repository.services,

  async updateService({ context, repository, params, body }) {
    const name = params.serviceName;
    const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const services = changeService(repository.services, name, change);
    const service = services.find(each => each.serviceName === name);
    if (!service) throw notFound('Service');
    await context.store.repositories.updateOne(
      { _id: repository._id },
      { $set: { services, updated_at: new Date() } },
    );
    return service;
  },
};
