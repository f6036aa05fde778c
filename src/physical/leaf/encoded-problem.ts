/** Nesting that no description of work needs. */
const MAX_DEPTH = 100;

/**
 * Why a value cannot travel, as a phrase that names the place (`a function at unit.callback`), or null: JSON values, bigints, bytes,
 * lists and plain objects can.
 */
export function problemOfEncoded(value: unknown, path: string, depth = 0): string | null {
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'bigint':
    case 'string':
      return null;
    case 'undefined':
      return `undefined at ${path}`;
    case 'function':
    case 'symbol':
      return `a ${typeof value} at ${path}`;
    case 'object':
      break;
  }
  if (value === null || value instanceof Uint8Array) return null;
  if (depth >= MAX_DEPTH) return `more than ${MAX_DEPTH} levels, or a circle, at ${path.slice(0, 60)}…`;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = problemOfEncoded(item, `${path}[${index}]`, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return `an object of class ${value.constructor.name} at ${path}`;
  }
  for (const [key, item] of Object.entries(value)) {
    const problem = problemOfEncoded(item, `${path}.${key}`, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
