import type { DataType } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { Span } from '../base/errors.js';
import type { AggregateFunction, ScalarFunction, WindowFunction } from './function.js';

/**
 * Logical expressions, DataFusion's `Expr`: frozen data, told apart by `kind`; behaviour lives in visitors
 * (`expr-schema.ts` types, `expr-display.ts` text, `transform.ts` rewriting).
 */
export type Expr =
  | ColumnExpr
  | LiteralExpr
  | AliasExpr
  | BinaryExpr
  | NotExpr
  | NegativeExpr
  | IsExpr
  | BetweenExpr
  | LikeExpr
  | CaseExpr
  | CastExpr
  | InListExpr
  | ScalarFunctionExpr
  | AggregateFunctionExpr
  | WindowFunctionExpr
  | OuterReferenceExpr
  | ScalarSubqueryExpr
  | ExistsExpr
  | InSubqueryExpr
  | SetComparisonExpr
  | GroupingSetExpr;

export type ExprKind = Expr['kind'];

/** A column of the input, by optional qualifier (a table or alias name) and name. `span` is where the user wrote it. */
export interface ColumnExpr {
  readonly kind: 'column';
  readonly relation: string | null;
  readonly name: string;
  readonly span?: Span;
}

export interface LiteralExpr {
  readonly kind: 'literal';
  readonly value: ScalarValue;
}

/** Names an expression. `relation` is set for aliases that keep a qualifier. */
export interface AliasExpr {
  readonly kind: 'alias';
  readonly expr: Expr;
  readonly relation: string | null;
  readonly name: string;
}

export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM';
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type LogicalOperator = 'AND' | 'OR';
export type BitwiseOperator = '&' | '|' | 'BIT_XOR' | '<<' | '>>';
export type RegexOperator = '~' | '~*' | '!~' | '!~*';
/** Operators by the text DataFusion prints for them. */
export type BinaryOperator =
  | ComparisonOperator
  | ArithmeticOperator
  | LogicalOperator
  | BitwiseOperator
  | RegexOperator
  | '||';

export interface BinaryExpr {
  readonly kind: 'binary';
  readonly left: Expr;
  readonly op: BinaryOperator;
  readonly right: Expr;
}

export interface NotExpr {
  readonly kind: 'not';
  readonly expr: Expr;
}

/** `- expr` */
export interface NegativeExpr {
  readonly kind: 'negative';
  readonly expr: Expr;
}

/** `expr IS [NOT] NULL | TRUE | FALSE | UNKNOWN` */
export interface IsExpr {
  readonly kind: 'is';
  readonly expr: Expr;
  readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
  readonly negated: boolean;
}

export interface BetweenExpr {
  readonly kind: 'between';
  readonly expr: Expr;
  readonly negated: boolean;
  readonly low: Expr;
  readonly high: Expr;
}

export interface LikeExpr {
  readonly kind: 'like';
  readonly expr: Expr;
  readonly negated: boolean;
  readonly pattern: Expr;
  readonly escape: string | null;
  readonly caseInsensitive: boolean;
  /** SIMILAR TO: the pattern is an SQL regular expression. */
  readonly similarTo: boolean;
}

/** `CASE [operand] WHEN w THEN t … [ELSE otherwise] END` */
export interface CaseExpr {
  readonly kind: 'case';
  readonly operand: Expr | null;
  readonly branches: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly otherwise: Expr | null;
}

/** CAST (or TRY_CAST when `safe`: failures become null). */
export interface CastExpr {
  readonly kind: 'cast';
  readonly expr: Expr;
  readonly type: DataType;
  readonly safe: boolean;
}

export interface InListExpr {
  readonly kind: 'in_list';
  readonly expr: Expr;
  readonly list: readonly Expr[];
  readonly negated: boolean;
}

export interface ScalarFunctionExpr {
  readonly kind: 'scalar_function';
  readonly func: ScalarFunction;
  readonly args: readonly Expr[];
}

/** One ORDER BY key. */
export interface SortExpr {
  readonly expr: Expr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface AggregateFunctionExpr {
  readonly kind: 'aggregate_function';
  readonly func: AggregateFunction;
  readonly args: readonly Expr[];
  readonly distinct: boolean;
  readonly filter: Expr | null;
  readonly orderBy: readonly SortExpr[];
  readonly ignoreNulls: boolean | null;
}

export interface WindowFrameBound {
  readonly direction: 'PRECEDING' | 'CURRENT ROW' | 'FOLLOWING';
  /** null: UNBOUNDED (meaningless for CURRENT ROW). */
  readonly offset: ScalarValue | null;
}

export interface WindowFrame {
  readonly units: 'ROWS' | 'RANGE' | 'GROUPS';
  readonly start: WindowFrameBound;
  readonly end: WindowFrameBound;
}

export interface WindowFunctionExpr {
  readonly kind: 'window_function';
  readonly func: WindowFunction | AggregateFunction;
  readonly args: readonly Expr[];
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly SortExpr[];
  readonly frame: WindowFrame;
  readonly distinct: boolean;
  readonly filter: Expr | null;
  readonly ignoreNulls: boolean | null;
}

/** A column of an enclosing query, seen from inside a subquery; prints `outer_ref(t.c)`. */
export interface OuterReferenceExpr {
  readonly kind: 'outer_reference';
  readonly column: ColumnExpr;
  readonly type: DataType;
  readonly nullable: boolean;
}

/**
 * A plan inside an expression, opaque on this floor; `logical/` implements it. `outerColumns` are the columns of the enclosing
 * query it refers to.
 */
export interface SubqueryPlan {
  readonly outerColumns: readonly OuterReferenceExpr[];
  /** The subquery's output columns. */
  readonly outputs: readonly { readonly name: string; readonly type: DataType; readonly nullable: boolean }[];
  /** Lines of the plan's indented text, for EXPLAIN. */
  describe(): string[];
}

export interface ScalarSubqueryExpr {
  readonly kind: 'scalar_subquery';
  readonly subquery: SubqueryPlan;
}

export interface ExistsExpr {
  readonly kind: 'exists';
  readonly subquery: SubqueryPlan;
  readonly negated: boolean;
}

export interface InSubqueryExpr {
  readonly kind: 'in_subquery';
  readonly expr: Expr;
  readonly subquery: SubqueryPlan;
  readonly negated: boolean;
}

/** `expr op ANY|ALL (subquery)` */
export interface SetComparisonExpr {
  readonly kind: 'set_comparison';
  readonly expr: Expr;
  readonly op: ComparisonOperator;
  readonly quantifier: 'ANY' | 'ALL';
  readonly subquery: SubqueryPlan;
}

/** ROLLUP, CUBE or GROUPING SETS as one group expression. */
export interface GroupingSetExpr {
  readonly kind: 'grouping_set';
  readonly form: 'ROLLUP' | 'CUBE' | 'GROUPING SETS';
  /** ROLLUP and CUBE: one entry per key (each entry one expression); GROUPING SETS: the sets. */
  readonly sets: readonly (readonly Expr[])[];
}

export function column(name: string, relation: string | null = null): ColumnExpr {
  return { kind: 'column', relation, name };
}

export function literal(value: ScalarValue): LiteralExpr {
  return { kind: 'literal', value };
}

export function alias(expr: Expr, name: string, relation: string | null = null): AliasExpr {
  return { kind: 'alias', expr, relation, name };
}

export function binary(left: Expr, op: BinaryOperator, right: Expr): BinaryExpr {
  return { kind: 'binary', left, op, right };
}

export function cast(expr: Expr, type: DataType, safe = false): CastExpr {
  return { kind: 'cast', expr, type, safe };
}
