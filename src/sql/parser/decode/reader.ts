import { DistqError, notImplemented, type Span } from '../../../base/errors.js';
import type { Place, Query, SqlExpr } from '../ast.js';

/** Where the text given to the parser begins inside the user's text; both 1-based. */
export interface Origin {
  readonly line: number;
  readonly column: number;
}

export type RawRecord = Readonly<Record<string, unknown>>;

/** Expressions hold queries and queries hold expressions: each side reaches the other through the reader. */
export interface NodeDecoders {
  readonly expr: (reader: Reader, raw: unknown) => SqlExpr;
  readonly query: (reader: Reader, raw: unknown) => Query;
}

/** What every decoding function gets: how to decode the parts of a node, and where they stand in the user's text. */
export class Reader {
  readonly #origin: Origin;
  readonly #nodes: NodeDecoders;

  constructor(origin: Origin, nodes: NodeDecoders) {
    this.#origin = origin;
    this.#nodes = nodes;
  }

  expr(raw: unknown): SqlExpr {
    return this.#nodes.expr(this, raw);
  }

  exprs(raw: unknown): SqlExpr[] {
    return list(raw, 'expressions').map((item) => this.expr(item));
  }

  optionalExpr(raw: unknown): SqlExpr | null {
    return optional(raw, (present) => this.expr(present));
  }

  query(raw: unknown): Query {
    return this.#nodes.query(this, raw);
  }

  /** A `{start, end}` pair of the parser; null where it has none (it writes 0, 0). */
  place(raw: unknown): Place {
    if (absent(raw)) return null;
    const span = record(raw, 'span');
    const [start, end] = [record(span['start'], 'span'), record(span['end'], 'span')];
    const line = integer(start['line'], 'line');
    if (line === 0) return null;
    const endLine = integer(end['line'], 'line');
    return {
      line: line + this.#origin.line - 1,
      column: this.#column(line, integer(start['column'], 'column')),
      endLine: endLine + this.#origin.line - 1,
      endColumn: this.#column(endLine, integer(end['column'], 'column')),
    };
  }

  /** The place of a token attached to a node (`select_token`, `case_token`). */
  token(raw: unknown): Place {
    return absent(raw) ? null : this.place(record(raw, 'token')['span']);
  }

  #column(line: number, column: number): number {
    return line === 1 ? column + this.#origin.column - 1 : column;
  }
}

/** The smallest place that covers all of the given ones. */
export function hull(...places: readonly Place[]): Place {
  let whole: Place = null;
  for (const place of places) {
    if (place === null) continue;
    whole = whole === null ? place : cover(whole, place);
  }
  return whole;
}

export function placeOf(exprs: readonly SqlExpr[]): Place {
  return hull(...exprs.map((expr) => expr.span));
}

function cover(a: Span, b: Span): Span {
  const first = a.line < b.line || (a.line === b.line && a.column <= b.column) ? a : b;
  const [x, y] = [endOf(a), endOf(b)];
  const last = x.endLine > y.endLine || (x.endLine === y.endLine && x.endColumn >= y.endColumn) ? x : y;
  return { line: first.line, column: first.column, ...last };
}

function endOf(place: Span): { readonly endLine: number; readonly endColumn: number } {
  return { endLine: place.endLine ?? place.line, endColumn: place.endColumn ?? place.column };
}

/** The parser leaves out what is not there; its JSON form writes null. */
export function absent(raw: unknown): raw is null | undefined {
  return raw === undefined || raw === null;
}

function unexpected(raw: unknown, what: string): DistqError {
  const shown = raw === undefined ? 'nothing' : JSON.stringify(raw);
  return new DistqError('internal', `the SQL parser gave ${shown.slice(0, 120)} where ${what} was expected`);
}

export function record(raw: unknown, what: string): RawRecord {
  if (!isRecord(raw)) throw unexpected(raw, what);
  return raw;
}

function isRecord(raw: unknown): raw is RawRecord {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

export function list(raw: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(raw)) throw unexpected(raw, what);
  return raw;
}

export function text(raw: unknown, what: string): string {
  if (typeof raw !== 'string') throw unexpected(raw, what);
  return raw;
}

export function flag(raw: unknown, what: string): boolean {
  if (typeof raw !== 'boolean') throw unexpected(raw, what);
  return raw;
}

export function integer(raw: unknown, what: string): number {
  if (typeof raw === 'bigint') return Number(raw);
  if (typeof raw !== 'number' || !Number.isInteger(raw)) throw unexpected(raw, what);
  return raw;
}

export function optional<T>(raw: unknown, decode: (raw: unknown) => T): T | null {
  return absent(raw) ? null : decode(raw);
}

/** A value of a Rust enumeration: its name alone, or `{Name: body}`. */
export interface Variant {
  readonly tag: string;
  readonly body: unknown;
}

export function variant(raw: unknown, what: string): Variant {
  if (typeof raw === 'string') return { tag: raw, body: undefined };
  const entries = Object.entries(record(raw, what));
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) throw unexpected(raw, what);
  return { tag: entry[0], body: entry[1] };
}

/** An enumeration value that this decoder has no case for. */
export function unsupported(construct: string, place: Place): DistqError {
  return notImplemented(construct, place === null ? {} : { span: place });
}

/** A name the pinned parser cannot give. */
export function unknownVariant(tag: string, what: string): DistqError {
  return new DistqError('internal', `the SQL parser gave an unknown ${what}: ${tag}`);
}

/** Refuses a node that uses one of these fields, which have no place in the tree; each is given with the name users know it by. */
export function refuse(node: RawRecord, constructs: Readonly<Record<string, string>>, place: Place): void {
  for (const [name, construct] of Object.entries(constructs)) {
    const value = node[name];
    const isUsed =
      !absent(value) && value !== false && value !== 'None' && !(Array.isArray(value) && value.length === 0);
    if (isUsed) throw unsupported(construct, place);
  }
}
