import { parseArgs } from 'node:util';
import type { ProviderName } from './cluster/provider.ts';
import { COMMANDS } from './commands.ts';
import { PreflightError } from './requirements/preflight.ts';

const PROVIDERS: readonly ProviderName[] = ['kubeconfig', 'kind', 'node-image'];

const USAGE = `usage: npm start [-- --detach] [--port PORT] [--provider ${PROVIDERS.join('|')}] [--kubeconfig FILE]
       npm stop | npm run reset | npm run status [-- --json] | npm run dev
       npm test [-- [--keep] FILE…]
Every command takes --instance NAME; several instances can run side by side.`;

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        instance: { type: 'string', default: 'dev' },
        detach: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        port: { type: 'string' },
        provider: { type: 'string' },
        kubeconfig: { type: 'string' },
      },
    });
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
}

const { positionals, values } = parse();
const [name = '', ...files] = positionals;
const command = COMMANDS[name] ?? fail(USAGE);
// Named for this purpose: the user's own KUBECONFIG is never taken by accident.
const kubeconfig = values.kubeconfig ?? process.env.GREENROOM_KUBECONFIG;
const provider = PROVIDERS.find(known => known === values.provider);
if (values.provider && !provider) fail(`There is no provider ${values.provider}\n${USAGE}`);
if (values.port && !/^\d{1,5}$/.test(values.port))
  fail(`--port takes a number, not ${values.port}\n${USAGE}`);
if (!/^[a-z0-9-]{1,20}$/.test(values.instance)) fail('--instance takes up to 20 of a-z, 0-9 and -');

process.exitCode = await command({
  instance: values.instance,
  detach: values.detach,
  json: values.json,
  keep: values.keep,
  files,
  ...(values.port && { port: Number(values.port) }),
  ...(provider && { provider }),
  ...(kubeconfig && { kubeconfig }),
}).catch((error: unknown) => {
  const expected = error instanceof PreflightError;
  process.stderr.write(
    `${error instanceof Error ? (expected ? error.message : error.stack) : String(error)}\n`,
  );
  return expected ? 3 : 1;
});
