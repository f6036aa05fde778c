import { invariant } from '../../../base/errors.js';
import { BOOLEAN, type DataType, isFloating, isString } from '../../../columnar/data-type.js';
import type { Schema } from '../../../columnar/schema.js';
import { displayPhysicalExpr, displaySortExprs } from '../../../expr/physical-expr-display.js';
import { physicalExprKey, visitPhysical } from '../../../expr/physical-expr-transform.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../../expr/physical-expr.js';
import type { ProjectedExpr } from '../../../physical/equivalence.js';
import { namedExprText } from '../../../physical/operators/operator-text.js';
import { lineError, type PlanLine } from '../plan-line.js';
import type { ReadContext } from '../read-context.js';
import { ExprReader } from './expr-reader.js';
import { PhysicalDialect } from './physical-dialect.js';
import { type Item, sequences } from './sequence.js';

/** A part of a line: UTF-16 offsets, `to` exclusive. */
export interface Slice {
  readonly line: PlanLine;
  readonly from: number;
  readonly to: number;
}

/** The text of the slice; what dynamic filters hold after a run is left out, as they print before one. */
function sliceText({ line, from, to }: Slice): string {
  return line.text.slice(from, to).replace(/DynamicFilter \[ .*? \]/g, 'DynamicFilter [ empty ]');
}

function readerOf({ line, to }: Slice, schema: Schema, context: ReadContext): ExprReader {
  const text = line.text.slice(0, to);
  return new ExprReader(line, to, new PhysicalDialect(text, schema, context.constants), context);
}

/** One expression over the schema; a predicate where BOOLEAN is wanted. */
export function readExpr(slice: Slice, schema: Schema, wanted: DataType | null, context: ReadContext): PhysicalExpr {
  const found = readerOf(slice, schema, context).readWhole(slice.from, wanted);
  const [expr] = chosen(
    found.map((one) => [one] as const),
    slice,
    context,
  );
  if (wanted?.kind === BOOLEAN.kind && expr.type.kind !== BOOLEAN.kind && expr.type.kind !== 'Null') {
    throw lineError(slice.line, slice.from, 'the condition is no boolean', 'give the line as DataFusion prints it');
  }
  checkText(slice, displayPhysicalExpr(expr), context);
  return expr;
}

/** `a@0, b@1 + 1`. */
export function readExprs(slice: Slice, schema: Schema, context: ReadContext): PhysicalExpr[] {
  const reader = readerOf(slice, schema, context);
  const item = (position: number): Item<PhysicalExpr>[] =>
    reader.alternatives(position, 0, null).flatMap(({ reading, end }) => {
      const value = reader.settle(reading, null, position);
      return value === undefined ? [] : [{ value, end }];
    });
  const found = readSequences(reader, slice, item);
  const exprs = chosen(found, slice, context);
  checkText(slice, exprs.map(displayPhysicalExpr).join(', '), context);
  return exprs;
}

/** `a@0 ASC NULLS LAST, b@1 DESC`. */
export function readSortKeys(slice: Slice, schema: Schema, context: ReadContext): PhysicalSortExpr[] {
  const reader = readerOf(slice, schema, context);
  const found = readSequences(reader, slice, (position) =>
    reader.sortKeys(position).map(({ key, end }) => ({ value: key, end })),
  );
  const [keys] = found;
  if (new Set(found.map((one) => one.map(({ expr }) => physicalExprKey(expr)).join())).size > 1) {
    context.doubt(slice.line, `"${sliceText(slice)}" can be read in more than one way`);
  }
  checkText(slice, displaySortExprs(keys), context);
  return keys;
}

/** `a@0 as a, b@1 + 1 as x, NULL`. */
export function readNamedExprs(slice: Slice, schema: Schema, context: ReadContext): ProjectedExpr[] {
  const reader = readerOf(slice, schema, context);
  const found = readSequences(reader, slice, (position) => namedItems(reader, slice, position));
  const [first] = found;
  // A name could go on over the items behind it; that none does is what a list is.
  const full = found.filter((list) => list.length === first.length);
  const keys = new Set(full.map((list) => list.map(({ expr, name }) => `${physicalExprKey(expr)} ${name}`).join('\n')));
  if (keys.size > 1) context.doubt(slice.line, 'its list of expressions can be read in more than one way');
  for (const { expr } of first) noteDoubts(expr, slice, context);
  checkText(slice, first.map(({ expr, name }) => namedExprText(expr, name)).join(', '), context);
  return first;
}

function namedItems(reader: ExprReader, { line, to }: Slice, position: number): Item<ProjectedExpr>[] {
  const { text } = line;
  return reader.alternatives(position, 0, null).flatMap(({ reading, end }): Item<ProjectedExpr>[] => {
    const expr = reader.settle(reading, null, position);
    if (expr === undefined) return [];
    if (!text.startsWith(' as ', end)) {
      // A constant under its own text as name is only written for NULL.
      const bare = reading.kind === 'untyped' && reading.text !== 'NULL';
      if (bare || !(end === to || text.startsWith(', ', end))) {
        reader.note(end, '" as " and a name are expected here');
        return [];
      }
      return [{ value: { expr, name: text.slice(position, end) }, end }];
    }
    const start = end + 4;
    return nameEnds(text, start, to).map((nameEnd) => ({
      value: { expr, name: text.slice(start, nameEnd) },
      end: nameEnd,
    }));
  });
}

/** Where a name may end: at a comma outside of its brackets, or where the list does. */
function nameEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let i = from; i < to; i++) {
    const char = text[i];
    if (char === '(' || char === '[' || char === '{') depth++;
    else if (char === ')' || char === ']' || char === '}') depth--;
    else if (depth <= 0 && text.startsWith(', ', i)) ends.push(i);
  }
  ends.push(to);
  return ends;
}

function readSequences<T>(
  reader: ExprReader,
  slice: Slice,
  item: (position: number) => readonly Item<T>[],
): [T[], ...T[][]] {
  const found = sequences(slice.line.text, slice.from, slice.to, item, (position) => {
    reader.note(position, 'the list should go on with ", " or end here');
  });
  const [first, ...others] = found;
  if (first === undefined) throw reader.error(slice.from);
  return [first, ...others];
}

/** The first of the readings; that there are others, or that the text does not tell the order of its operations, is a doubt. */
function chosen<T extends readonly PhysicalExpr[]>(found: readonly T[], slice: Slice, context: ReadContext): T {
  const [first] = found;
  invariant(first !== undefined, 'what is read has a reading');
  if (new Set(found.map((exprs) => exprs.map(physicalExprKey).join('\n'))).size > 1) {
    context.doubt(slice.line, `"${sliceText(slice)}" can be read in more than one way`);
  }
  for (const expr of first) noteDoubts(expr, slice, context);
  return first;
}

/** What the text of an expression leaves open. */
function noteDoubts(expr: PhysicalExpr, slice: Slice, context: ReadContext): void {
  visitPhysical(expr, (node) => {
    if (isOpenChain(node)) {
      const shown = displayPhysicalExpr(node);
      context.doubt(slice.line, `"${shown}" is printed alike however its operations are nested`);
    }
    if (node.kind === 'in_list' && isString(node.expr.type) && context.constants.isEmpty && node.list.length > 1) {
      context.doubt(slice.line, `the items of "${displayPhysicalExpr(node)}" may hold commas`);
    }
  });
}

/** `a - b - c`: operators of one precedence get no parentheses, so the right pair may have belonged together. */
function isOpenChain(node: PhysicalExpr): boolean {
  if (node.kind !== 'binary' || node.left.kind !== 'binary') return false;
  const { op, left } = node;
  if (op === '+' || op === '-') return left.op === '-';
  if (op !== '*' && op !== '/' && op !== '%') return false;
  if (left.op === '*') return op === '%' || (op === '/' && !isFloating(node.type));
  return left.op === '/' || left.op === '%';
}

/** What was read must print as it stood. */
function checkText(slice: Slice, printed: string, context: ReadContext): void {
  const given = sliceText(slice);
  if (printed !== given) context.doubt(slice.line, `"${given}" would be printed as "${printed}"`);
}

/** `a@0, c@2` as positions of the schema. */
export function readColumns({ line, from, to }: Slice, schema: Schema): number[] {
  const names = schema.fields.map(({ name }, index) => `${name}@${index}`);
  const item = (position: number): Item<number>[] =>
    names.flatMap((name, index) => {
      const end = position + name.length;
      const fits = line.text.startsWith(name, position) && (end === to || line.text.startsWith(', ', end));
      return fits ? [{ value: index, end }] : [];
    });
  let reached = from;
  const tried = (position: number): Item<number>[] => {
    reached = Math.max(reached, position);
    return item(position);
  };
  const [found] = sequences(line.text, from, to, tried, () => undefined);
  if (found !== undefined) return found;
  const shown = line.text.slice(reached, to).split(', ')[0] ?? '';
  const known =
    names.length <= 12 ? `the columns here are ${names.join(', ')}` : `there are ${names.length} columns here`;
  throw lineError(line, reached, `"${shown}" is no column of this input`, `${known}: give a name with its position`);
}
