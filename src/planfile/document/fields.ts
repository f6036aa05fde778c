import { DistqError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest-names.js';
import { type DocumentNode, kindName, placeInside } from './document-node.js';

/** A value of a document and where it stands in it: `tables.orders.statistics`. */
export interface Place {
  readonly node: DocumentNode;
  /** Empty for the document itself. */
  readonly path: string;
}

/** A `parse` error about a value: its path, its place in the file, what to do. */
export function documentError({ node, path }: Place, message: string, hint?: string): DistqError {
  return new DistqError('parse', path === '' ? message : `${path}: ${message}`, {
    span: node.span,
    ...(hint === undefined ? {} : { hint }),
  });
}

function expected(place: Place, what: string): DistqError {
  return documentError(place, `expected ${what}, found ${kindName(place.node)}`);
}

/** Refuses a value that is no object, and fields that are not among `known`. */
export function checkObject(place: Place, known: readonly string[]): void {
  const { node } = place;
  if (node.kind !== 'object') throw expected(place, 'an object');
  for (const name of node.fields.keys()) {
    if (known.includes(name)) continue;
    const { path } = place;
    throw new DistqError('parse', `${path === '' ? '' : `${path}: `}unknown field "${name}"`, {
      span: node.fields.get(name)?.span ?? node.span,
      hint: didYouMean(name, known) ?? `the fields here are ${known.join(', ')}`,
    });
  }
}

/** A field's value, or undefined where it is missing or null. */
export function optionalField(place: Place, name: string): Place | undefined {
  const { node } = place;
  const found = node.kind === 'object' ? node.fields.get(name)?.value : undefined;
  if (found === undefined || found.kind === 'null') return undefined;
  return new FieldPlace(found, place, name);
}

class FieldPlace implements Place {
  readonly node: DocumentNode;
  readonly #object: Place;
  readonly #name: string;

  constructor(node: DocumentNode, object: Place, name: string) {
    this.node = node;
    this.#object = object;
    this.#name = name;
  }

  get path(): string {
    const { path } = this.#object;
    return path === '' ? this.#name : `${path}.${this.#name}`;
  }
}

export function requiredField(place: Place, name: string, example: string): Place {
  const found = optionalField(place, name);
  if (found === undefined) throw documentError(place, `field "${name}" is missing`, `for example ${example}`);
  return found;
}

export function text(place: Place): string {
  if (place.node.kind !== 'string') throw expected(place, 'text');
  return place.node.value;
}

export function flag(place: Place): boolean {
  if (place.node.kind !== 'boolean') throw expected(place, 'true or false');
  return place.node.value;
}

/** A whole number from `min` that a double holds exactly. */
export function count(place: Place, min = 0): number {
  if (place.node.kind !== 'number') throw expected(place, 'a whole number');
  const value = Number(place.node.text);
  if (!Number.isSafeInteger(value) || value < min) {
    throw documentError(place, `${place.node.text} is no whole number from ${min} to ${Number.MAX_SAFE_INTEGER}`);
  }
  return value;
}

/** An item of a list. Lists are long, and their items' paths are asked for in errors alone. */
class ItemPlace implements Place {
  readonly node: DocumentNode;
  readonly #list: Place;
  readonly #index: number;

  constructor(node: DocumentNode, list: Place, index: number) {
    this.node = node;
    this.#list = list;
    this.#index = index;
  }

  get path(): string {
    return `${this.#list.path}[${this.#index}]`;
  }
}

/** The items of a list, each with its path. */
export function items(place: Place): Place[] {
  const { node } = place;
  if (node.kind !== 'list') throw expected(place, 'a list');
  return node.items.map((item, index) => new ItemPlace(item, place, index));
}

/** The fields of an object whose names are free, in order. */
export function entries(place: Place): [name: string, value: Place][] {
  const { node, path } = place;
  if (node.kind !== 'object') throw expected(place, 'an object');
  return [...node.fields].map(([name, { value }]) => [name, { node: value, path: `${path}.${name}` }]);
}

export function choice<T extends string>(place: Place, choices: readonly T[]): T {
  const value = text(place);
  const found = choices.find((name) => name === value);
  if (found !== undefined) return found;
  throw documentError(place, `"${value}" is not known`, didYouMean(value, choices) ?? `give ${choices.join(', ')}`);
}

/** What `read` throws about the text of a value, as an error about the document. */
export function inPlace<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw placed(place, error);
  }
}

/** The error with the path in front of its message; places in the text of the value become places in the file. */
export function placed({ node, path }: Place, error: unknown): unknown {
  if (!(error instanceof DistqError) || error.kind === 'internal') return error;
  const { span, hint } = error;
  const isLost = span !== undefined && node.kind === 'string' && node.inner === null && span.line > 1;
  return new DistqError(error.kind, `${path}${isLost ? ` (line ${span.line})` : ''}: ${error.message}`, {
    span: span === undefined ? node.span : placeInside(node, span),
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** As `placed`, for errors whose place, if any, is in the file already. */
export function inFile({ node, path }: Place, error: unknown): unknown {
  if (!(error instanceof DistqError) || error.kind === 'internal') return error;
  const { span = node.span, hint } = error;
  return new DistqError(error.kind, `${path}: ${error.message}`, {
    span,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}
