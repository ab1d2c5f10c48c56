import { describe, expect, it } from 'vitest';
import {
  BUILDER_MODES,
  type BuilderConfig,
  type BuilderMode,
  type BuildRequest,
  buildJob,
  buildkitConfig,
  jobName,
} from './job.ts';

const config: BuilderConfig = {
  namespace: 'builds',
  image: 'buildkit:1',
  mode: 'rootless',
  registry: 'reg:5000',
  registryInsecure: false,
  timeoutSeconds: 600,
};
/** What somebody who may push to a repository could try. */
const HOSTILE = '$(touch /pwned); `id` "\'\n&& rm -rf / #';
const request: BuildRequest = {
  build: {
    service: 'web',
    context: 'web',
    dockerfile: 'web/Dockerfile',
    args: { VERSION: '1' },
    target: 'prod',
  },
  image: 'reg:5000/demo/shop/web:0123456789abcdef0123',
  source: { url: 'https://git.example/demo/shop.git', commit: 'c'.repeat(40) },
  limits: { cpu: '2', memory: '3Gi' },
  private: true,
  labels: { owner: 'me' },
};

function podOf(mode: BuilderMode, changes: Partial<BuildRequest> = {}) {
  const { metadata, spec } = buildJob({ ...request, ...changes }, { ...config, mode });
  const pod = spec?.template.spec;
  const container = pod?.containers[0];
  if (!pod || !container) throw new Error('the job has no container');
  return { metadata, spec, pod, container, argv: [...(container.command ?? []), ...(container.args ?? [])] };
}

describe('the build job', () => {
  const { metadata, spec, pod, container, argv } = podOf('rootless');

  it('builds the commit from git and pushes the image, with the layer cache beside it', () => {
    expect(argv).toEqual(
      expect.arrayContaining([
        `--opt=context=https://git.example/demo/shop.git#${'c'.repeat(40)}:web`,
        '--opt=filename=Dockerfile',
        '--opt=target=prod',
        '--opt=build-arg:VERSION=1',
        '--output=type=image,name=reg:5000/demo/shop/web:0123456789abcdef0123,push=true',
        '--import-cache=type=registry,ref=reg:5000/cache/demo/shop/web:latest',
      ]),
    );
  });

  it('takes a repository whose URL does not end in .git', () =>
    expect(
      podOf('rootless', {
        source: { url: 'https://x/y', commit: 'c' },
        build: { ...request.build, context: '.' },
      }).argv,
    ).toContain('--opt=context=https://x/y.git#c'));

  it('is bounded in time, tries and resources, and cleans up after itself', () => {
    expect(spec).toMatchObject({ activeDeadlineSeconds: 600, backoffLimit: 0 });
    expect(spec?.ttlSecondsAfterFinished).toBeGreaterThan(0);
    expect(container.resources?.limits).toEqual({ cpu: '2', memory: '3Gi' });
  });

  it('has no account of the cluster, and no services in its environment', () =>
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
    }));

  it('is labelled, and its pod is', () => {
    expect(metadata.labels).toEqual({ owner: 'me' });
    expect(spec?.template.metadata?.labels).toEqual({ owner: 'me' });
  });
});

describe('a token', () => {
  it('is a file from a Secret of the job’s name, never an argument or a variable', () => {
    const { argv, container, pod } = podOf('rootless');
    const volume = pod.volumes?.find(({ name }) => name === 'token');
    const mount = container.volumeMounts?.find(({ name }) => name === 'token');
    expect(volume?.secret?.secretName).toBe(jobName(request.image));
    expect(mount?.readOnly).toBe(true);
    expect(argv).toContain(`--secret=id=GIT_AUTH_TOKEN,src=${mount?.mountPath}/token`);
    expect(container.env?.map(({ name }) => name)).not.toContain('GIT_AUTH_TOKEN');
  });

  it('is nowhere for a public repository', () =>
    expect(JSON.stringify(podOf('rootless', { private: false }))).not.toMatch(/token"|TOKEN/));
});

describe.each(BUILDER_MODES)('mode %s', mode => {
  it('hands what comes from the repository over as one argument each, past any shell', () => {
    const build = {
      service: HOSTILE,
      context: HOSTILE,
      dockerfile: HOSTILE,
      args: { [HOSTILE]: HOSTILE },
      target: HOSTILE,
    };
    const { argv } = podOf(mode, { build, source: { url: `https://x/${HOSTILE}`, commit: HOSTILE } });
    // A shell's program is the argument after -c; it has to be the same whatever the repository says.
    const script = argv.indexOf('-c') + 1;
    if (script > 0) expect(argv.slice(0, script + 1)).toEqual(podOf(mode).argv.slice(0, script + 1));
    expect(argv[script]).not.toContain('pwned');
    expect(argv).toContain(`--opt=build-arg:${HOSTILE}=${HOSTILE}`);
    expect(argv).toContain(`--opt=target=${HOSTILE}`);
  });

  it('is confined as it says', () => {
    const { pod, container } = podOf(mode);
    const { privileged = false, capabilities } = container.securityContext ?? {};
    expect({
      privileged,
      capabilities: capabilities?.add ?? [],
      user: pod.securityContext?.runAsUser,
    }).toEqual(
      {
        rootless: { privileged: false, capabilities: [], user: 1000 },
        capabilities: { privileged: false, capabilities: ['SYS_ADMIN'], user: undefined },
        privileged: { privileged: true, capabilities: [], user: undefined },
      }[mode],
    );
  });
});

describe('name of a job', () => {
  it('is one per image', () => {
    expect(jobName(request.image)).toBe(jobName(request.image));
    expect(jobName(request.image)).not.toBe(jobName('reg:5000/demo/shop/web:fedcba98765432100123'));
  });

  it('differs between repositories that build the same content', () =>
    expect(jobName(request.image)).not.toBe(jobName(request.image.replace('demo/shop', 'acme/shop'))));

  it.each(['reg:5000/a/web:0123456789abcdef', `reg/a/${'x'.repeat(80)}:0123456789abcdef`])(
    'is valid for %s',
    image => expect(jobName(image)).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
  );
});

describe('configuration of BuildKit', () => {
  it('speaks HTTP only where it is told so', () => {
    expect(buildkitConfig(config)).not.toContain('http = true');
    expect(buildkitConfig({ ...config, registryInsecure: true })).toContain(
      '[registry."reg:5000"]\n  http = true',
    );
  });

  it('names the mirror for docker.io, if there is one', () => {
    expect(buildkitConfig(config)).not.toContain('mirrors');
    expect(buildkitConfig({ ...config, mirror: 'mirror:5000' })).toContain(
      '[registry."docker.io"]\n  mirrors = ["mirror:5000"]',
    );
  });
});
