import type { DataType } from '../columnar/data-type.js';
import type { WindowFrame, WindowFrameBound } from '../expr/expr.js';
import type { AggregateFunction, LimitEffect, WindowFunction } from '../expr/function.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';

/** One window call over the columns of its operator's input. All calls of an operator have the same keys. */
export interface PhysicalWindowExpr {
  readonly func: WindowFunction | AggregateFunction;
  readonly args: readonly PhysicalExpr[];
  readonly partitionBy: readonly PhysicalExpr[];
  readonly orderBy: readonly PhysicalSortExpr[];
  readonly frame: WindowFrame;
  readonly distinct: boolean;
  /** Only rows for which it is true count (aggregates). */
  readonly filter: PhysicalExpr | null;
  readonly ignoreNulls: boolean;
  /** `orderBy` and `frame` are those of the query turned round, to use an order that is there; `func` still means the query's order. */
  readonly reversed: boolean;
  /** Name of the output field: that of the query, however the call is run. */
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
}

export function isAggregateWindow(func: WindowFunction | AggregateFunction): func is AggregateFunction {
  return 'createAccumulator' in func;
}

export function isUnbounded(bound: WindowFrameBound): boolean {
  return bound.direction !== 'CURRENT ROW' && (bound.offset === null || bound.offset.value === null);
}

/** Whether a row's value is known before the end of its partition. */
export function usesBoundedMemory({ func, frame }: PhysicalWindowExpr): boolean {
  if (isAggregateWindow(func)) return !isUnbounded(frame.end);
  return func.bounded && (!func.usesFrame || !isUnbounded(frame.end));
}

/** The same values from rows in reverse order; undefined where the function cannot do that. */
export function reverseWindow(expr: PhysicalWindowExpr): PhysicalWindowExpr | undefined {
  if (expr.func.reversible !== true) return undefined;
  const { frame } = expr;
  return {
    ...expr,
    orderBy: expr.orderBy.map(reverseKey),
    frame: { units: frame.units, start: reverseBound(frame.end), end: reverseBound(frame.start) },
    reversed: !expr.reversed,
  };
}

export function reverseKey(key: PhysicalSortExpr): PhysicalSortExpr {
  return { ...key, descending: !key.descending, nullsFirst: !key.nullsFirst };
}

function reverseBound(bound: WindowFrameBound): WindowFrameBound {
  switch (bound.direction) {
    case 'CURRENT ROW':
      return bound;
    case 'PRECEDING':
      return { ...bound, direction: 'FOLLOWING' };
    case 'FOLLOWING':
      return { ...bound, direction: 'PRECEDING' };
  }
}

/** What the first rows of the call need of the input beyond their frames. A `lag` over reversed rows reads ahead as a `lead` does. */
export function windowLimitEffect({ func, args, reversed }: PhysicalWindowExpr): LimitEffect {
  if (isAggregateWindow(func)) return { kind: 'none' };
  if (reversed) return { kind: 'unknown' };
  return func.limitEffect(args.map((arg) => (arg.kind === 'literal' ? arg.value : null)));
}
