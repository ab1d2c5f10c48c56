import pino, { type Logger } from 'pino';

/** The process's log: JSON lines on standard output, without credentials and without the query of any URL. */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: withoutDetails,
      // Queries carry OAuth codes and states.
      req: (request: { method: string; url: string; ip: string; headers: Record<string, unknown> }) => ({
        method: request.method,
        path: request.url.split('?')[0],
        ip: request.ip,
        delivery: request.headers['x-github-delivery'],
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  });
}

/** Clients hang requests and responses on their errors, and credentials with them; only what is listed is logged. */
function withoutDetails(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, status } = error as { code?: unknown; status?: unknown };
  return { type: error.name, message: error.message, code, status, stack: error.stack };
}
