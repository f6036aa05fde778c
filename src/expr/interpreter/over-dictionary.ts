import { asDistqError } from '../../base/errors.js';
import { Column, type Dictionary, makeDictionary } from '../../columnar/column.js';
import type { Arena } from '../../columnar/arena.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import { collectPhysicalColumns, visitPhysical } from '../physical-expr-transform.js';
import type { PhysicalExpr } from '../physical-expr.js';
import type { EvalContext, EvalNode } from './eval-node.js';
import { allRows, forEachRow, type Rows } from './rows.js';

const FALSE = 0;
const TRUE = 1;
const UNKNOWN = 2;

/** Truth of an expression over one column, per code of a dictionary; kept as long as the dictionary lives. */
export class TruthTables {
  readonly #node: EvalNode;
  readonly #tables = new WeakMap<Dictionary, Uint8Array>();

  constructor(node: EvalNode) {
    this.#node = node;
  }

  /**
   * 0 false, 1 true, 2 null by code, and for null after the last code. Undefined when it is not worth making for so few rows, or
   * when a value of the dictionary (which perhaps no row has) fails.
   */
  tableFor(input: Column, dictionary: Dictionary, rowCount: number, arena: Arena): Uint8Array | undefined {
    let table = this.#tables.get(dictionary);
    if (table !== undefined || dictionary.size > rowCount * 2) return table;
    table = truthTable(this.#node, arena, input, dictionary);
    if (table !== undefined) this.#tables.set(dictionary, table);
    return table;
  }
}

/**
 * An expression over one column is, when that column comes with a dictionary, evaluated once per dictionary value and mapped to the
 * codes. Truth tables are kept for the life of the dictionary (keyed by the object, never by its address); other results become a
 * dictionary of their own.
 */
export function overDictionary(expr: PhysicalExpr, node: EvalNode): EvalNode {
  const columns = collectPhysicalColumns([expr]);
  const column = columns[0];
  if (column === undefined || columns.length !== 1 || !isPure(expr)) return node;
  const tables = new TruthTables(node);
  return (context, rows) => {
    const input = context.column(column.index);
    const { dictionary } = input;
    if (dictionary === null || dictionary.size === 0) return node(context, rows);
    if (expr.type.kind === 'Boolean') {
      const table = tables.tableFor(input, dictionary, rows.count, context.arena);
      return table === undefined ? node(context, rows) : mapTruth(context, rows, input, table);
    }
    if (dictionary.size > rows.count) return node(context, rows);
    return mapValues(node, context, rows, input, dictionary) ?? node(context, rows);
  };
}

function isPure(expr: PhysicalExpr): boolean {
  let pure = true;
  visitPhysical(expr, (part) => {
    if (part.kind === 'scalar_function' && part.func.volatility !== 'immutable') pure = false;
  });
  return pure;
}

/** The values of the dictionary as input; undefined when evaluating over them fails (a value no row has may be the one that breaks). */
function overValues(node: EvalNode, arena: Arena, input: Column, dictionary: Dictionary): Column | undefined {
  const values = Column.flat(input.type, dictionary.layout, dictionary.size, dictionary.values);
  return attempt(node, { arena, column: () => values }, allRows(dictionary.size));
}

function attempt(node: EvalNode, context: EvalContext, rows: Rows): Column | undefined {
  try {
    return node(context, rows);
  } catch (error) {
    if (asDistqError(error).kind === 'execution') return undefined;
    throw error;
  }
}

/** Truth per code, and for null in the last place. */
function truthTable(node: EvalNode, arena: Arena, input: Column, dictionary: Dictionary): Uint8Array | undefined {
  const results = overValues(node, arena, input, dictionary);
  const forNull = Column.nulls(input.type, dictionary.layout, 1);
  const nullResult = attempt(node, { arena, column: () => forNull }, allRows(1));
  if (results === undefined || nullResult === undefined) return undefined;
  const table = new Uint8Array(dictionary.size + 1);
  const read = new ColumnReader(results);
  for (let code = 0; code < dictionary.size; code++) table[code] = truth(read, code);
  table[dictionary.size] = truth(new ColumnReader(nullResult), 0);
  return table;
}

function truth(reader: ColumnReader, row: number): number {
  if (reader.isNull(row)) return UNKNOWN;
  return reader.boolean(row) ? TRUE : FALSE;
}

function mapTruth(context: EvalContext, rows: Rows, input: Column, table: Uint8Array): Column {
  const out = new ColumnBuilder(BOOLEAN, rows.capacity, context.arena);
  const reader = new ColumnReader(input);
  const codes = input.values >>> 2;
  const forNull = table.length - 1;
  forEachRow(rows, (row) => {
    const found = table[reader.isNull(row) ? forNull : heap.u32[codes + row]!]!;
    if (found === UNKNOWN) out.setNull(row);
    else out.setBoolean(row, found === TRUE);
  });
  return out.finish();
}

/** The results as a dictionary under the same codes; undefined where that cannot be said (a null among them, or for null). */
function mapValues(
  node: EvalNode,
  context: EvalContext,
  rows: Rows,
  input: Column,
  dictionary: Dictionary,
): Column | undefined {
  const results = overValues(node, context.arena, input, dictionary);
  if (results?.encoding !== 'flat' || results.validity !== 0) return undefined;
  if (input.validity !== 0) {
    const forNull = Column.nulls(input.type, dictionary.layout, 1);
    const nullResult = attempt(node, { arena: context.arena, column: () => forNull }, allRows(1));
    if (nullResult === undefined || !new ColumnReader(nullResult).isNull(0)) return undefined;
  }
  const derived = makeDictionary(results.layout, results.values, dictionary.size);
  return Column.dictionary(results.type, derived, rows.capacity, input.values, input.validity);
}
