import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { repositoryEnvironmentsQuery } from '../../api/queries/environments.ts';
import { repositoryQuery } from '../../api/queries/repositories.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { TableSkeleton } from '../../ui/data-table.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ForgetDialog } from '../repositories/forget-dialog.tsx';
import { EnvironmentTable } from './environment-table.tsx';

const route = getRouteApi('/guarded/repository/$id');

export function RepositoryScreen() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const repository = useQuery(repositoryQuery(id));
  const environments = useQuery(repositoryEnvironmentsQuery(id));
  const [forgetting, setForgetting] = useState(false);
  const name = repository.data?.full_name ?? 'Repository';
  const absent = repository.error instanceof ApiError && repository.error.status === 404;
  return (
    <>
      <PageHeader
        title={name}
        tab={name}
        breadcrumbs={<Crumbs here={name} />}
        actions={
          repository.data && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" size="lg" aria-label="Repository actions">
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item color="danger" onClick={() => setForgetting(true)}>
                  Forget
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )
        }
      />
      <Loaded
        query={repository}
        skeleton={<TableSkeleton rows={3} />}
        failure={absent ? 'Repository not found' : 'Failed to load repository details'}
      >
        {() => (
          <Loaded
            query={environments}
            skeleton={<TableSkeleton rows={3} />}
            failure="Failed to load repository details"
          >
            {list => <EnvironmentTable environments={list} />}
          </Loaded>
        )}
      </Loaded>
      <ForgetDialog
        repository={forgetting && repository.data ? repository.data : null}
        onClose={() => setForgetting(false)}
        onForgotten={() => navigate({ to: '/repositories' })}
      />
    </>
  );
}
