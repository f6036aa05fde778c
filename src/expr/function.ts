import type { Column } from '../columnar/column.js';
import type { Arena } from '../columnar/arena.js';
import type { DataType, Field } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { Expr } from './expr.js';

export type Volatility = 'immutable' | 'stable' | 'volatile';

/** What a function's documentation page shows; every example runs as a test. */
export interface FunctionDoc {
  readonly summary: string;
  readonly example: { readonly sql: string; readonly result: string };
}

/** What is known about expressions where they stand. */
export interface ExprFacts {
  type(expr: Expr): DataType;
  nullable(expr: Expr): boolean;
}

/** Arguments of one evaluation: dense columns (no selection), all `numRows` long, in any encoding. */
export interface ScalarFunctionInput {
  readonly args: readonly Column[];
  readonly numRows: number;
  readonly returnType: DataType;
  /** Where the result goes; belongs to the calling stream. */
  readonly arena: Arena;
}

/**
 * A scalar function: one file in `functions/scalar/`, registered in its index.
 * The expression evaluator calls `evaluate` batch at a time; functions the WASM emitter knows by name are inlined there instead and
 * must agree bit for bit.
 */
export interface ScalarFunction {
  /** Canonical name: what plans print. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly volatility: Volatility;
  readonly doc: FunctionDoc;
  /**
   * Types the arguments must be cast to (same length as `argTypes`), or a `plan` error that names the function and the types it takes.
   */
  coerce(argTypes: readonly DataType[]): DataType[];
  /** Result type for already coerced arguments; literals are given where the type depends on a value (`date_part`'s field). */
  returnType(argTypes: readonly DataType[], literals: readonly (ScalarValue | null)[]): DataType;
  /** Whether the result may be null. Default: it may, whatever the arguments, as DataFusion has it for functions that do not say. */
  nullable?(argNullable: readonly boolean[]): boolean;
  /** True when a null argument makes the result null ("strict"); outer-join elimination relies on it. */
  readonly strict: boolean;
  evaluate(input: ScalarFunctionInput): Column;
  /** Optional rewriting to a simpler expression during `simplify_expressions`; undefined = leave. */
  simplify?(args: readonly Expr[], facts: ExprFacts): Expr | undefined;
}

/**
 * An aggregate function's planning side; how it accumulates stands with its execution (`createAccumulator`).
 * One file in `functions/aggregate/`, partial and final state together.
 */
export interface AggregateFunction {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly doc: FunctionDoc;
  coerce(argTypes: readonly DataType[]): DataType[];
  returnType(argTypes: readonly DataType[]): DataType;
  /** `count` never gives null. */
  readonly nullable: boolean;
  /** Fields of the partial state, named `name[suffix]`, in the order partial aggregates emit them. */
  stateFields(name: string, argTypes: readonly DataType[], distinct: boolean): Field[];
  /** True when the order of input rows can change the result. */
  readonly orderSensitive: boolean;
  /** Takes WITHIN GROUP (ORDER BY x), which stands first among its arguments (`percentile_cont`). */
  readonly orderedSet?: boolean;
  /** As a window: whether the same result comes from the rows in reverse order. */
  readonly reversible?: boolean;
  /** As a window over a growing frame: how its value moves. */
  monotonicity?(argTypes: readonly DataType[]): Monotonicity | null;
  /** The value over no rows, where it is not null (`count`: 0). */
  readonly emptyValue?: ScalarValue;
  /** Execution: makes the accumulator for these (coerced) argument types. */
  createAccumulator(argTypes: readonly DataType[], options: AccumulatorOptions): GroupsAccumulator;
}

export interface AccumulatorOptions {
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  /** The call has an ORDER BY of its own. */
  readonly ordered?: boolean;
}

/**
 * State of one aggregate for many groups, held inside the group rows of an aggregate's hash table.
 *
 * Each group owns `stateWidth` bytes at `row + stateOffset`, zeroed when the group is made (all-zero must be the empty state). Calls
 * get the addresses of the groups' rows, one u32 per input row (`groups`), and dense columns of `numRows` rows. `filter` is 0 or
 * the address of a bitmap; only rows whose bit is set count. Variable-sized state (strings, DISTINCT sets) lives in `arena`, owned
 * by the aggregate and freed with it.
 */
export interface GroupsAccumulator {
  /**
   * Accumulators with the same key make the same state of the same input: one state then serves them all, and only one of them is
   * updated. Undefined: none does.
   */
  readonly stateKey?: string;
  /** Bytes of fixed state per group, a multiple of 8. */
  readonly stateWidth: number;
  /** Raw input → state. */
  update(input: AccumulatorInput): void;
  /** Partial states (columns as in `stateFields`) → state. */
  merge(input: AccumulatorInput): void;
  /** State columns of the `numRows` groups at `groups`, into `arena`. */
  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[];
  /** Final values of the `numRows` groups at `groups`, into `arena`. Overflow is an `execution` error. */
  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column;
}

export interface AccumulatorInput {
  readonly args: readonly Column[];
  readonly numRows: number;
  /** Address of u32[numRows]: the group row of each input row. */
  readonly groups: number;
  readonly stateOffset: number;
  readonly filter: number;
  /** For state that lives as long as the aggregate. */
  readonly arena: Arena;
  /** For what is needed during this call only; the caller resets it between batches. */
  readonly scratch: Arena;
}

/**
 * A pure window function (rank, lag, …): one file in `functions/window/`. Aggregates are window functions too; these are not aggregates.
 */
export interface WindowFunction {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly doc: FunctionDoc;
  coerce(argTypes: readonly DataType[]): DataType[];
  returnType(argTypes: readonly DataType[]): DataType;
  readonly nullable: boolean;
  /** Whether a row's value can be known before the end of its partition is (as far as the frame allows, where it counts). */
  readonly bounded: boolean;
  /** Whether the frame changes the result: ranks and shifts ignore it. */
  readonly usesFrame: boolean;
  /** Whether the values can be found with the rows in reverse order as well (`lag` is then a `lead`). */
  readonly reversible: boolean;
  /** Whether the values ascend within a partition. */
  readonly ascending: boolean;
  /** What the first n rows of the result need of the input, given the constant arguments (null where one is no constant). */
  limitEffect(constants: readonly (ScalarValue | null)[]): LimitEffect;
}

/** Rows that a limited window function reads past the limit, its frame apart. */
export type LimitEffect = { readonly kind: 'none' | 'unknown' } | { readonly kind: 'relative'; readonly rows: number };

/** Whether the value of an aggregate only grows or only shrinks as rows are added. */
export type Monotonicity = 'increasing' | 'decreasing';

/** The functions a session knows; made in `session/`, passed down. Names are looked up in lower case, aliases included. */
export interface FunctionRegistry {
  scalar(name: string): ScalarFunction | undefined;
  aggregate(name: string): AggregateFunction | undefined;
  window(name: string): WindowFunction | undefined;
  /** All names, for suggestions. */
  names(): string[];
}
