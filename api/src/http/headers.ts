import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/** Security headers of every answer. Styles may be inline because Mantine writes them so; scripts may not. */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: https: ${new URL(config.GITHUB_URL).origin} ${new URL(config.GITHUB_API_URL).origin}`,
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  const isHttps = config.PUBLIC_URL.startsWith('https:');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
    });
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}
