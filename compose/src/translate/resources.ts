import type { V1ResourceRequirements } from '@kubernetes/client-node';
import type { ComposeService } from '../project.ts';
import type { Resources } from '../translation.ts';

const mebibyte = 1024 * 1024;

/**
 * A service's limits: the repository's settings, else the compose file, else the default. Requests are small, since
 * previews mostly wait.
 */
export function resources(
  service: ComposeService,
  settings: Partial<Resources> | undefined,
  defaults: Resources,
): V1ResourceRequirements {
  const declared = service.deploy?.resources;
  const cpu = settings?.cpu ?? positive(declared?.limits?.cpus ?? service.cpus) ?? defaults.cpu;
  const memory =
    settings?.memory ?? positive(declared?.limits?.memory ?? service.mem_limit) ?? defaults.memory;
  const bytes = toBytes(memory);
  const millicores = toMillicores(cpu);
  return {
    limits: { cpu: `${millicores}m`, memory: memoryText(bytes) },
    requests: {
      cpu: `${Math.min(10, millicores)}m`,
      memory: memoryText(Math.min(bytes, Math.ceil(bytes / 4))),
    },
  };
}

/** Bytes of a Kubernetes or plain quantity (`256Mi`, `1G`, `67108864`). */
export function toBytes(quantity: string): number {
  const match = /^([\d.]+)\s*([kKMGT]?)(i?)[bB]?$/.exec(quantity);
  if (!match) throw new Error(`${quantity} is no amount of memory; write it like 256Mi`);
  const power = ['', 'k', 'm', 'g', 't'].indexOf((match[2] ?? '').toLowerCase());
  return Math.round(Number(match[1]) * (match[3] ? 1024 : 1000) ** power);
}

/** Whole mebibytes where it comes out even, as people write it. */
export function memoryText(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte}Mi` : `${bytes}`;
}

function toMillicores(quantity: string): number {
  const millicores = quantity.endsWith('m') ? Number(quantity.slice(0, -1)) : Number(quantity) * 1000;
  if (!(millicores > 0)) throw new Error(`${quantity} is no amount of CPU; write it like 0.5 or 500m`);
  return Math.max(1, Math.round(millicores));
}

/** Zero means no limit in compose; the default then applies. */
function positive(amount: string | number | undefined): string | undefined {
  return amount === undefined || Number(amount) === 0 ? undefined : String(amount);
}
