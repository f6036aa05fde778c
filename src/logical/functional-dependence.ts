import { displayExpr, displayColumn, schemaName } from '../expr/expr-display.js';
import type { DFSchema } from './df-schema.js';
import { groupingSetOf } from './grouping-sets.js';
import type { AggregateNode, JoinNode, LogicalPlan, ProjectionNode, WindowNode } from './plan.js';

/** Rows that agree in the `source` columns agree in the `target` columns. All are positions in a node's output. */
export interface FunctionalDependence {
  readonly source: readonly number[];
  readonly target: readonly number[];
  /** A source column may be null. */
  readonly nullable: boolean;
  /** No two rows have the same source values. */
  readonly unique: boolean;
}

const known = new WeakMap<LogicalPlan, readonly FunctionalDependence[]>();

/** What DataFusion knows about a node's output: keys that grouping and ROW_NUMBER make, as far as they survive the nodes above. */
export function functionalDependencies(plan: LogicalPlan): readonly FunctionalDependence[] {
  let found = known.get(plan);
  if (found === undefined) {
    found = derive(plan);
    known.set(plan, found);
  }
  return found;
}

function derive(plan: LogicalPlan): readonly FunctionalDependence[] {
  switch (plan.kind) {
    case 'filter':
    case 'sort':
    case 'limit':
    case 'subquery_alias':
    case 'subquery':
    case 'distinct':
      return functionalDependencies(plan.input);
    case 'projection':
      return ofProjection(plan);
    case 'aggregate':
      return ofAggregate(plan);
    case 'window':
      return ofWindow(plan);
    case 'join':
      return ofJoin(plan);
    case 'table_scan':
    case 'union':
    case 'distinct_on':
    case 'values':
    case 'empty_relation':
      return [];
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function fieldNames(schema: DFSchema): string[] {
  return schema.fields.map(({ relation, field }) => displayColumn({ relation, name: field.name }));
}

function ofProjection({ exprs, input }: ProjectionNode): FunctionalDependence[] {
  const names = fieldNames(input.schema);
  const positions = exprs.map((expr) => names.indexOf(displayExpr(expr.kind === 'alias' ? expr.expr : expr)));
  return functionalDependencies(input).flatMap((dependence) => {
    const source = moved(dependence.source, positions);
    // A composite key must come through whole.
    if (source.length !== dependence.source.length) return [];
    const target = dependence.unique ? range(exprs.length) : moved(dependence.target, positions);
    return [{ ...dependence, source, target }];
  });
}

/** Where the given input positions are in the output, each at most once. */
function moved(indices: readonly number[], positions: readonly number[]): number[] {
  return indices.map((index) => positions.indexOf(index)).filter((position) => position >= 0);
}

/** Columns of `plan` that the named columns determine, ascending; undefined when they determine none. */
export function determinedColumns(plan: LogicalPlan, names: readonly string[]): number[] | undefined {
  const fields = fieldNames(plan.schema);
  const found = new Set<number>();
  for (const { source, target } of functionalDependencies(plan)) {
    if (source.every((index) => names.includes(fields[index]!))) for (const index of target) found.add(index);
  }
  return found.size === 0 ? undefined : [...found].sort((a, b) => a - b);
}

function ofAggregate({ groupBy, input, schema }: AggregateNode): FunctionalDependence[] {
  if (groupingSetOf(groupBy) !== undefined) return [];
  const names = [...new Set(groupBy.map(schemaName))];
  const target = range(schema.length);
  const fields = fieldNames(input.schema);
  const determined = determinedColumns(input, names);
  const kept = functionalDependencies(input).flatMap((dependence): FunctionalDependence[] => {
    const keys = dependence.source.map((index) => fields[index]!);
    const source = range(names.length).filter((index) => keys.includes(names[index]!));
    if (source.length !== dependence.source.length) return [];
    const own = determinedColumns(
      input,
      source.map((index) => names[index]!),
    );
    const unique = own !== undefined && own.join() === determined?.join() ? true : dependence.unique;
    return [{ source, target, nullable: dependence.nullable, unique }];
  });
  if (names.length === 0 || kept.length > 0) return kept;
  const source = range(names.length);
  return [{ source, target, nullable: source.some((index) => schema.at(index).field.nullable), unique: true }];
}

function ofWindow({ windows, input, schema }: WindowNode): FunctionalDependence[] {
  const target = range(schema.length);
  const kept = functionalDependencies(input).map((d) => (d.unique ? { ...d, target } : d));
  const numbered = windows.flatMap((expr, index): FunctionalDependence[] => {
    const isRowNumber = expr.kind === 'window_function' && expr.func.name === 'row_number';
    if (!isRowNumber || expr.partitionBy.length > 0) return [];
    return [{ source: [input.schema.length + index], target, nullable: false, unique: true }];
  });
  return [...kept, ...numbered];
}

function ofJoin({ left, right, joinType }: JoinNode): readonly FunctionalDependence[] {
  const offset = (index: number): number => index + left.schema.length;
  switch (joinType) {
    case 'Inner':
    case 'Left':
    case 'Right': {
      const lefts = functionalDependencies(left).map((d) => ({ ...d, unique: false }));
      const rights = functionalDependencies(right).map((d) => ({
        ...d,
        source: d.source.map(offset),
        target: d.target.map(offset),
        unique: false,
      }));
      return [...(joinType === 'Right' ? padded(lefts) : lefts), ...(joinType === 'Left' ? padded(rights) : rights)];
    }
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return functionalDependencies(left);
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return functionalDependencies(right);
    case 'Full':
      return [];
  }
}

/** Of the side that an outer join pads with nulls. */
function padded(dependencies: readonly FunctionalDependence[]): FunctionalDependence[] {
  return dependencies.filter((d) => !d.nullable).map((d) => ({ ...d, nullable: true }));
}

/** Sets of output columns whose values no two rows share. */
export function uniqueKeys(plan: LogicalPlan): readonly (readonly number[])[] {
  return functionalDependencies(plan).flatMap(({ source, unique }) => (unique ? [source] : []));
}

/** Whether the output has at most one row for each value of the given columns. */
export function isUniqueOn(plan: LogicalPlan, columns: readonly number[]): boolean {
  return uniqueKeys(plan).some((key) => key.every((index) => columns.includes(index)));
}
