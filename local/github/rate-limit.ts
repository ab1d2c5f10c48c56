import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import { hashOf } from './secrets.ts';

const hour = 3600;

interface Window {
  used: number;
  /** Epoch seconds. */
  reset: number;
}

/** Counts calls per caller and hour, says so in GitHub's headers, and answers 403 beyond the limit. */
export function createRateLimit(limit: number): (request: FastifyRequest, reply: FastifyReply) => void {
  const windows = new Map<string, Window>();
  return (request, reply) => {
    const caller = hashOf(request.headers.authorization ?? request.ip);
    const seconds = Math.floor(Date.now() / 1000);
    const current = windows.get(caller);
    const window = current && current.reset > seconds ? current : { used: 0, reset: seconds + hour };
    windows.set(caller, window);
    window.used = Math.min(window.used + 1, limit + 1);
    reply.headers({
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': Math.max(0, limit - window.used),
      'x-ratelimit-reset': window.reset,
      'x-ratelimit-used': Math.min(window.used, limit),
      'x-ratelimit-resource': 'core',
    });
    if (window.used > limit) throw new ApiError(403, 'API rate limit exceeded');
  };
}
