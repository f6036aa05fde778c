/**
 * JSON for people: a level is two spaces, and what fits a glance stands on one line, namely objects of plain values and lists, of lists
 * too, of plain values. Deeper lists have a line per item. `undefined` fields are left out. Ends without a newline.
 */
export function jsonLines(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (listDepth(items) <= 2) return JSON.stringify(items);
    return `[\n${items.map((item) => inner + jsonLines(item, inner)).join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  const isPlain = fields.every(([, field]) => typeof field !== 'object' || field === null);
  const texts = fields.map(([name, field]) => `${JSON.stringify(name)}: ${jsonLines(field, inner)}`);
  if (isPlain) return `{ ${texts.join(', ')} }`;
  return `{\n${texts.map((text) => inner + text).join(',\n')}\n${indent}}`;
}

/** 1 for a list of plain values; Infinity where an object is in it. */
function listDepth(items: readonly unknown[]): number {
  let deepest = 0;
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    if (!Array.isArray(item)) return Infinity;
    deepest = Math.max(deepest, listDepth(item));
  }
  return deepest + 1;
}
