import type { FastifyRequest } from 'fastify';
import type { GitHub } from './context.ts';

/**
 * The base addresses that an answer's links start with. `html` is for browsers and always the same; `origin` is the
 * address the caller reached us by, so that a pod gets clone and API links that work inside the cluster.
 */
export interface Links {
  html: string;
  origin: string;
  api: string;
}

export const linksFrom = (github: GitHub, origin: string): Links => ({
  html: github.publicUrl,
  origin,
  api: `${origin}/api/v3`,
});

export const linksFor = (github: GitHub, request: FastifyRequest): Links =>
  linksFrom(github, originOf(request));

export const originOf = (request: FastifyRequest): string => `http://${request.host}`;

/** GitHub's opaque global id. */
export const nodeId = (type: string, id: number | string): string =>
  Buffer.from(`${type}:${id}`).toString('base64');
