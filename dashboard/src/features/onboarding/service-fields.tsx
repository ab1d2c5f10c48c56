import { Fieldset, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { EXPOSURES } from '#crds/vocabulary.ts';
import { composeServicesQuery } from '../../api/queries/repositories.ts';
import { Loaded } from '../../ui/states.tsx';
import { type Exposures, proposedExposures, withExposure } from './exposures.ts';

interface Props {
  repositoryId: string;
  path: string;
  value: Exposures | null;
  onChange: (exposures: Exposures) => void;
}

/** Who can reach each service of the compose file. */
export function ServiceFields({ repositoryId, path, value, onChange }: Props) {
  const query = useQuery(composeServicesQuery(repositoryId, path));
  const services = query.data?.services;
  useEffect(() => {
    if (services && !value) onChange(proposedExposures(services.map(({ name }) => name)));
  }, [services, value, onChange]);
  return (
    <Fieldset legend="Services">
      <Text size="sm" c="dimmed" mb="md">
        Internal: only the other services reach it. External: it gets a URL of its own. Primary: the
        environment's URL opens it.
      </Text>
      <Loaded
        query={query}
        skeleton={<Skeleton height={120} />}
        failure="Failed to fetch compose services from repository"
      >
        {({ services }) => (
          <Stack>
            {services.map(({ name, ports }) => (
              <Radio.Group
                key={name}
                label={name}
                description={ports.length > 0 ? `Port ${ports.join(', ')}` : 'No port'}
                value={value?.[name] ?? null}
                onChange={chosen => {
                  const exposure = EXPOSURES.find(each => each === chosen);
                  if (value && exposure) onChange(withExposure(value, name, exposure));
                }}
              >
                <Group mt="xs">
                  {EXPOSURES.map(exposure => (
                    <Radio key={exposure} value={exposure} label={exposure} color="var(--gr-primary)" />
                  ))}
                </Group>
              </Radio.Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Fieldset>
  );
}
