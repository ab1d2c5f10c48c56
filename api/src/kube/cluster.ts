import {
  ApiException,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  PatchStrategy,
} from '@kubernetes/client-node';
import { API_GROUP_VERSION } from '#crds/vocabulary.ts';

const FIELD_MANAGER = 'greenroom-api';

/** All that the API may do to the cluster: its environments, their tokens, and the cancel flag of deployments. */
export interface Cluster {
  /** Server-side-applies an object and answers with what is stored. */
  apply<T extends KubernetesObject>(
    object: T,
  ): Promise<T & { metadata: { uid?: string; deletionTimestamp?: string } }>;
  deleteEnvironment(namespace: string, name: string): Promise<void>;
  deleteSecret(namespace: string, name: string): Promise<void>;
  /** False when there is no such Deployment any more. */
  cancelDeployment(namespace: string, name: string): Promise<boolean>;
}

/** The cluster of a kubeconfig file, or the one that this pod runs in. */
export function openCluster(kubeconfig: string | undefined): Cluster {
  const config = new KubeConfig();
  if (kubeconfig) config.loadFromFile(kubeconfig);
  else config.loadFromCluster();
  const objects = KubernetesObjectApi.makeApiClient(config);

  const remove = async (apiVersion: string, kind: string, namespace: string, name: string) => {
    await objects.delete({ apiVersion, kind, metadata: { namespace, name } }).catch(unlessMissing);
  };
  return {
    apply: object =>
      objects.patch(
        object,
        undefined,
        undefined,
        FIELD_MANAGER,
        true,
        PatchStrategy.ServerSideApply,
      ) as never,
    deleteEnvironment: (namespace, name) => remove(API_GROUP_VERSION, 'PreviewEnvironment', namespace, name),
    deleteSecret: (namespace, name) => remove('v1', 'Secret', namespace, name),
    async cancelDeployment(namespace, name) {
      const patch = {
        apiVersion: API_GROUP_VERSION,
        kind: 'Deployment',
        metadata: { namespace, name },
        spec: { cancel: true },
      };
      const answer = await objects
        .patch(patch, undefined, undefined, FIELD_MANAGER, undefined, PatchStrategy.MergePatch)
        .catch(unlessMissing);
      return answer !== undefined;
    },
  };
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof ApiException && error.code === 404) return undefined;
  throw error;
}
