/** A place in a repository file. Lines and columns count from 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

/** Something in the compose file, or in a file it refers to, that its author should know or change. */
export interface Problem extends Position {
  severity: 'error' | 'warning';
  message: string;
  /** Where it is in the file as a path of keys (`services.web.ports`), empty for the file as a whole. */
  key: string;
  /** What to do about it. */
  hint?: string;
}

/**
 * A compose project after interpolation, merging, `extends`, `include`, profiles and normalisation, with the key
 * names of the compose specification. Paths of the repository are relative to its root.
 */
export interface ComposeProject {
  name: string;
  /** The compose file's path within the repository. */
  file: string;
  services: Record<string, ComposeService>;
  volumes: Record<string, ComposeVolume>;
  configs: Record<string, ComposeFileSource>;
  secrets: Record<string, ComposeFileSource>;
  networks: Record<string, Record<string, unknown> | null>;
  /** Top-level keys that are none of the above and not `x-`. */
  otherKeys: string[];
  /** Content of the repository files that services mount, by path. */
  files: Record<string, string>;
  /** Where keys are, by their path joined with `.` (`services.web.ports.0`); the longest known prefix counts. */
  positions: Record<string, Position>;
}

/**
 * One service. Only the keys that translation reads are typed; an object may hold more, which is how translation
 * notices keys that it does not know.
 */
export interface ComposeService {
  image?: string;
  build?: ComposeBuild;
  command?: string[] | null;
  entrypoint?: string[] | null;
  environment?: Record<string, string | null>;
  ports?: ComposePort[];
  expose?: string[];
  depends_on?: Record<string, ComposeDependency>;
  healthcheck?: ComposeHealthcheck;
  volumes?: ComposeMount[];
  tmpfs?: string[];
  configs?: ComposeFileMount[];
  secrets?: ComposeFileMount[];
  working_dir?: string;
  user?: string;
  restart?: string;
  stop_grace_period?: string;
  hostname?: string;
  read_only?: boolean;
  cap_add?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  labels?: Record<string, string>;
  stdin_open?: boolean;
  tty?: boolean;
  pull_policy?: string;
  platform?: string;
  network_mode?: string;
  networks?: Record<string, Record<string, unknown> | null>;
  container_name?: string;
  scale?: number;
  mem_limit?: string | number;
  mem_reservation?: string | number;
  cpus?: number;
  deploy?: ComposeDeploy;
  links?: string[];
  group_add?: (string | number)[];
  extra_hosts?: string[];
  shm_size?: string | number;
  annotations?: Record<string, string>;
}

export interface ComposeBuild {
  context?: string;
  dockerfile?: string;
  dockerfile_inline?: string;
  args?: Record<string, string | null>;
  target?: string;
}

export interface ComposePort {
  mode?: string;
  target: number;
  /** A port or a range, as text. */
  published?: string;
  protocol?: string;
  host_ip?: string;
  app_protocol?: string;
  name?: string;
}

export interface ComposeDependency {
  condition: 'service_started' | 'service_healthy' | 'service_completed_successfully';
  required?: boolean;
  restart?: boolean;
}

export interface ComposeHealthcheck {
  test?: string[];
  timeout?: string;
  interval?: string;
  retries?: number;
  start_period?: string;
  start_interval?: string;
  disable?: boolean;
}

export interface ComposeMount {
  type: string;
  source?: string;
  target: string;
  read_only?: boolean;
  tmpfs?: { size?: string | number; mode?: number };
  volume?: { nocopy?: boolean; subpath?: string };
}

export interface ComposeFileMount {
  source: string;
  target?: string;
  uid?: string;
  gid?: string;
  mode?: string;
}

export interface ComposeDeploy {
  replicas?: number;
  mode?: string;
  resources?: {
    limits?: { cpus?: string | number; memory?: string | number; pids?: number };
    reservations?: { cpus?: string | number; memory?: string | number };
  };
}

export interface ComposeVolume {
  name?: string;
  driver?: string;
  driver_opts?: Record<string, string>;
  external?: boolean;
  labels?: Record<string, string>;
}

export interface ComposeFileSource {
  name?: string;
  file?: string;
  content?: string;
  environment?: string;
  external?: boolean;
}
