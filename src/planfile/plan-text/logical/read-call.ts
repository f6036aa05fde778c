import { BOOLEAN, INT64 } from '../../../columnar/data-type.js';
import { scalar } from '../../../columnar/scalar-value.js';
import type { AggregateFunction } from '../../../expr/function.js';
import { type PhysicalExpr, type PhysicalSortExpr, physicalLiteral } from '../../../expr/physical-expr.js';
import { physicalCast } from '../../../expr/physical-planner.js';
import { ExprReader } from '../expressions/expr-reader.js';
import type { Slice } from '../expressions/read.js';
import { sequences } from '../expressions/sequence.js';
import { lineError } from '../plan-line.js';
import type { ReadContext } from '../read-context.js';
import { LogicalDialect, type LogicalColumns } from './logical-dialect.js';
import { closingBracket } from './split-list.js';

/** The parts of an aggregate call over the columns of its input. */
export interface AggregateCall {
  readonly func: AggregateFunction;
  readonly args: readonly PhysicalExpr[];
  readonly distinct: boolean;
  readonly filter: PhysicalExpr | null;
  readonly orderBy: readonly PhysicalSortExpr[];
  readonly ignoreNulls: boolean;
}

export interface ReadCall<T> {
  readonly call: T;
  /** Where the text goes on. */
  readonly end: number;
  /** What the text leaves open, or null. */
  readonly doubt: string | null;
}

/** `sum(DISTINCT a) FILTER (WHERE b) ORDER BY [c ASC NULLS LAST]`, in a logical plan (`display`) or as the name of a field. */
export function readAggregateCall(
  slice: Slice,
  form: 'display' | 'name',
  columns: LogicalColumns,
  context: ReadContext,
): ReadCall<AggregateCall> {
  return new CallReader(slice, form, columns, context).aggregate();
}

/** Reads the pieces of calls from left to right. */
export class CallReader {
  readonly #slice: Slice;
  readonly #text: string;
  readonly #dialect: LogicalDialect;
  readonly #reader: ExprReader;
  readonly #context: ReadContext;
  position: number;

  constructor(slice: Slice, form: 'display' | 'name', columns: LogicalColumns, context: ReadContext) {
    this.#slice = slice;
    this.#text = slice.line.text.slice(0, slice.to);
    this.#dialect = new LogicalDialect(this.#text, form, columns);
    this.#reader = new ExprReader(slice.line, slice.to, this.#dialect, context);
    this.#context = context;
    this.position = slice.from;
  }

  get #coerces(): boolean {
    return this.#dialect.coerces;
  }

  get doubt(): string | null {
    const [name] = this.#dialect.ambiguous;
    return name === undefined ? null : `several columns of its input are called ${name}`;
  }

  error(message: string): Error {
    return lineError(this.#slice.line, this.position, message, 'give both rows of EXPLAIN as DataFusion prints them');
  }

  take(text: string): boolean {
    const found = this.#text.startsWith(text, this.position);
    if (found) this.position += text.length;
    return found;
  }

  /** The rest of the text up to its end. */
  get rest(): string {
    return this.#text.slice(this.position);
  }

  functionName(): string {
    const name = /^(\w+)\(/.exec(this.rest)?.[1];
    if (name === undefined) throw this.error('a call is expected here');
    this.position += name.length + 1;
    return name;
  }

  aggregate(): ReadCall<AggregateCall> {
    const start = this.position;
    const name = this.functionName();
    const func = this.#context.functions.aggregate(name);
    if (func === undefined) {
      this.position = start;
      throw this.error(`unknown aggregate function ${name}`);
    }
    const distinct = this.take('DISTINCT ');
    const given = this.take('*)') ? [physicalLiteral(scalar(INT64, 1n))] : this.exprs(')');
    const ignoreNulls = this.take(' IGNORE NULLS');
    if (!ignoreNulls) this.take(' RESPECT NULLS');
    const filter = this.take(' FILTER (WHERE ') ? this.condition() : null;
    const ordered = this.take(' ORDER BY [') || this.take(' WITHIN GROUP [');
    const orderBy = ordered ? this.sortKeys() : [];
    const within = func.orderedSet === true && this.#coerces ? orderBy.map(({ expr }) => expr) : [];
    const args = this.#cast(func, [...within, ...given]);
    return {
      call: { func, args, distinct, filter, orderBy, ignoreNulls },
      end: this.position,
      doubt: this.doubt,
    };
  }

  #cast(func: AggregateFunction, args: readonly PhysicalExpr[]): readonly PhysicalExpr[] {
    if (!this.#coerces || args.length === 0) return args;
    const types = func.coerce(args.map(({ type }) => type));
    return args.map((arg, i) => physicalCast(arg, types[i] ?? arg.type));
  }

  /** The condition of FILTER, up to its parenthesis. */
  condition(): PhysicalExpr {
    const [filter] = this.exprs(')');
    if (filter?.type.kind !== BOOLEAN.kind) throw this.error('the condition of FILTER is no boolean');
    return filter;
  }

  /** A list that ends with the bracket, which is passed over. */
  exprs(close: ')' | ']', separator: ', ' | ',' = this.#separatorBefore(close)): PhysicalExpr[] {
    const end = closingBracket(this.#text, this.position, close);
    if (end < 0) throw this.error(`"${close}" is missing after this`);
    const reader = this.#reader;
    const [found] = sequences(
      this.#text,
      this.position,
      end,
      (position) =>
        reader.alternatives(position, 0, null).flatMap((alternative) => {
          const value = reader.settle(alternative.reading, null, position);
          return value === undefined ? [] : [{ value, end: alternative.end }];
        }),
      (position) => {
        reader.note(position, 'the list should go on or end here');
      },
      separator,
    );
    if (found === undefined) throw reader.error(this.position);
    this.position = end + 1;
    return found;
  }

  #separatorBefore(close: ')' | ']'): ', ' | ',' {
    return close === ']' ? ', ' : this.#dialect.argumentSeparator;
  }

  /** A list of sort keys that ends with `]`. */
  sortKeys(): PhysicalSortExpr[] {
    const end = closingBracket(this.#text, this.position, ']');
    if (end < 0) throw this.error('"]" is missing after this');
    const reader = this.#reader;
    const [found] = sequences(
      this.#text,
      this.position,
      end,
      (position) => reader.sortKeys(position).map((key) => ({ value: key.key, end: key.end })),
      (position) => {
        reader.note(position, 'the list should go on or end here');
      },
    );
    if (found === undefined) throw reader.error(this.position);
    this.position = end + 1;
    return found;
  }
}
