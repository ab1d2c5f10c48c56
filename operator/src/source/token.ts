import { type KubeClient, KubeError } from '../kube/client.ts';
import type { KubeObject } from '../kube/resources.ts';

/**
 * The repository token in a Secret's key `token`; undefined where the source names no Secret.
 * @throws Error that says which Secret is missing, unreadable or without that key
 */
export async function readToken(
  client: KubeClient,
  namespace: string,
  name: string | undefined,
): Promise<string | undefined> {
  if (!name) return undefined;
  const secret = await client
    .get<KubeObject & { data?: Record<string, string> }>(
      { apiVersion: 'v1', kind: 'Secret' },
      namespace,
      name,
    )
    .catch(error => {
      if (error instanceof KubeError && error.status === 403) {
        throw new Error(
          `Greenroom may not read Secrets in namespace ${namespace}: add it to operator.secretNamespaces`,
        );
      }
      throw error;
    });
  const token = secret?.data?.token;
  if (!token)
    throw new Error(`Secret ${namespace}/${name} ${secret ? 'has no key token' : 'does not exist'}`);
  return Buffer.from(token, 'base64').toString('utf8').trim();
}
