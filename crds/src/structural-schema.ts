type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const DROPPED = new Set(['$schema', 'additionalProperties', 'propertyNames']);

/**
 * Turns zod's OpenAPI 3.0 output into a structural schema as Kubernetes demands it: no `$schema`, no
 * `additionalProperties: false` beside properties, no patterns that repeat a format, safe integers left to the API server.
 */
export function structuralSchema(schema: unknown): Json {
  return convert(schema as Json);
}

function convert(node: Json): Json {
  if (Array.isArray(node)) return node.map(convert);
  if (node === null || typeof node !== 'object') return node;
  const result: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(node)) {
    if (DROPPED.has(key)) continue;
    if (key === 'pattern' && 'format' in node) continue;
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
      continue;
    // Property names are data: a property called "pattern" must not be dropped.
    result[key] =
      key === 'properties' && value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, property]) => [name, convert(property)]))
        : key === 'default' || key === 'enum' || key === 'x-kubernetes-validations'
          ? value
          : convert(value);
  }
  return result;
}
