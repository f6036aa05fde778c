import { DistqError, type ErrorKind } from '../../base/errors.js';
import type { TableProvider } from '../../catalog/data-source.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { Expr } from '../../expr/expr.js';
import type { FunctionRegistry } from '../../expr/function.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { Ident, Place, Query, SqlExpr, WindowSpec } from '../parser/ast.js';
import type { BinderOptions } from './options.js';

/** What is visible where an expression or a query stands. Immutable; inner scopes are changed copies. */
export interface Scope {
  /** Common table expressions by name, each a plan under its alias. */
  readonly ctes: ReadonlyMap<string, LogicalPlan>;
  /** Columns of the enclosing queries, outermost first. */
  readonly outer: readonly DFSchema[];
  /** Columns of the tables to the left in FROM, which LATERAL may use. */
  readonly outerFrom: DFSchema | null;
  /** Columns of the first branch of the set operation this query is a later branch of. */
  readonly setLeft: DFSchema | null;
  /** The WINDOW clause of the SELECT; none of them builds on another any more. */
  readonly windows: ReadonlyMap<string, WindowSpec>;
  /** Columns (`columnKey`) of the SELECT's input in which no value stands twice. */
  readonly uniqueColumns: ReadonlySet<string>;
}

export const EMPTY_SCOPE: Scope = {
  ctes: new Map(),
  outer: [],
  outerFrom: null,
  setLeft: null,
  windows: new Map(),
  uniqueColumns: new Set(),
};

/** A table that the statement names, opened. */
export interface BoundTable {
  readonly provider: TableProvider;
  /** What a view stands for; null for stored tables. */
  readonly view: { readonly query: Query; readonly columns: readonly Ident[] } | null;
}

/**
 * What the parts of the binder share. Expressions hold queries and queries hold expressions: each side reaches the other through
 * here, so that no two modules import each other.
 */
export interface Binding {
  readonly options: BinderOptions;
  readonly functions: FunctionRegistry;
  /** The table of a normalised name, undefined when there is none. */
  table(name: string): BoundTable | undefined;
  /** The table that a table function gives for these arguments; undefined when there is no function of that name. */
  tableFunction(name: string, args: readonly ScalarValue[]): TableProvider | undefined;
  /** Names of all table functions, for suggestions. */
  tableFunctionNames(): readonly string[];
  /** Names of all tables, for suggestions. */
  tableNames(): readonly string[];
  query(query: Query, scope: Scope): LogicalPlan;
  /** The query of a view, which sees nothing of the query around it. */
  viewQuery(name: string, query: Query): LogicalPlan;
  /** The expression over `schema`. Unqualified columns that several fields could be stay unqualified. */
  expr(expr: SqlExpr, schema: DFSchema, scope: Scope): Expr;
}

/** An error at a place in the user's text. */
export function errorAt(kind: ErrorKind, message: string, place: Place | undefined, hint?: string): DistqError {
  return new DistqError(kind, message, {
    ...(place === null || place === undefined ? {} : { span: place }),
    ...(hint === undefined ? {} : { hint }),
  });
}

export function planError(message: string, place?: Place, hint?: string): DistqError {
  return errorAt('plan', message, place, hint);
}

/** Runs `build`; an error without a place gets this one. */
export function at<T>(place: Place, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (place !== null && error instanceof DistqError && error.span === undefined) throw error.with({ span: place });
    throw error;
  }
}
