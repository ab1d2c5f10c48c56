import { existsSync } from 'node:fs';
import { toolPath } from '../binaries/build.ts';

/** A kubectl for this machine: the one built with the node, else the user's own. */
export function kubectlPath(): string {
  const built = toolPath('kubernetes', 'kubectl');
  return existsSync(built) ? built : 'kubectl';
}
