import { KubeConfig } from '@kubernetes/client-node';
import { pino } from 'pino';
import { readConfig } from './config.ts';
import { startOperator } from './operator.ts';
import { startProbes } from './probes.ts';
import { startWaitingPage } from './route/waiting-page.ts';

const config = readConfig(process.env);
const log = pino({ level: config.LOG_LEVEL, redact: ['err.headers', 'err.config'] });
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();

let ready = false;
const servers = await Promise.all([
  startProbes(config.PORT, () => ready),
  startWaitingPage(config.WAITING_PAGE_PORT),
]);
const operator = await startOperator(config, kubeConfig, log);
ready = true;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    log.info({ signal }, 'stopping');
    ready = false;
    await operator.stop();
    for (const server of servers) server.close();
    process.exit(0);
  });
}
