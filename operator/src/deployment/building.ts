import type { V1Job } from '@kubernetes/client-node';
import { LABELS } from '#crds/vocabulary.ts';
import type { KubeObject, Wire } from '../kube/resources.ts';
import { failedBefore, hasFailed, isComplete } from './job-state.ts';
import { type Outcome, outcome, type Pod, type Snapshot } from './phase.ts';
import type { StepChange } from './steps.ts';

/** Building: an image per built service, unless the registry holds it already. */
export function building(snapshot: Snapshot): Outcome {
  const { plan, presentImages, buildJobs, buildsUnderWay, buildLimit } = snapshot;
  const steps: StepChange[] = [];
  const wanted = [];
  const gone: KubeObject[] = [];
  let free = buildLimit - buildsUnderWay;
  for (const build of plan.builds) {
    const step = { phase: 'Building', name: build.service } as const;
    const job = buildJobs.get(build.image);
    if (presentImages.has(build.image)) {
      const known = snapshot.deployment.status?.steps?.some(
        ({ phase, name, status }) => phase === 'Building' && name === build.service && status !== 'pending',
      );
      const cached = { reason: 'Cached', message: 'cached: unchanged since it was built' } as const;
      steps.push({ ...step, status: 'completed', ...(!known && cached) });
    } else if (job && failedBefore(job, snapshot.deployment)) {
      // Another deployment's failure: this one was asked for in spite of it, perhaps with more memory.
      gone.push(job);
      steps.push({ ...step, status: 'running' });
    } else if (job && hasFailed(job)) {
      const failure = buildFailure(build.service, job, podOf(job, snapshot.buildPods));
      steps.push({ ...step, status: 'failed', reason: failure.reason, message: failure.message });
      return outcome('failed', { steps, failure });
    } else if (job && isComplete(job)) {
      // It pushed the image, and somebody removed it from the registry since.
      gone.push(job);
      steps.push({ ...step, status: 'running' });
    } else if (job) steps.push({ ...step, status: 'running' });
    else if (free > 0) {
      free--;
      wanted.push(requestFor(build, snapshot));
      steps.push({ ...step, status: 'running' });
    } else
      steps.push({ ...step, status: 'pending', message: `waiting: ${buildsUnderWay} builds are under way` });
  }
  const done = steps.every(({ status }) => status === 'completed');
  // A finished job's image shows up in the registry, which sends no event; nor does a free place in the queue.
  return done
    ? outcome('completed', { steps })
    : outcome('waiting', { steps, build: wanted, remove: gone, recheckMs: 2_000 });
}

function requestFor(build: Snapshot['plan']['builds'][number], { deployment }: Snapshot) {
  const { spec, metadata } = deployment;
  const settings = spec.services.find(({ name }) => name === build.service);
  return {
    build,
    image: build.image,
    source: { url: spec.source.url, commit: spec.source.commit ?? '' },
    limits: {
      cpu: settings?.buildCpu ?? spec.buildLimits.cpu,
      memory: settings?.buildMemory ?? spec.buildLimits.memory,
    },
    private: spec.source.secretRef !== undefined,
    labels: {
      [LABELS.environment]: spec.environment.slice(0, 63),
      [LABELS.environmentNamespace]: metadata.namespace,
      [LABELS.deployment]: metadata.name.slice(0, 63),
      [LABELS.service]: build.service.slice(0, 63),
    },
  };
}

function podOf(job: KubeObject, pods: readonly Pod[]): Pod | undefined {
  return pods.find(({ metadata }) => metadata.labels?.['job-name'] === job.metadata.name);
}

function buildFailure(
  service: string,
  job: Wire<V1Job>,
  pod: Pod | undefined,
): NonNullable<Outcome['failure']> {
  const condition = job.status?.conditions?.find(({ type }) => type === 'Failed');
  const terminated = pod?.status?.containerStatuses?.[0]?.state?.terminated;
  const logs = pod && { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name, previous: false };
  if (condition?.reason === 'DeadlineExceeded') {
    const minutes = Math.round((job.spec?.activeDeadlineSeconds ?? 0) / 60);
    return {
      reason: 'BuildTimedOut',
      message: `The build of ${service} took longer than ${minutes} minutes`,
    };
  }
  if (terminated?.reason === 'OOMKilled') {
    const limit = pod?.spec?.containers[0]?.resources?.limits?.memory;
    const message = `The build of ${service} ran out of memory (limit ${limit}): raise its build memory`;
    return { reason: 'BuildFailed', message, ...(logs && { logs }) };
  }
  const message = `The build of ${service} failed${terminated ? ` with exit code ${terminated.exitCode}` : ''}`;
  return { reason: 'BuildFailed', message, ...(logs && { logs }) };
}
