import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';

type Json = Record<string, unknown>;

interface Description {
  paths: Record<string, Record<string, Operation>>;
  'x-webhooks': Record<string, Record<string, Operation>>;
  components: Json;
}
interface Operation {
  responses?: Record<string, { content?: Record<string, { schema: Json }>; $ref?: string }>;
  requestBody?: { content: Record<string, { schema: Json }> };
}

const require = createRequire(import.meta.url);
const file = require.resolve('@octokit/openapi/generated/api.github.com.json');
const description: Description = JSON.parse(readFileSync(file, 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(toJsonSchema({ components: description.components }) as Json, 'github');

/**
 * What GitHub's own description of its API has against an answer, an empty list where nothing.
 * `route` is as in the documents: `GET /repos/{owner}/{repo}`.
 */
export function faultsOfAnswer(route: string, status: number, body: unknown): string[] {
  const [method = '', path = ''] = route.split(' ');
  const answer = description.paths[path]?.[method.toLowerCase()]?.responses?.[status];
  if (!answer) throw new Error(`GitHub's description has no ${status} for ${route}`);
  const { content = {} } = answer;
  return faults((content['application/json'] ?? Object.values(content)[0])?.schema, body);
}

/** As `faultsOfAnswer`, for a webhook's payload; `name` as in `pull-request-opened`. */
export function faultsOfWebhook(name: string, payload: unknown): string[] {
  const operation = description['x-webhooks'][name]?.post;
  if (!operation) throw new Error(`GitHub's description has no webhook ${name}`);
  return faults(Object.values(operation.requestBody?.content ?? {})[0]?.schema, payload);
}

function faults(schema: Json | undefined, value: unknown): string[] {
  if (!schema) throw new Error("GitHub's description gives no schema");
  const validate = ajv.compile(toJsonSchema(schema) as Json);
  validate(value);
  return (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`);
}

/** OpenAPI 3.0 as JSON Schema: `nullable` becomes a type, and references point at the description. */
function toJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toJsonSchema);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Json;
  const entries = Object.entries(rest).map(([key, value]) => [
    key,
    key === '$ref' ? String(value).replace(/^#/, 'github#') : toJsonSchema(value),
  ]);
  const schema = Object.fromEntries(entries);
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
