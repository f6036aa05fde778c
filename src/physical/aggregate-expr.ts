import { type DataType, type Field, field } from '../columnar/data-type.js';
import type { AggregateFunction } from '../expr/function.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';
import { GROUPING_ID, groupingIdType } from '../logical/grouping-sets.js';
import type { ProjectedExpr } from './equivalence.js';

/** One aggregate call. Its expressions are over the raw input, in every mode: later stages read the state columns by position. */
export interface PhysicalAggregateExpr {
  readonly func: AggregateFunction;
  readonly args: readonly PhysicalExpr[];
  readonly distinct: boolean;
  /** Only rows for which it is true count. */
  readonly filter: PhysicalExpr | null;
  readonly orderBy: readonly PhysicalSortExpr[];
  readonly ignoreNulls: boolean;
  /** Name of the output field. */
  readonly name: string;
  /** The call as DataFusion's human form prints it; `name` where nothing was rewritten. */
  readonly text: string;
  /** The call in human form whatever `text` is; only EXPLAIN's boxes show it, hence it does not travel. */
  readonly humanText?: string;
  readonly type: DataType;
  readonly nullable: boolean;
}

export function aggregateArgTypes(aggregate: PhysicalAggregateExpr): DataType[] {
  return aggregate.args.map((arg) => arg.type);
}

/** Columns of the partial state, in the order partial aggregates emit them. */
export function aggregateStateFields({ func, name, args, distinct }: PhysicalAggregateExpr): Field[] {
  return func.stateFields(
    name,
    args.map((arg) => arg.type),
    distinct,
  );
}

/**
 * Group keys, and for grouping sets which of them each set leaves out. Output rows of a grouping set carry `__grouping_id`: bit i, counted
 * from the last key, is set where key i is left out.
 */
export interface PhysicalGroupBy {
  readonly exprs: readonly ProjectedExpr[];
  /** Typed NULLs, one per key, that stand in for keys a set leaves out; empty without grouping sets. */
  readonly nullExprs: readonly ProjectedExpr[];
  /** One entry per set: true = the key is left out. Without grouping sets: one entry, all false. */
  readonly groups: readonly (readonly boolean[])[];
}

export function groupByColumns(exprs: readonly ProjectedExpr[]): PhysicalGroupBy {
  return { exprs, nullExprs: [], groups: [exprs.map(() => false)] };
}

export function hasGroupingSets(groupBy: PhysicalGroupBy): boolean {
  return groupBy.nullExprs.length > 0;
}

/** The columns that the keys become in the output. */
export function groupOutputFields(groupBy: PhysicalGroupBy): Field[] {
  const sets = hasGroupingSets(groupBy);
  const fields = groupBy.exprs.map(({ expr, name }, i) =>
    field(name, expr.type, expr.nullable || (sets && groupBy.groups.some((group) => group[i]))),
  );
  return sets ? [...fields, field(GROUPING_ID, groupingIdType(groupBy.exprs.length), false)] : fields;
}

/** The same keys as the next stage sees them: columns of this stage's output. */
export function finalGroupBy(groupBy: PhysicalGroupBy): PhysicalGroupBy {
  return groupByColumns(
    groupOutputFields(groupBy).map(({ name, type, nullable }, index) => ({
      expr: { kind: 'column', name, index, type, nullable },
      name,
    })),
  );
}
