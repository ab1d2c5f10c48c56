import type { Problem } from '#contract/entities.ts';

/** An answer other than 2xx that is meant for the caller; anything else that is thrown becomes a 500 without details. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The user's GitHub authorization is gone: the answer sends the browser to GitHub. */
export class ReauthRequired extends HttpError {
  constructor() {
    super(401, 'GitHub re-authentication required', 'auth_expired');
  }
}

export const notFound = (what: string) => new HttpError(404, `${what} not found`, 'not_found');

const UNREACHABLE = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongooseServerSelectionError',
  'MongoTopologyClosedError',
  'PoolClearedError',
  'MongoPoolClearedError',
]);

/** Whether an error says that the database is away, rather than that it refused. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return UNREACHABLE.has(error.name) || /before initial connection is complete/.test(error.message);
}

/** Whether an error says that a document with this unique key is there already. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: unknown })?.code === 11000;

/** Status and body of the answer to an error. */
export function toProblem(error: unknown): { status: number; body: Problem } {
  if (error instanceof HttpError) {
    return { status: error.status, body: { error: error.message, ...(error.code && { code: error.code }) } };
  }
  if (isDatabaseAway(error)) {
    return {
      status: 503,
      body: {
        error: 'The database cannot be reached at the moment. Please try again shortly.',
        code: 'unavailable',
      },
    };
  }
  // Fastify's own: validation, body too large, rate limit.
  const status = (error as { statusCode?: unknown })?.statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status, body: { error: (error as Error).message } };
  }
  return { status: 500, body: { error: 'Something went wrong on our side. Please try again.' } };
}
