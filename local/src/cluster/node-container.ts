import { readFileSync } from 'node:fs';
import { GenericContainer, Wait } from 'testcontainers';
import { run, succeeds } from '../process.ts';
import { publishedNodePorts } from './provider.ts';

/** A node as one Docker container, its ports published on 127.0.0.1 only. */
export interface NodeContainer {
  name: string;
  /** Host port by port inside. */
  ports: Readonly<Record<number, number>>;
  /** The host's address on the container's network. */
  gateway: string;
  ip: string;
  startedAt: Date;
}

export interface NodeOptions {
  instance: string;
  image: string;
  httpPort: number;
  environment: Readonly<Record<string, string>>;
  /** Folders inside whose content outlives the container, each in a volume `greenroom-INSTANCE-NAME`. */
  volumes: Readonly<Record<string, string>>;
  /** Folders of the host that the node may read, by their path inside. */
  readOnly?: Readonly<Record<string, string>>;
  /** The log line that says the node has started. */
  startedWhen: RegExp;
}

export const containerName = (instance: string): string => `greenroom-${instance}-node`;
export const volumeName = (instance: string, name: string): string => `greenroom-${instance}-${name}`;

const capabilities =
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ'.split(
    ' ',
  );

/** Bit of CAP_SYS_RESOURCE, the one that such machines withhold. */
const sysResource = 24n;

/** Names of the capabilities that a bounding set, as /proc/self/status gives it, grants of those a node needs. */
export function grantedCapabilities(status: string): string[] {
  const mask = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return (mask >> sysResource) & 1n ? capabilities : capabilities.filter(c => c !== 'SYS_RESOURCE');
}

/** Whether this Docker engine can give a container every capability, tried with the node's own image. */
const privilegedWorks = (image: string): Promise<boolean> =>
  succeeds('docker', ['run', '--rm', '--privileged', '--entrypoint', 'true', image], 30_000);

class Node extends GenericContainer {
  constructor(options: NodeOptions, privileged: boolean) {
    super(options.image);
    if (privileged) this.withPrivilegedMode();
    else {
      this.withAddedCapabilities(...grantedCapabilities(readFileSync('/proc/self/status', 'utf8')));
      Object.assign(this.hostConfig, {
        SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined'],
        MaskedPaths: [],
        ReadonlyPaths: [],
        DeviceCgroupRules: ['a *:* rwm'],
        Devices: [{ PathOnHost: '/dev/kmsg', PathInContainer: '/dev/kmsg', CgroupPermissions: 'rwm' }],
      });
    }
    const binds = Object.entries(options.volumes).map(
      ([name, path]) => `${volumeName(options.instance, name)}:${path}`,
    );
    const readOnly = Object.entries(options.readOnly ?? {}).map(([path, source]) => `${source}:${path}:ro`);
    Object.assign(this.hostConfig, { CgroupnsMode: 'private', Binds: [...binds, ...readOnly] });
  }

  /** Testcontainers publishes on all addresses; nothing of this belongs on the network. */
  protected override async beforeContainerCreated(): Promise<void> {
    const bindings = (this.hostConfig.PortBindings ?? {}) as Record<
      string,
      { HostIp?: string; HostPort: string }[]
    >;
    for (const binding of Object.values(bindings).flat()) binding.HostIp = '127.0.0.1';
  }
}

interface Inspection {
  State: { Running: boolean; StartedAt: string };
  NetworkSettings: {
    Ports: Record<string, { HostPort: string }[] | null>;
    Networks: Record<string, { Gateway: string; IPAddress: string }>;
  };
}

/** The instance's node if its container runs. */
export async function findNode(instance: string): Promise<NodeContainer | undefined> {
  const name = containerName(instance);
  const output = await run('docker', ['container', 'inspect', name]).catch(() => '[]');
  const [found] = JSON.parse(output) as Inspection[];
  if (!found?.State.Running) return undefined;
  const ports: Record<number, number> = {};
  for (const [port, bindings] of Object.entries(found.NetworkSettings.Ports)) {
    if (bindings?.[0]) ports[Number.parseInt(port, 10)] = Number(bindings[0].HostPort);
  }
  const [network] = Object.values(found.NetworkSettings.Networks);
  // Kubernetes counts in whole seconds.
  const startedAt = new Date(Math.floor(Date.parse(found.State.StartedAt) / 1000) * 1000);
  return { name, ports, gateway: network?.Gateway ?? '172.17.0.1', ip: network?.IPAddress ?? '', startedAt };
}

/** Starts a node; one of the same name that does not run is replaced, its volumes are kept. */
export async function startNode(options: NodeOptions): Promise<NodeContainer> {
  // The node must outlive this process; its end is `removeNode`, not Testcontainers' reaper.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  await run('docker', ['rm', '--force', '--volumes', containerName(options.instance)]).catch(() => '');
  await new Node(options, await privilegedWorks(options.image))
    .withName(containerName(options.instance))
    .withHostname('greenroom-node')
    .withLabels({ 'dev.greenroom.instance': options.instance })
    .withAutoCleanup(false)
    .withEnvironment({ ...options.environment })
    .withExtraHosts([{ host: 'host.internal', ipAddress: 'host-gateway' }])
    .withTmpFs({ '/tmp': 'exec', '/run': 'exec', '/run/lock': '' })
    .withExposedPorts(
      { container: 80, host: options.httpPort },
      5000,
      6443,
      ...Object.values(publishedNodePorts),
    )
    .withWaitStrategy(Wait.forLogMessage(options.startedWhen))
    .withStartupTimeout(180_000)
    .start();
  const node = await findNode(options.instance);
  if (!node)
    throw new Error(`The node's container ended at once: docker logs ${containerName(options.instance)}`);
  return node;
}

/** Whether a volume of the instance exists. */
export const hasVolume = (instance: string, name: string): Promise<boolean> =>
  succeeds('docker', ['volume', 'inspect', volumeName(instance, name)]);

/** Stops the node's container and removes it, and with `data` its volumes. */
export async function removeNode(instance: string, data: boolean): Promise<void> {
  const name = containerName(instance);
  await run('docker', ['stop', '--time', '30', name]).catch(() => '');
  await run('docker', ['rm', '--force', '--volumes', name]).catch(() => '');
  if (!data) return;
  const prefix = volumeName(instance, '');
  const names = (await run('docker', ['volume', 'ls', '--quiet', '--filter', `name=^${prefix}`]))
    .split('\n')
    .filter(Boolean);
  if (names.length > 0) await run('docker', ['volume', 'rm', ...names]);
}

/** A command's output in the node. */
export const inNode = (instance: string, ...command: string[]): Promise<string> =>
  run('docker', ['exec', containerName(instance), ...command]);
