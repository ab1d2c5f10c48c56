import type { Entry } from '../cache.ts';

/** Commands of one Go module, built from the module proxy. */
export interface GoRecipe {
  kind: 'go';
  name: string;
  module: string;
  version: string;
  /** Package paths below the module; the command is named after the last element, or the module if it is `.`. */
  packages: readonly string[];
  /** `-X` values of the linker: where programs keep the version they report. */
  variables?: Readonly<Record<string, string>>;
  /** Roughly the seconds on two cores with nothing cached: shown to people, and the longest is built first. */
  seconds: number;
}

/** A command of one crate, built with cargo. */
export interface CargoRecipe {
  kind: 'cargo';
  name: string;
  crate: string;
  version: string;
  binaries: readonly string[];
  seconds: number;
}

export type Recipe = GoRecipe | CargoRecipe;

const kubernetesVersion = '1.34.4';
const componentVersion = 'k8s.io/component-base/version';

/** Everything that is built from source, each at the newest version whose dependencies the Go proxy serves. */
export const recipes = {
  kubernetes: {
    kind: 'go',
    name: 'kubernetes',
    module: 'k8s.io/kubernetes',
    version: `v${kubernetesVersion}`,
    packages: [
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kube-proxy',
      'kubelet',
      'kubectl',
    ].map(c => `cmd/${c}`),
    variables: {
      [`${componentVersion}.gitVersion`]: `v${kubernetesVersion}`,
      [`${componentVersion}.gitMajor`]: '1',
      [`${componentVersion}.gitMinor`]: '34',
    },
    seconds: 250,
  },
  traefik: {
    kind: 'go',
    name: 'traefik',
    module: 'github.com/traefik/traefik/v3',
    version: 'v3.6.6',
    packages: ['cmd/traefik'],
    variables: { 'github.com/traefik/traefik/v3/pkg/version.Version': '3.6.6' },
    seconds: 300,
  },
  mongodb: {
    kind: 'cargo',
    name: 'mongodb',
    crate: 'secantus-mdb',
    version: '0.5.3-beta.196',
    binaries: ['secantusd-rs'],
    seconds: 272,
  },
  buildkit: {
    kind: 'go',
    name: 'buildkit',
    module: 'github.com/moby/buildkit',
    version: 'v0.26.3',
    packages: ['cmd/buildkitd', 'cmd/buildctl', 'frontend/dockerfile/cmd/dockerfile-frontend'],
    variables: { 'github.com/moby/buildkit/version.Version': 'v0.26.3' },
    seconds: 90,
  },
  coredns: {
    kind: 'go',
    name: 'coredns',
    module: 'github.com/coredns/coredns',
    version: 'v1.15.0',
    packages: ['.'],
    seconds: 120,
  },
  helm: {
    kind: 'go',
    name: 'helm',
    module: 'helm.sh/helm/v4',
    version: 'v4.3.1',
    packages: ['cmd/helm'],
    variables: { 'helm.sh/helm/v4/internal/version.version': 'v4.3.1' },
    seconds: 100,
  },
  registry: {
    kind: 'go',
    name: 'registry',
    module: 'github.com/distribution/distribution/v3',
    version: 'v3.1.2',
    packages: ['cmd/registry'],
    variables: { 'github.com/distribution/distribution/v3/version.version': 'v3.1.2' },
    seconds: 40,
  },
  'local-path': {
    kind: 'go',
    name: 'local-path',
    module: 'github.com/rancher/local-path-provisioner',
    version: 'v0.0.30',
    packages: ['.'],
    variables: { 'main.VERSION': 'v0.0.30' },
    seconds: 30,
  },
  nats: {
    kind: 'go',
    name: 'nats',
    module: 'github.com/nats-io/nats-server/v2',
    version: 'v2.15.2',
    packages: ['.'],
    seconds: 25,
  },
  rootlesskit: {
    kind: 'go',
    name: 'rootlesskit',
    module: 'github.com/rootless-containers/rootlesskit/v2',
    version: 'v2.3.6',
    packages: ['cmd/rootlesskit'],
    seconds: 20,
  },
} as const satisfies Record<string, Recipe>;

export type BinaryName = keyof typeof recipes;

/** The cache entry of a recipe; how long a build takes does not change what it makes. */
export function binaryEntry(recipe: Recipe): Entry {
  const { seconds: _, name, version, ...rest } = recipe;
  return { name, version, recipe: { ...rest, platform: `${process.platform}-${process.arch}` } };
}

/** File name of the command that `go build` makes of a package of a module. */
export function commandName(module: string, path: string): string {
  const elements = (path === '.' ? module : path).split('/');
  const last = elements.pop() ?? '';
  return /^v\d+$/.test(last) ? (elements.pop() ?? last) : last;
}

/** Names of the commands of a recipe. */
export const commandsOf = (recipe: Recipe): string[] =>
  recipe.kind === 'go' ? recipe.packages.map(p => commandName(recipe.module, p)) : [...recipe.binaries];
