import type { z } from 'zod';

const documentation = 'https://docs.github.com/rest';

/** One of GitHub's field errors: `code` is missing, missing_field, invalid, already_exists or custom. */
export interface FieldError {
  resource: string;
  field?: string;
  code: string;
  message?: string;
}

/** An answer in GitHub's error shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, message: string, errors?: FieldError[]) {
    super(message);
    this.status = status;
    this.body = {
      message,
      ...(errors && { errors }),
      documentation_url: documentation,
      status: String(status),
    };
  }
}

export const badCredentials = () => new ApiError(401, 'Bad credentials');
export const requiresAuthentication = () => new ApiError(401, 'Requires authentication');
export const notFound = () => new ApiError(404, 'Not Found');
export const forbidden = (message: string) => new ApiError(403, message);
export const invalid = (...errors: FieldError[]) => new ApiError(422, 'Validation Failed', errors);

/** Parses a request's body, or throws GitHub's 422 naming the fields at fault. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown, resource: string): z.output<S> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw invalid(
    ...result.error.issues.map(issue => ({
      resource,
      field: issue.path.join('.'),
      code: issue.code === 'invalid_type' && issue.input === undefined ? 'missing_field' : 'invalid',
      message: issue.message,
    })),
  );
}
