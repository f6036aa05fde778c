import { alias, column, type ColumnExpr, type Expr } from '../../expr/expr.js';
import { exprsEqual, indexOfExpr } from '../../expr/expr-equality.js';
import { columnsOf, transformExprUp } from '../../expr/expr-transform.js';
import { conjunction, hasOuterReference, splitConjunction } from '../../expr/expr-utils.js';
import { aggregate, emptyRelation, filter, projection } from '../builder.js';
import type { OptimizerContext } from '../optimizer-rule.js';
import type { AggregateNode, FilterNode, LimitNode, LogicalPlan, ProjectionNode } from '../plan.js';
import { withInputs } from '../transform.js';
import { planExprs, planInputs, visitPlan } from '../traverse.js';
import { sortedColumns } from './column-set.js';
import {
  aggregatesOnEmptyInput,
  type EmptyInputValues,
  filterOnEmptyInput,
  INDICATOR_VALUE,
  projectionOnEmptyInput,
  UNMATCHED_ROW_INDICATOR,
} from './empty-input-values.js';

export interface PullUpOptions {
  /** The comparison that IN adds to the join condition, if it is one. */
  readonly inPredicate?: Expr;
  /** EXISTS only asks whether there is a row: LIMIT does not matter, columns neither. */
  readonly exists?: boolean;
  /** A scalar subquery: aggregates over no rows must keep their value. */
  readonly scalar?: boolean;
}

export interface PulledUp {
  readonly plan: LogicalPlan;
  /** Correlated conjuncts, outer references turned into plain columns. */
  readonly joinFilters: readonly Expr[];
  /** Columns of the subquery that the join filters use, now among its outputs. */
  readonly correlatedColumns: readonly ColumnExpr[];
  readonly emptyInputValues: EmptyInputValues | undefined;
  /** HAVING that must be applied above the join. */
  readonly having: Expr | undefined;
}

/**
 * Takes the correlated conjuncts out of the filters of a subquery, so that it can be joined: the columns they use are carried up
 * through projections, and become keys of aggregates. Undefined when that would change the meaning.
 */
export function pullUpCorrelated(
  plan: LogicalPlan,
  context: OptimizerContext,
  options: PullUpOptions = {},
): PulledUp | undefined {
  const run = new PullUp(context, options);
  const result = run.rewrite(plan);
  if (!run.possible()) return undefined;
  return {
    plan: result,
    joinFilters: run.joinFilters,
    correlatedColumns: sortedColumns([...run.correlated.values()].flat()),
    emptyInputValues: run.emptyInput.get(result),
    having: run.having,
  };
}

class PullUp {
  readonly #context: OptimizerContext;
  readonly #options: PullUpOptions;
  readonly joinFilters: Expr[] = [];
  /** Per plan that lost a filter: the columns its join filters need. */
  readonly correlated = new Map<LogicalPlan, ColumnExpr[]>();
  readonly emptyInput = new Map<LogicalPlan, EmptyInputValues>();
  having: Expr | undefined;
  #possible = true;
  /** Every correlated conjunct so far equates a column with something from outside: rows of a group share it. */
  #overAggregates = true;

  constructor(context: OptimizerContext, options: PullUpOptions) {
    this.#context = context;
    this.#options = options;
  }

  possible(): boolean {
    return this.#possible;
  }

  rewrite(plan: LogicalPlan): LogicalPlan {
    if (this.#blocks(plan)) this.#possible = false;
    if (!this.#possible) return plan;
    const inputs = planInputs(plan).map((input) => this.rewrite(input));
    // Somewhere below it may have turned out that it cannot be done.
    return this.possible() ? this.#leave(withInputs(plan, inputs)) : plan;
  }

  /** Nodes that outer references cannot be taken out of, or through. */
  #blocks(plan: LogicalPlan): boolean {
    if (plan.kind === 'filter') return false;
    if (plan.kind === 'union' || plan.kind === 'sort') return readsOutside(plan);
    if (plan.kind === 'limit') return this.#options.exists !== true && readsOutside(plan);
    return planExprs(plan).some(hasOuterReference);
  }

  #leave(plan: LogicalPlan): LogicalPlan {
    const active = this.#options.inPredicate !== undefined || this.joinFilters.length > 0;
    switch (plan.kind) {
      case 'filter':
        return this.#filter(plan);
      case 'projection':
        return active ? this.#projection(plan) : plan;
      case 'aggregate':
        return active ? this.#aggregate(plan) : plan;
      case 'subquery_alias': {
        const columns = this.#localColumns(plan).map((c) => column(c.name, plan.alias));
        this.correlated.set(plan, sortedColumns(columns));
        this.#carry(plan.input, plan);
        return plan;
      }
      case 'limit':
        return this.#limit(plan);
      case 'window':
      case 'sort':
      case 'join':
      case 'table_scan':
      case 'subquery':
      case 'union':
      case 'distinct':
      case 'distinct_on':
      case 'values':
      case 'empty_relation':
        return plan;
    }
  }

  #filter(plan: FilterNode): LogicalPlan {
    const conjuncts = splitConjunction(plan.predicate);
    const outer = conjuncts.filter(hasOuterReference);
    const local = conjuncts.filter((expr) => !hasOuterReference(expr));
    this.#overAggregates &&= outer.every(equatesColumn);
    const { inPredicate } = this.#options;
    const joinFilters = outer
      .filter((expr) => expr.kind !== 'binary' || expr.op !== '=' || !exprsEqual(expr.left, expr.right))
      .map(stripOuterReferences)
      .filter((expr) => inPredicate === undefined || !sameEquality(expr, inPredicate));
    const columns = sortedColumns(columnsOf(...joinFilters).filter((c) => plan.schema.has(c)));
    for (const expr of joinFilters) {
      if (indexOfExpr(this.joinFilters, expr) < 0) this.joinFilters.push(expr);
    }
    const rest = conjunction(local);
    const values = this.emptyInput.get(plan.input);
    const moved =
      values === undefined || rest === undefined
        ? undefined
        : filterOnEmptyInput(rest, values, plan.input.schema, this.#context);
    if (moved !== undefined) {
      if (this.having !== undefined) {
        this.#possible = false;
        return plan;
      }
      this.having = rest;
      this.emptyInput.set(plan.input, moved);
      this.#remember(plan.input, columns);
      return plan.input;
    }
    const kept = rest === undefined ? plan.input : outer.length === 0 ? plan : filter(rest, plan.input);
    this.#remember(kept, columns);
    return kept;
  }

  #remember(plan: LogicalPlan, columns: readonly ColumnExpr[]): void {
    this.correlated.set(plan, sortedColumns([...(this.correlated.get(plan) ?? []), ...columns]));
  }

  #projection(plan: ProjectionNode): LogicalPlan {
    const exprs = this.#withMissing(plan.exprs, this.#localColumns(plan));
    const values = this.emptyInput.get(plan.input);
    const outputs =
      values === undefined ? undefined : projectionOnEmptyInput(plan.exprs, values, plan.input.schema, this.#context);
    if (outputs !== undefined && outputs.size > 0) exprs.push(column(UNMATCHED_ROW_INDICATOR));
    const result = projection(exprs, plan.input);
    if (outputs !== undefined && outputs.size > 0) this.emptyInput.set(result, outputs);
    return result;
  }

  #aggregate(plan: AggregateNode): LogicalPlan {
    const columns = this.#localColumns(plan);
    if (columns.length > 0 && !this.#overAggregates) {
      this.#possible = false;
      return plan;
    }
    const keys = this.#withMissing(plan.groupBy, columns);
    let values: EmptyInputValues = new Map();
    if (this.#options.scalar === true && plan.groupBy.length === 0 && keys.length > 0) {
      values = aggregatesOnEmptyInput(plan.aggregates, plan.input.schema, this.#context);
      if (values.size > 0) keys.push(alias(INDICATOR_VALUE, UNMATCHED_ROW_INDICATOR));
    }
    const result = aggregate(keys, plan.aggregates, plan.input);
    if (values.size > 0) this.emptyInput.set(result, values);
    return result;
  }

  /** Correlated EXISTS: a LIMIT above the join condition would count rows of all outer rows together. */
  #limit(plan: LimitNode): LogicalPlan {
    if (this.#options.exists === true && this.joinFilters.length > 0 && plan.skip === 0) {
      if (plan.fetch === 0) return emptyRelation(false, plan.schema);
      this.#carry(plan.input, plan.input);
      return plan.input;
    }
    this.#carry(plan.input, plan);
    return plan;
  }

  #carry(from: LogicalPlan, to: LogicalPlan): void {
    const values = this.emptyInput.get(from);
    if (values !== undefined) this.emptyInput.set(to, values);
  }

  /** Correlated columns from below, as far down as the next alias (whose own name they then carry). */
  #localColumns(plan: LogicalPlan): ColumnExpr[] {
    const found: ColumnExpr[] = [];
    const collect = (parent: LogicalPlan): void => {
      for (const input of planInputs(parent)) {
        found.push(...(this.correlated.get(input) ?? []));
        if (input.kind !== 'subquery_alias') collect(input);
      }
    };
    collect(plan);
    return sortedColumns(found);
  }

  #withMissing(exprs: readonly Expr[], columns: readonly ColumnExpr[]): Expr[] {
    const all: Expr[] = [];
    const having = this.having === undefined ? [] : columnsOf(this.having);
    for (const expr of [...exprs, ...columns, ...having]) {
      if (indexOfExpr(all, expr) < 0) all.push(expr);
    }
    return all;
  }
}

function readsOutside(plan: LogicalPlan): boolean {
  let found = false;
  visitPlan(plan, (node) => {
    found ||= planExprs(node).some(hasOuterReference);
  });
  return found;
}

/** `column = expression without columns of the subquery` */
function equatesColumn(expr: Expr): boolean {
  if (expr.kind !== 'binary' || expr.op !== '=') return false;
  const isColumn = (e: Expr): boolean => e.kind === 'column' || (e.kind === 'cast' && e.expr.kind === 'column');
  return (
    (isColumn(expr.left) && columnsOf(expr.right).length === 0) ||
    (isColumn(expr.right) && columnsOf(expr.left).length === 0)
  );
}

/** What was outside is beside, once the subquery is joined. */
function stripOuterReferences(expr: Expr): Expr {
  return transformExprUp(expr, (e) => (e.kind === 'outer_reference' ? e.column : e));
}

/** The same equation, sides in either order. */
function sameEquality(a: Expr, b: Expr): boolean {
  if (exprsEqual(a, b)) return true;
  if (a.kind !== 'binary' || b.kind !== 'binary' || a.op !== '=' || b.op !== '=') return false;
  return exprsEqual(a.left, b.right) && exprsEqual(a.right, b.left);
}
