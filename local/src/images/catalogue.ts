import { type BinaryName, recipes } from '../binaries/recipes.ts';

/** Files that a recipe needs beside those in its folder. */
export interface Ingredients {
  /** Image of this catalogue that `FROM ${BASE}` names. */
  base?: string;
  /** Commands from the binary cache. */
  binaries?: Partial<Record<BinaryName, readonly string[]>>;
  /** npm packages, unpacked to packages/NAME: `npm pack` specifications. */
  npm?: Readonly<Record<string, string>>;
  /** Other images of this catalogue, saved as NAME.image.tar under the given reference. */
  images?: Readonly<Record<string, string>>;
  /** `rootfs`: Debian made by debootstrap. `certificates`: the host's CA bundle. `pause`: the compiled pause.c. */
  made?: readonly ('rootfs' | 'certificates' | 'pause')[];
  buildArgs?: Readonly<Record<string, string>>;
}

/** An image made here. */
export interface ImageRecipe extends Ingredients {
  /** Unique name in this catalogue. */
  name: string;
  /** Folder below local/images. */
  folder: string;
  /** Repository in the registry, without the registry's name; absent for images that never get there. */
  repository?: string;
  /** Tags that compose files and people use. */
  tags: readonly string[];
  /** Stands for the image of that name on Docker Hub; made only where images cannot be pulled. */
  mirror?: true;
  /** Seconds the build takes, roughly: the longest goes first. */
  seconds: number;
}

const own = (name: string, binary: BinaryName, files: readonly string[], seconds: number): ImageRecipe => ({
  name,
  folder: name,
  repository: `greenroom/${name}`,
  tags: [recipes[binary].version],
  binaries: { [binary]: files },
  made: ['certificates'],
  seconds,
});

const nodeTags = (major: number): string[] =>
  ['', '-alpine', '-slim', '-bookworm', '-bookworm-slim'].map(suffix => `${major}${suffix}`);

const node = (major: number, npm: string, more: readonly string[] = []): ImageRecipe => ({
  name: `node-${major}`,
  folder: 'node',
  repository: 'library/node',
  tags: [...nodeTags(major), ...more],
  mirror: true,
  base: 'debian',
  npm: {
    node: `node-linux-${process.arch}@${major}`,
    npm: `npm@${npm}`,
    corepack: 'corepack@0.34',
    yarn: 'yarn@1',
  },
  buildArgs: { NODE_MAJOR: String(major) },
  seconds: 25,
});

const mirrored = (name: string, tags: readonly string[], seconds: number): ImageRecipe => ({
  name,
  folder: name,
  repository: `library/${name}`,
  tags,
  mirror: true,
  base: 'debian',
  seconds,
});

/** Images of the platform itself, where it runs on a node made here. */
const systemImages: readonly ImageRecipe[] = [
  { name: 'pause', folder: 'pause', tags: [], made: ['pause'], seconds: 2 },
  own('registry', 'registry', ['registry'], 3),
  own('coredns', 'coredns', ['coredns'], 3),
  own('traefik', 'traefik', ['traefik'], 5),
  own('local-path', 'local-path', ['local-path-provisioner'], 3),
  own('nats', 'nats', ['nats-server'], 3),
  {
    ...own('buildkit', 'buildkit', ['buildkitd', 'buildctl'], 40),
    binaries: { buildkit: ['buildkitd', 'buildctl'], rootlesskit: ['rootlesskit'] },
    base: 'debian',
    made: [],
  },
  {
    ...own('mongodb', 'mongodb', ['secantusd-rs'], 5),
    repository: 'greenroom/mongodb-dev',
    base: 'debian',
    made: [],
  },
  mirrored('busybox', ['latest', '1', '1.36', '1.37', 'stable', 'musl', 'glibc', 'uclibc'], 10),
  {
    name: 'kubernetes-node',
    folder: 'kubernetes-node',
    tags: [],
    base: 'debian',
    binaries: {
      kubernetes: [
        'kube-apiserver',
        'kube-controller-manager',
        'kube-scheduler',
        'kube-proxy',
        'kubelet',
        'kubectl',
      ],
    },
    images: { pause: 'greenroom.local/pause:1', registry: 'greenroom.local/registry:1' },
    seconds: 60,
  },
];

/** Stand-ins for images of Docker Hub; local/images/README.md says which version each tag really is. */
const hubImages: readonly ImageRecipe[] = [
  {
    name: 'debian',
    folder: 'debian',
    repository: 'library/debian',
    tags: ['latest', 'bookworm', 'bookworm-slim', '12', '12-slim', 'stable', 'stable-slim'],
    mirror: true,
    made: ['rootfs', 'certificates'],
    seconds: 100,
  },
  node(20, '10'),
  node(22, '10'),
  node(24, '11', [
    'lts',
    'lts-alpine',
    'lts-slim',
    'latest',
    'alpine',
    'slim',
    'current',
    'current-alpine',
    'current-slim',
  ]),
  mirrored(
    'python',
    ['3', '3.11', '3.12', '3.13']
      .flatMap(v => [v, `${v}-slim`, `${v}-alpine`, `${v}-slim-bookworm`, `${v}-bookworm`])
      .concat(['latest', 'slim', 'alpine']),
    70,
  ),
  mirrored(
    'nginx',
    [
      'latest',
      'alpine',
      'alpine-slim',
      'stable',
      'stable-alpine',
      'mainline',
      'mainline-alpine',
      '1',
      '1-alpine',
    ].concat(['1.25', '1.26', '1.27', '1.28', '1.29'].flatMap(v => [v, `${v}-alpine`])),
    25,
  ),
  mirrored(
    'redis',
    [
      'latest',
      'alpine',
      '6',
      '6-alpine',
      '7',
      '7-alpine',
      '7.0',
      '7.2',
      '7.2-alpine',
      '7.4',
      '7.4-alpine',
      '8',
      '8-alpine',
    ],
    20,
  ),
  mirrored(
    'postgres',
    ['latest', 'alpine'].concat(
      ['13', '14', '15', '16', '17', '18'].flatMap(v => [v, `${v}-alpine`, `${v}-bookworm`]),
    ),
    45,
  ),
  {
    name: 'dockerfile-frontend',
    folder: 'dockerfile-frontend',
    repository: 'docker/dockerfile',
    tags: ['latest', '1', ...Array.from({ length: 20 }, (_, i) => `1.${i + 1}`)],
    mirror: true,
    binaries: { buildkit: ['dockerfile-frontend'] },
    made: ['certificates'],
    seconds: 3,
  },
];

/** Every image that can be made here, by name. */
export const images: ReadonlyMap<string, ImageRecipe> = new Map(
  [...systemImages, ...hubImages].map(image => [image.name, image]),
);

/** The recipe of that name. @throws when there is none. */
export function imageRecipe(name: string): ImageRecipe {
  const recipe = images.get(name);
  if (!recipe) throw new Error(`local/src/images/catalogue.ts has no image called ${name}`);
  return recipe;
}
