import { readConfig } from './config.ts';
import { openLog } from './log.ts';
import { startServer } from './server.ts';

const GRACE_MS = 20_000;

try {
  const config = readConfig(process.env);
  const log = openLog(config.LOG_LEVEL);
  const server = await startServer(config, log);
  const stop = (signal: string) => {
    log.info(`${signal}: stopping`);
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    server.close().then(
      () => process.exit(0),
      error => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
