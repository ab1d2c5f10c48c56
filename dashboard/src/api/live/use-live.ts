import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { deploymentsKey } from '../queries/deployments.ts';
import { environmentsKey } from '../queries/environments.ts';
import { repositoriesKey } from '../queries/repositories.ts';
import { applyLiveMessage } from './apply.ts';
import { keepLive } from './stream.ts';

const STREAMED = [environmentsKey, deploymentsKey, repositoriesKey];

/** Keeps the cache live while mounted. Returns whether the stream is lost at the moment. */
export function useLive(): boolean {
  const client = useQueryClient();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    void keepLive(
      {
        onMessage: message => applyLiveMessage(client, message),
        onOpen: () => {
          setLost(false);
          // What was read before the stream was open may have changed since.
          for (const queryKey of STREAMED) void client.invalidateQueries({ queryKey });
        },
        onLost: () => setLost(true),
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [client]);
  return lost;
}
