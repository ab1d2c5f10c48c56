import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { repositoryQuery } from '../../api/queries/repositories.ts';
import { userQuery } from '../../api/queries/user.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Loaded, PageSpinner } from '../../ui/states.tsx';
import { ConnectForm } from './connect-form.tsx';

const route = getRouteApi('/guarded/onboarding');

export function OnboardingScreen() {
  const { repository: id } = route.useSearch();
  const { data: user, refetch, isRefetching } = useQuery(userQuery);
  return (
    <Stack maw={720} mx="auto" gap={0}>
      <PageHeader
        title="Add a Repository"
        tab="Add a Repository"
        hint="Choose a repository, its compose file, and which services people can open."
      />
      {user && !user.has_github_app_access ? (
        <Alert color="info" title="Install the GitHub App first">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">
              Greenroom can only see repositories of accounts on which its GitHub App is installed. An
              organization's owner may have to approve it.
            </Text>
            <Group gap="sm">
              <Button
                component="a"
                href={user.github_app_install_url}
                target="_blank"
                rel="noreferrer"
                rightSection={<IconExternalLink size={16} aria-hidden="true" />}
              >
                Install the GitHub App
              </Button>
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} />}
                loading={isRefetching}
                onClick={() => refetch()}
              >
                Check again
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : id ? (
        <Resume key={id} id={id} />
      ) : (
        <ConnectForm resumed={null} />
      )}
    </Stack>
  );
}

/** Completes a repository that is connected but misses its compose file or its public service. */
function Resume({ id }: { id: string }) {
  const repository = useQuery(repositoryQuery(id));
  return (
    <Loaded query={repository} skeleton={<PageSpinner />} failure="Failed to load repository details">
      {found => <ConnectForm resumed={found} />}
    </Loaded>
  );
}
