import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Repository } from '#contract/entities.ts';
import { ComposeFileField } from './compose-file-field.tsx';
import { type Exposures, hasPrimary } from './exposures.ts';
import { RepositoryFields } from './repository-fields.tsx';
import { ServiceFields } from './service-fields.tsx';
import { useConnect } from './use-connect.ts';

interface Choice {
  repository: Repository | null;
  path: string | null;
  /** Null until the compose file's services are known. */
  exposures: Exposures | null;
}

/** What is still missing, in the words of the specification; null when the form can be sent. */
function problemOf({ repository, path, exposures }: Choice): string | null {
  if (!repository) return 'Please select a repository before continuing';
  if (!path) return 'Please select a compose file before continuing';
  if (!exposures || !hasPrimary(exposures)) {
    return 'Please designate at least one service as External Primary before continuing';
  }
  return null;
}

/** Each choice opens the next field. `resumed` is a repository whose set-up was left half-way. */
export function ConnectForm({ resumed }: { resumed: Repository | null }) {
  const [choice, setChoice] = useState<Choice>({
    repository: resumed,
    path: resumed?.composeFilePath ?? null,
    exposures: null,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const connect = useConnect();
  const change = (next: Partial<Choice>) => {
    setProblem(null);
    setChoice(current => ({ ...current, ...next }));
  };
  const { repository, path, exposures } = choice;

  const submit = () => {
    setProblem(problemOf(choice));
    if (repository && path && exposures && hasPrimary(exposures))
      connect.mutate({ repository, path, exposures });
  };
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="lg">
        {resumed ? (
          <Text>
            Repository: <strong>{resumed.full_name}</strong>
          </Text>
        ) : (
          <RepositoryFields
            onChosen={chosen => change({ repository: chosen, path: null, exposures: null })}
          />
        )}
        {repository && (
          <ComposeFileField
            key={repository.id}
            repositoryId={repository.id}
            value={path}
            onChange={chosen => change({ path: chosen, exposures: null })}
          />
        )}
        {repository && path && (
          <ServiceFields
            key={`${repository.id} ${path}`}
            repositoryId={repository.id}
            path={path}
            value={exposures}
            onChange={chosen => change({ exposures: chosen })}
          />
        )}
        {problem && (
          <Alert color="warning" role="alert">
            {problem}
          </Alert>
        )}
        {connect.isError && (
          <Alert color="danger" role="alert" title="The repository could not be connected">
            {connect.error.message}
          </Alert>
        )}
        <Button type="submit" loading={connect.isPending} style={{ alignSelf: 'flex-start' }}>
          Connect repository
        </Button>
      </Stack>
    </form>
  );
}
