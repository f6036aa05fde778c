import { type DataType, FLOAT64, INT64 } from '../../../columnar/data-type.js';
import type { Schema } from '../../../columnar/schema.js';
import { physicalExprKey, visitPhysical } from '../../../expr/physical-expr-transform.js';
import { DistqError } from '../../../base/errors.js';
import type { PhysicalAggregateExpr } from '../../../physical/aggregate-expr.js';
import type { Slice } from '../expressions/read.js';
import { logicalColumns } from '../logical/logical-columns.js';
import type { LogicalColumns } from '../logical/logical-dialect.js';
import type { CallText } from '../logical/call-texts.js';
import type { CallList } from '../logical/logical-facts.js';
import { type AggregateCall, readAggregateCall } from '../logical/read-call.js';
import { nameOfDisplay } from '../logical/name-of-display.js';
import { lastTopLevel, splitList } from '../logical/split-list.js';
import type { ReadContext } from '../read-context.js';

/** An entry of `aggr=[…]`: the field's name, and the call as it is printed. */
export interface AggregateEntry {
  readonly name: string;
  readonly text: string;
}

interface MatchedList {
  readonly entries: readonly AggregateEntry[];
  /** The logical node's calls; null where the text has no logical plan. */
  readonly calls: CallList | null;
}

/** The entries of `aggr=[…]`. Names may hold anything: the logical plan's lists say where they end; without it, brackets do. */
export function aggregateEntries(slice: Slice, context: ReadContext): MatchedList[] {
  const matched = context.logical.aggregates.flatMap((calls) => {
    const entries = entriesNamed(slice, calls.map(fieldName));
    return entries === undefined ? [] : [{ entries, calls }];
  });
  if (matched.length > 0) return matched;
  const { line, from, to } = slice;
  const entries = splitList(line.text, from, to).map((part) => {
    const as = lastTopLevel(line.text, ' as ', part);
    const text = line.text.slice(part.from, as < 0 ? part.to : as);
    return { name: as < 0 ? text : line.text.slice(as + 4, part.to), text };
  });
  return [{ entries, calls: null }];
}

/** The name of the field that a logical call makes. */
function fieldName({ call, alias }: CallText): string {
  return alias ?? nameOfDisplay(call.line.text.slice(call.from, call.to));
}

/** The entries, if the list is exactly of these names, each alone or behind ` as `. */
function entriesNamed({ line, from, to }: Slice, names: readonly string[]): AggregateEntry[] | undefined {
  const { text } = line;
  const entries: AggregateEntry[] = [];
  const ends = (position: number): boolean => position === to || (position < to && text.startsWith(', ', position));
  let position = from;
  for (const wanted of names) {
    if (entries.length > 0) {
      if (!text.startsWith(', ', position)) return undefined;
      position += 2;
    }
    const entry = entryNamed(text, position, wanted, ends);
    if (entry === undefined) return undefined;
    entries.push(entry.entry);
    position = entry.end;
  }
  return position === to ? entries : undefined;
}

function entryNamed(
  text: string,
  position: number,
  wanted: string,
  ends: (position: number) => boolean,
): { entry: AggregateEntry; end: number } | undefined {
  if (text.startsWith(wanted, position) && ends(position + wanted.length)) {
    return { entry: { name: wanted, text: wanted }, end: position + wanted.length };
  }
  const marker = ` as ${wanted}`;
  for (let at = text.indexOf(marker, position); at >= 0; at = text.indexOf(marker, at + 1)) {
    const end = at + marker.length;
    if (ends(end)) return { entry: { name: wanted, text: text.slice(position, at) }, end };
  }
  return undefined;
}

/** The calls of an aggregate that reads raw rows. What the text leaves open is a doubt. */
export function firstStageAggregates(slice: Slice, input: Schema, context: ReadContext): PhysicalAggregateExpr[] {
  if (slice.from === slice.to) return [];
  const readings = new Map<string, PhysicalAggregateExpr[]>();
  let failure: DistqError | undefined;
  const columns = logicalColumns(input, context.logical);
  for (const { entries, calls } of aggregateEntries(slice, context)) {
    try {
      const aggregates = entries.map((entry, i) => {
        const text = calls?.[i];
        if (text === undefined) return fromName(entry, slice, columns, context);
        return described(entry, readAggregateCall(text.call, 'display', columns, context), slice, context);
      });
      readings.set(aggregates.map(aggregateKey).join('\n'), aggregates);
    } catch (error) {
      if (!(error instanceof DistqError) || error.kind === 'internal') throw error;
      failure ??= error;
    }
  }
  const [first] = readings.values();
  if (first === undefined) throw failure ?? new DistqError('internal', 'aggregates without a reading');
  if (readings.size > 1) context.doubt(slice.line, 'several aggregates of the logical plan have its names');
  return first;
}

function aggregateKey({ func, args, distinct, filter, orderBy }: PhysicalAggregateExpr): string {
  const parts = [...args, ...(filter === null ? [] : [filter]), ...orderBy.map(({ expr }) => expr)].map(
    physicalExprKey,
  );
  return `${func.name} ${String(distinct)} ${parts.join(' ')}`;
}

function described(
  { name, text }: AggregateEntry,
  { call, doubt }: { readonly call: AggregateCall; readonly doubt: string | null },
  slice: Slice,
  context: ReadContext,
): PhysicalAggregateExpr {
  if (doubt !== null) context.doubt(slice.line, doubt);
  return { ...call, name, text, type: resultType(call), nullable: call.func.nullable };
}

function resultType({ func, args }: AggregateCall): DataType {
  return func.returnType(args.map(({ type }) => type));
}

/**
 * Without a logical plan only the names tell the arguments. A name has no parentheses and no casts: of one that computes, the order of
 * operations is open.
 */
function fromName(
  entry: AggregateEntry,
  slice: Slice,
  columns: LogicalColumns,
  context: ReadContext,
): PhysicalAggregateExpr {
  const { line } = slice;
  const { name, text } = entry;
  // The call that runs is printed first; with only plain columns it is as good as the name, and it shows rewrites.
  for (const shown of text === name ? [name] : [text, name]) {
    const from = line.text.indexOf(shown, slice.from);
    const part: Slice = { line, from, to: from + shown.length };
    const read = tryRead(part, columns, context);
    if (read === undefined || read.end !== part.to) continue;
    if (shown !== name && read.call.args.some(({ kind }) => kind !== 'column')) continue;
    const computes = read.call.args.some(isOpen) || (read.call.filter !== null && isOpen(read.call.filter));
    if (computes) context.doubt(line, `the arguments of ${name} are in the logical plan only`);
    return described(entry, read, slice, context);
  }
  return unread(entry, slice, context);
}

function tryRead(
  slice: Slice,
  columns: LogicalColumns,
  context: ReadContext,
): ReturnType<typeof readAggregateCall> | undefined {
  try {
    return readAggregateCall(slice, 'name', columns, context);
  } catch (error) {
    if (error instanceof DistqError && error.kind !== 'internal') return undefined;
    throw error;
  }
}

/** Whether names leave something of the expression open. */
function isOpen(expr: Parameters<typeof visitPhysical>[0]): boolean {
  let open = false;
  visitPhysical(expr, (node) => {
    if (node.kind !== 'column' && node.kind !== 'literal' && node.kind !== 'cast') open = true;
  });
  return open;
}

/** A call by its name alone, to show: counts are integers, averages doubles, and what others give is not known. */
function unread({ name, text }: AggregateEntry, { line, from }: Slice, context: ReadContext): PhysicalAggregateExpr {
  const called = /^(\w+)\(/.exec(text)?.[1] ?? '';
  const func = context.functions.aggregate(called);
  if (func === undefined) {
    const hint = 'give the query as SQL';
    throw new DistqError('parse', `unknown aggregate function ${called === '' ? text : called}`, {
      span: { line: line.line, column: line.column + from },
      hint,
    });
  }
  context.doubt(line, `the arguments of ${name} are in the logical plan only`);
  const type = called === 'count' ? INT64 : FLOAT64;
  const args = [{ kind: 'literal', value: { type, value: null }, type, nullable: true } as const];
  return {
    func,
    args,
    distinct: false,
    filter: null,
    orderBy: [],
    ignoreNulls: false,
    name,
    text,
    type: func.returnType([type]),
    nullable: func.nullable,
  };
}
