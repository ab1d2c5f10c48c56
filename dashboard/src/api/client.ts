import type { z } from 'zod';
import type { Problem } from '#contract/entities.ts';
import { ROUTES, type Route } from '#contract/routes.ts';
import { endSession, sessionToken } from '../session/session.ts';
import { isWebAddress } from './web-address.ts';

type Routes = typeof ROUTES;
/** Routes whose 2xx answer is JSON. */
export type RouteName = {
  [N in keyof Routes]: Routes[N] extends { response: z.ZodType } ? N : never;
}[keyof Routes];

type Answer<N extends RouteName> = Routes[N] extends { response: infer S extends z.ZodType }
  ? z.output<S>
  : never;

type PathParams<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/** Which keys are required is the input's business, what they hold the output's: coerced numbers are numbers here. */
type Sent<S extends z.ZodType> = {
  [K in keyof z.input<S>]: K extends keyof z.output<S> ? z.output<S>[K] : never;
};

type Input<N extends RouteName> = ([PathParams<Routes[N]['path']>] extends [never]
  ? { params?: never }
  : { params: Record<PathParams<Routes[N]['path']>, string> }) &
  (Routes[N] extends { query: infer Q extends z.ZodType } ? { query: Sent<Q> } : { query?: never }) &
  (Routes[N] extends { body: infer B extends z.ZodType } ? { body: Sent<B> } : { body?: never }) & {
    signal?: AbortSignal;
  };

/** An answer other than 2xx. `message` is the server's own `error` where it sent one. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Calls a route of the contract and returns its JSON. Throws ApiError for any answer other than 2xx; a 401 has by then
 * ended the session or sent the browser to GitHub (specification, part 1, section 8).
 */
export async function call<N extends RouteName>(name: N, input: Input<N>): Promise<Answer<N>> {
  const route: Pick<Route, 'method' | 'path'> = ROUTES[name];
  const { params, query, body, signal } = input as RawInput;
  const response = await fetch(addressOf(route.path, params, query), {
    method: route.method,
    headers: headers(body !== undefined),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw await failure(response);
  return (await response.json()) as Answer<N>;
}

interface RawInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Fills `:name` parameters and appends the query; values that are undefined are left out. */
export function addressOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return filled;
  return `${filled}?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
}

/** Headers of every call: the session, and that JSON is spoken. */
export function headers(withBody = false): Record<string, string> {
  const token = sessionToken();
  return {
    accept: 'application/json',
    ...(withBody && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
}

/** The error that an answer other than 2xx stands for, after what a 401 demands has been done. */
export async function failure(response: Response): Promise<ApiError> {
  const payload = await readProblem(response);
  if (response.status !== 401) return new ApiError(response.status, payload.error, payload.code);
  if (payload.requires_reauth && payload.auth_url && isWebAddress(payload.auth_url)) {
    window.location.assign(payload.auth_url);
    return new ApiError(401, 'GitHub re-authentication required', payload.code);
  }
  endSession('expired');
  return new ApiError(401, 'Unauthorized - please log in again', payload.code);
}

async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => ({ error: 'Unknown error' }));
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    return body as Problem;
  }
  return { error: `HTTP ${response.status}: ${response.statusText}` };
}
