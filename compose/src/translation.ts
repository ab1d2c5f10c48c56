import type { KubernetesObject } from '@kubernetes/client-node';
import type { Position } from './project.ts';

/** Who may reach a service: its neighbours only, the public at its own host, the public at the environment's host. */
export type Exposure = 'Internal' | 'External' | 'Primary';

/** CPU in cores or Kubernetes notation (`0.125`, `125m`), memory in Kubernetes notation (`256Mi`). */
export interface Resources {
  cpu: string;
  memory: string;
}

/** What a repository says about one service of its compose file. */
export interface ServiceSetting {
  name: string;
  exposure: Exposure;
  /** Left out of the environment altogether. */
  disabled?: boolean;
  resources?: Partial<Resources>;
}

export interface TranslationSettings {
  /** The environment's own namespace. */
  namespace: string;
  /** Put on every object, not on pods' selectors. */
  labels: Record<string, string>;
  /** Services that are not listed get `Internal`; with an empty list every exposure is worked out from names and ports. */
  services: ServiceSetting[];
  /** Default limits of a service. */
  limits: Resources;
  /** Image reference by service, for services that are built. */
  images: Record<string, string>;
  /** The public host name of an exposed service. */
  host(service: string, primary: boolean): string;
  urls: { scheme: 'http' | 'https'; port?: number };
  ingressClassName?: string;
}

export interface Translation {
  /** Sorted, and identical for identical input. Route objects carry the label `greenroom.dev/route: "true"`. */
  objects: KubernetesObject[];
  builds: Build[];
  /** Dependencies come before what waits for them. */
  rollout: RolloutStep[];
  routes: Route[];
  /** One finding per key of each service. Any `refused` finding means that nothing may be deployed. */
  report: Finding[];
}

/** What BuildKit needs to know to build one service; paths are relative to the repository's root. */
export interface Build {
  service: string;
  context: string;
  /** Relative to the repository's root. */
  dockerfile: string;
  dockerfileInline?: string;
  args: Record<string, string>;
  target?: string;
}

export interface RolloutStep {
  service: string;
  kind: 'Deployment' | 'Job';
  /** The object's name, which can differ from the service's (`my_db` → `my-db`). */
  name: string;
  waitsFor: { service: string; condition: 'started' | 'healthy' | 'completed' }[];
}

export interface Route {
  service: string;
  primary: boolean;
  host: string;
  url: string;
  /** The container's port that answers. */
  port: number;
}

export type Verdict = 'supported' | 'approximated' | 'refused';

export interface Finding extends Position {
  /** Empty for keys at the top of the file. */
  service: string;
  key: string;
  verdict: Verdict;
  /** How it is approximated, or why it is refused and what to do instead. */
  reason?: string;
}
