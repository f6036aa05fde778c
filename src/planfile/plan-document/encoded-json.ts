import type { EncodedValue } from '../../expr/expr-codec.js';
import type { DocumentNode } from '../document/document-node.js';
import { documentError, entries, items, type Place } from '../document/fields.js';
import { type FileTable, holdsFiles, readPieces } from './file-table.js';

/** What `JSON.stringify` writes as it stands. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/*
 * The JSON form of encoded trees. What JSON has no exact word for is an object with one field that begins with a dollar sign:
 *   {"$int": "9223372036854775807"}   a bigint
 *   {"$number": "-0"}                 −0, NaN, Infinity, -Infinity
 *   {"$bytes": "AQID"}                bytes, base64
 *   {"$object": {…}}                  an object that has a field of such a name itself
 * Pieces of files are positions in a table of files.
 */

export function toJson(value: EncodedValue, files: FileTable): JsonValue {
  if (typeof value === 'bigint') return { $int: String(value) };
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: numberText(value) };
  }
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === null) return null;
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (isList(value)) return value.map((inner) => toJson(inner, files));
  const fields = Object.entries(value);
  const object = Object.fromEntries(
    fields.map(([name, inner]) => [name, holdsFiles(name) ? files.write(inner) : toJson(inner, files)]),
  );
  return fields.some(([name]) => name.startsWith('$')) ? { $object: object } : object;
}

function isList(value: EncodedValue): value is readonly EncodedValue[] {
  return Array.isArray(value);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const NUMBERS: Readonly<Record<string, number>> = { '-0': -0, NaN: Number.NaN, Infinity, '-Infinity': -Infinity };

/** Reads what `toJson` wrote, with the files of its table; a form it never writes is a `parse` error. */
export function fromJson(place: Place, files: readonly EncodedValue[]): EncodedValue {
  const { node } = place;
  switch (node.kind) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return node.value;
    case 'number':
      return Number(node.text);
    case 'list':
      return items(place).map((item) => fromJson(item, files));
    case 'object': {
      const [first] = node.fields.keys();
      if (first?.startsWith('$') === true) return special(place, first, node.fields.get(first)?.value, files);
      return plainObject(place, files);
    }
  }
}

function plainObject(place: Place, files: readonly EncodedValue[]): EncodedValue {
  return Object.fromEntries(
    entries(place).map(([name, value]) => [name, holdsFiles(name) ? readPieces(value, files) : fromJson(value, files)]),
  );
}

function special(
  place: Place,
  name: string,
  value: DocumentNode | undefined,
  files: readonly EncodedValue[],
): EncodedValue {
  const text = value?.kind === 'string' ? value.value : undefined;
  if (name === '$int' && text !== undefined && /^-?\d+$/.test(text)) return BigInt(text);
  if (name === '$number' && text !== undefined && Object.hasOwn(NUMBERS, text)) return NUMBERS[text] ?? 0;
  if (name === '$bytes' && text !== undefined) {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') === text) return new Uint8Array(bytes);
  }
  if (name === '$object' && value !== undefined) {
    return plainObject({ node: value, path: `${place.path}.$object` }, files);
  }
  throw documentError(place, `${name} holds no value that distq writes`);
}
