import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import { API_GROUP_VERSION, LABELS } from '#crds/vocabulary.ts';
import { Builds } from './build/builds.ts';
import { Registry } from './build/registry.ts';
import type { Config } from './config.ts';
import { ClusterView } from './deployment/cluster-view.ts';
import { Plans } from './deployment/plans.ts';
import { DeploymentReconciler } from './deployment/reconcile.ts';
import { isInFlight } from './environment/decide.ts';
import { EnvironmentReconciler } from './environment/reconcile.ts';
import { Teardown } from './environment/teardown.ts';
import { Applier } from './kube/apply.ts';
import { KubeClient } from './kube/client.ts';
import { Informer } from './kube/informer.ts';
import { EventRecorder } from './kube/recorder.ts';
import { Publisher } from './outbox/publisher.ts';
import { Controller } from './runtime/controller.ts';
import { readToken } from './source/token.ts';

export interface Operator {
  /** Ends the reconciles under way and lets go of the cluster. */
  stop(): Promise<void>;
}

/** Wires the operator and starts it; resolves when its caches are filled and it works. */
export async function startOperator(config: Config, kubeConfig: KubeConfig, log: Logger): Promise<Operator> {
  const client = new KubeClient(kubeConfig);
  const publisher = config.NATS_URL
    ? new Publisher({ servers: config.NATS_URL, ...(config.natsToken && { token: config.natsToken }) }, log)
    : undefined;
  if (!publisher) log.warn('NATS_URL is not set: no events are published');

  /** Publishes what an object has to tell; of one that is gone there is nothing left to remember. */
  const tell = <T extends PreviewEnvironment | Deployment>(informer: Informer<T>, object: T) => {
    const { namespace, name, uid } = object.metadata;
    if (informer.get(namespace, name)) publisher?.offer(object);
    else publisher?.forget(uid);
  };
  const environments = new Informer<PreviewEnvironment>(
    client,
    {
      kind: { apiVersion: API_GROUP_VERSION, kind: 'PreviewEnvironment' },
      onChange: object => {
        environmentController.enqueue(object.metadata.namespace ?? '', object.metadata.name);
        tell(environments, object as PreviewEnvironment);
      },
    },
    log,
  );
  const deployments = new Informer<Deployment>(
    client,
    {
      kind: { apiVersion: API_GROUP_VERSION, kind: 'Deployment' },
      onChange: object => {
        const deployment = object as Deployment;
        environmentController.enqueue(deployment.metadata.namespace, deployment.spec.environment);
        wakeDeployments(deployment.metadata.namespace, deployment.spec.environment);
        tell(deployments, deployment);
      },
    },
    log,
  );
  const cluster = new ClusterView(client, log, object => {
    const { [LABELS.environment]: name, [LABELS.environmentNamespace]: namespace } =
      object.metadata.labels ?? {};
    if (!name || !namespace) return;
    if (object.kind === 'Namespace') environmentController.enqueue(namespace, name);
    wakeDeployments(namespace, name, isInFlight);
  });
  const wakeDeployments = (
    namespace: string,
    environment: string,
    which: (one: Deployment) => boolean = () => true,
  ) => {
    for (const deployment of deployments.list(namespace)) {
      if (deployment.spec.environment === environment && which(deployment)) {
        deploymentController.enqueue(namespace, deployment.metadata.name);
      }
    }
  };

  const applier = new Applier(client);
  const registry = new Registry(
    config.REGISTRY_URL ?? `${config.REGISTRY_INSECURE ? 'http' : 'https'}://${config.REGISTRY}`,
  );
  const builds = new Builds(client, {
    namespace: config.BUILD_NAMESPACE,
    image: config.BUILDER_IMAGE,
    mode: config.BUILDER_MODE,
    registry: config.REGISTRY,
    registryInsecure: config.REGISTRY_INSECURE,
    ...(config.REGISTRY_MIRROR && { mirror: config.REGISTRY_MIRROR }),
    timeoutSeconds: config.BUILD_TIMEOUT_MINUTES * 60,
  });
  const commitTools = {
    client,
    recorder: new EventRecorder(client, log),
    publishedUpTo: (uid: string) => publisher?.publishedUpTo(uid) ?? Number.POSITIVE_INFINITY,
  };
  const teardown = new Teardown({
    client,
    applier,
    registry,
    namespaces: cluster.namespaces,
    deployments,
    log,
  });
  const environmentReconciler = new EnvironmentReconciler({
    client,
    environments,
    deployments,
    commitTools,
    teardown,
    readToken,
  });
  const deploymentReconciler = new DeploymentReconciler({
    client,
    environments,
    deployments,
    cluster,
    applier,
    builds,
    registry,
    plans: new Plans(client),
    commitTools,
    planSettings: {
      registry: config.REGISTRY,
      domain: config.PREVIEW_DOMAIN,
      scheme: config.PREVIEW_SCHEME,
      ...(config.PREVIEW_PORT && { port: config.PREVIEW_PORT }),
      ...(config.INGRESS_CLASS && { ingressClassName: config.INGRESS_CLASS }),
    },
    ingressNamespace: config.INGRESS_NAMESPACE,
    ...(config.INGRESS_URL && { ingressUrl: config.INGRESS_URL }),
    maxParallelBuilds: config.MAX_PARALLEL_BUILDS,
  });
  const environmentController = new Controller('environment', environmentReconciler.reconcile, log);
  const deploymentController = new Controller('deployment', deploymentReconciler.reconcile, log);

  await Promise.all([environments.start(), deployments.start(), cluster.start(), builds.prepare()]);
  environmentController.start(config.WORKERS);
  deploymentController.start(config.WORKERS);
  log.info(
    { environments: environments.list().length, deployments: deployments.list().length },
    'operator started',
  );
  return {
    stop: async () => {
      await Promise.all([environmentController.stop(), deploymentController.stop()]);
      environments.stop();
      deployments.stop();
      cluster.stop();
      await publisher?.stop();
    },
  };
}
