import { createHash } from 'node:crypto';
import type { V1Container, V1Job } from '@kubernetes/client-node';
import type { Build } from '#compose/translation.ts';
import type { Wire } from '../kube/resources.ts';
import { dockerfileInContext } from './identity.ts';

/**
 * How BuildKit is confined. `rootless`: user 1000, no capability (default). `capabilities`: root with SYS_ADMIN, where
 * user namespaces are not allowed. `privileged`: where neither works.
 */
export const BUILDER_MODES = ['rootless', 'capabilities', 'privileged'] as const;
export type BuilderMode = (typeof BUILDER_MODES)[number];

export interface BuilderConfig {
  namespace: string;
  image: string;
  mode: BuilderMode;
  /** Registry that images and layer caches go to, `host:port`. */
  registry: string;
  registryInsecure: boolean;
  /** Registry that stands in for docker.io, if one does. */
  mirror?: string;
  timeoutSeconds: number;
}

export interface BuildRequest {
  build: Build;
  /** Image to push, with tag. */
  image: string;
  source: { url: string; commit: string };
  limits: { cpu: string; memory: string };
  /** Whether the repository needs a token; it is then in a Secret of the job's name. */
  private: boolean;
  labels: Record<string, string>;
}

const TOKEN_FOLDER = '/run/greenroom/token';
const CONFIG_FOLDER = '/run/greenroom/buildkit';
export const BUILDKIT_CONFIG_MAP = 'greenroom-buildkit';
const KEPT_AFTER_END_SECONDS = 3600;

/** The name of the job for an image: one per image, so that the same image is never built twice at a time. */
export function jobName(image: string): string {
  const [service = ''] = (image.split('/').at(-1) ?? '').split(':');
  // Of the whole reference: forks have the same services with the same content, and images of their own.
  const hash = createHash('sha256').update(image).digest('hex').slice(0, 16);
  return `build-${service.slice(0, 30)}-${hash}`.replace(/--+/g, '-');
}

/** The Job that builds one image from git and pushes it. No value of the user's passes through a shell. */
export function buildJob(request: BuildRequest, config: BuilderConfig): Wire<V1Job> {
  const { image, limits } = request;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: jobName(image), namespace: config.namespace, labels: request.labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: config.timeoutSeconds,
      ttlSecondsAfterFinished: KEPT_AFTER_END_SECONDS,
      template: {
        metadata: { labels: request.labels },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          ...(config.mode === 'rootless' && {
            securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, runAsNonRoot: true },
          }),
          containers: [
            {
              name: 'build',
              image: config.image,
              ...command(config.mode, buildctlArguments(request, config)),
              env: environment(config.mode),
              resources: { requests: { cpu: '10m', memory: '128Mi' }, limits },
              securityContext: securityContext(config.mode),
              volumeMounts: [
                { name: 'state', mountPath: '/var/lib/buildkit' },
                { name: 'config', mountPath: CONFIG_FOLDER, readOnly: true },
                ...(request.private ? [{ name: 'token', mountPath: TOKEN_FOLDER, readOnly: true }] : []),
              ],
            },
          ],
          volumes: [
            { name: 'state', emptyDir: {} },
            { name: 'config', configMap: { name: BUILDKIT_CONFIG_MAP } },
            ...(request.private
              ? [{ name: 'token', secret: { secretName: jobName(image), defaultMode: 0o440 } }]
              : []),
          ],
        },
      },
    },
  };
}

/** buildkitd's own configuration: which registries speak plain HTTP and which one stands in for docker.io. */
export function buildkitConfig(config: BuilderConfig): string {
  const registry = (name: string, lines: string[]) => [`[registry.${JSON.stringify(name)}]`, ...lines];
  return [
    ...(config.mirror ? registry('docker.io', [`  mirrors = [${JSON.stringify(config.mirror)}]`]) : []),
    ...(config.registryInsecure ? registry(config.registry, ['  http = true']) : []),
    '[worker.oci]',
    '  gc = false',
    '',
  ].join('\n');
}

function buildctlArguments(
  { build, image, source, private: isPrivate }: BuildRequest,
  { registry }: BuilderConfig,
) {
  const context = build.context.replace(/^\.(\/|$)/, '');
  // BuildKit takes a URL for a git repository only when it ends so.
  const url = source.url.endsWith('.git') ? source.url : `${source.url}.git`;
  const cache = `${registry}/cache/${image.slice(registry.length + 1).replace(/:[^:]+$/, '')}:latest`;
  return [
    'build',
    '--progress=plain',
    '--frontend=dockerfile.v0',
    `--opt=context=${url}#${source.commit}${context ? `:${context}` : ''}`,
    `--opt=filename=${dockerfileInContext(build)}`,
    ...(build.target ? [`--opt=target=${build.target}`] : []),
    ...Object.entries(build.args).map(([name, value]) => `--opt=build-arg:${name}=${value}`),
    ...(isPrivate ? [`--secret=id=GIT_AUTH_TOKEN,src=${TOKEN_FOLDER}/token`] : []),
    `--output=type=image,name=${image},push=true`,
    `--export-cache=type=registry,ref=${cache},mode=max,ignore-error=true`,
    `--import-cache=type=registry,ref=${cache}`,
  ];
}

function command(mode: BuilderMode, args: string[]): Pick<V1Container, 'command' | 'args'> {
  if (mode !== 'capabilities') return { command: ['buildctl-daemonless.sh'], args };
  // runc makes a cgroup per step, for which the pod's read-only cgroup mounts have to be writable.
  const remount =
    'for c in /sys/fs/cgroup /sys/fs/cgroup/*; do mount -o remount,bind,rw "$c"; done; exec "$@"';
  return { command: ['sh', '-c', remount, 'sh', 'buildctl-daemonless.sh'], args };
}

function environment(mode: BuilderMode) {
  const flags = [
    `--config=${CONFIG_FOLDER}/buildkitd.toml`,
    '--oci-worker-net=host',
    '--root=/var/lib/buildkit',
  ];
  if (mode !== 'rootless') return [{ name: 'BUILDKITD_FLAGS', value: flags.join(' ') }];
  return [
    { name: 'HOME', value: '/home/user' },
    { name: 'USER', value: 'user' },
    { name: 'XDG_RUNTIME_DIR', value: '/run/user/1000' },
    { name: 'BUILDKITD_FLAGS', value: [...flags, '--oci-worker-no-process-sandbox'].join(' ') },
  ];
}

function securityContext(mode: BuilderMode): NonNullable<V1Container['securityContext']> {
  if (mode === 'privileged') return { privileged: true };
  // The sandbox for RUN steps needs mount and unshare, which the default seccomp and AppArmor profiles forbid.
  const unconfined = { seccompProfile: { type: 'Unconfined' }, appArmorProfile: { type: 'Unconfined' } };
  if (mode === 'capabilities') return { ...unconfined, capabilities: { add: ['SYS_ADMIN'] } };
  // newuidmap and newgidmap carry file capabilities.
  return { ...unconfined, allowPrivilegeEscalation: true };
}
