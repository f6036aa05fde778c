import type { ScanRequest, TableProvider } from '../catalog/data-source.js';
import type { Expr, SortExpr } from '../expr/expr.js';
import type { JoinType } from '../expr/join-type.js';
import type { DFSchema } from './df-schema.js';

export type { JoinType } from '../expr/join-type.js';

/**
 * Logical plan nodes, DataFusion's `LogicalPlan`: frozen data with the output schema computed once by the constructor functions of
 * `builder.ts` (never build these literals by hand). Behaviour lives in `display.ts`, `transform.ts` and `rules/`.
 */
export type LogicalPlan =
  | ProjectionNode
  | FilterNode
  | AggregateNode
  | WindowNode
  | SortNode
  | JoinNode
  | TableScanNode
  | SubqueryAliasNode
  | SubqueryNode
  | LimitNode
  | UnionNode
  | DistinctNode
  | DistinctOnNode
  | ValuesNode
  | EmptyRelationNode;

interface Node {
  readonly schema: DFSchema;
}

export interface ProjectionNode extends Node {
  readonly kind: 'projection';
  readonly exprs: readonly Expr[];
  readonly input: LogicalPlan;
}

export interface FilterNode extends Node {
  readonly kind: 'filter';
  readonly predicate: Expr;
  readonly input: LogicalPlan;
}

/** Output: group columns, then (with grouping sets) `__grouping_id`, then aggregates. */
export interface AggregateNode extends Node {
  readonly kind: 'aggregate';
  readonly groupBy: readonly Expr[];
  readonly aggregates: readonly Expr[];
  readonly input: LogicalPlan;
}

export interface WindowNode extends Node {
  readonly kind: 'window';
  readonly windows: readonly Expr[];
  readonly input: LogicalPlan;
}

export interface SortNode extends Node {
  readonly kind: 'sort';
  readonly keys: readonly SortExpr[];
  readonly fetch: number | null;
  readonly input: LogicalPlan;
}

/** Inner without keys and filter is a cross join. */
export interface JoinNode extends Node {
  readonly kind: 'join';
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly joinType: JoinType;
  /** Equality keys as (left expression, right expression). */
  readonly on: readonly (readonly [Expr, Expr])[];
  readonly filter: Expr | null;
  /** `USING` joins list their key once in `*`. */
  readonly constraint: 'ON' | 'USING';
  /** Keys compare nulls as equal (set operations). */
  readonly nullEqualsNull: boolean;
  /** NOT IN semantics. */
  readonly nullAware: boolean;
}

export interface TableScanNode extends Node {
  readonly kind: 'table_scan';
  readonly tableName: string;
  readonly source: TableProvider;
  /** Ascending table positions; null = all columns. */
  readonly projection: ScanRequest['projection'] | null;
  /** Conjuncts offered to the source (all inexact for files: the Filter above stays). */
  readonly filters: readonly Expr[];
  readonly fetch: number | null;
}

export interface SubqueryAliasNode extends Node {
  readonly kind: 'subquery_alias';
  readonly alias: string;
  readonly input: LogicalPlan;
}

/** A correlated (LATERAL) subquery in FROM, until it is decorrelated. */
export interface SubqueryNode extends Node {
  readonly kind: 'subquery';
  readonly input: LogicalPlan;
  readonly outerColumns: readonly Expr[];
}

export interface LimitNode extends Node {
  readonly kind: 'limit';
  readonly skip: number;
  readonly fetch: number | null;
  readonly input: LogicalPlan;
}

export interface UnionNode extends Node {
  readonly kind: 'union';
  readonly inputs: readonly LogicalPlan[];
}

export interface DistinctNode extends Node {
  readonly kind: 'distinct';
  readonly input: LogicalPlan;
}

export interface DistinctOnNode extends Node {
  readonly kind: 'distinct_on';
  readonly on: readonly Expr[];
  readonly select: readonly Expr[];
  readonly sort: readonly SortExpr[];
  readonly input: LogicalPlan;
}

export interface ValuesNode extends Node {
  readonly kind: 'values';
  readonly rows: readonly (readonly Expr[])[];
}

/** No row, or one row without columns (SELECT without FROM). */
export interface EmptyRelationNode extends Node {
  readonly kind: 'empty_relation';
  readonly producesOneRow: boolean;
}
