import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from './links.ts';

/** One page of a list, with GitHub's `Link` header to the others. 30 per page, at most 100. */
export function paginate<T>(request: FastifyRequest, reply: FastifyReply, items: T[]): T[] {
  const query = request.query as Record<string, string | undefined>;
  const size = Math.min(positive(query.per_page, 30), 100);
  const page = positive(query.page, 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const pages: Record<string, number> = {
    ...(page > 1 && { prev: page - 1, first: 1 }),
    ...(page < last && { next: page + 1, last }),
  };
  const link = Object.entries(pages).map(([rel, number]) => {
    const url = new URL(request.url, originOf(request));
    url.searchParams.set('page', String(number));
    return `<${url}>; rel="${rel}"`;
  });
  if (link.length > 0) reply.header('link', link.join(', '));
  return items.slice((page - 1) * size, page * size);
}

function positive(text: string | undefined, fallback: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : fallback;
}
