import { binary, type Expr } from '../../expr/expr.js';
import { exprKey } from '../../expr/expr-equality.js';
import { conjunction } from '../../expr/expr-utils.js';
import { crossJoin, filter, join, projection } from '../builder.js';
import type { DFSchema } from '../df-schema.js';
import { canHashKey, equiJoinKeyPair } from '../join-keys.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, LogicalPlan } from '../plan.js';
import { mapSubqueries, withInputs } from '../transform.js';
import { planInputs } from '../traverse.js';

/**
 * Orders the inputs of inner joins: each is joined to what is there already by the equations of the query, a cross join remains
 * only where there are none. This is the only join order DataFusion has.
 */
export const eliminateCrossJoin: OptimizerRule = { name: 'eliminate_cross_join', order: 'own', apply: rewrite };

function rewrite(plan: LogicalPlan): LogicalPlan {
  if (plan.kind === 'filter') {
    const { input } = plan;
    return isOrdinaryInner(input) ? reorder(plan, input, plan.predicate) : rewriteChildren(plan);
  }
  return isOrdinaryInner(plan) ? reorder(plan, plan, null) : rewriteChildren(plan);
}

function rewriteChildren(plan: LogicalPlan): LogicalPlan {
  const subqueried = mapSubqueries(plan, rewrite);
  return withInputs(subqueried, planInputs(subqueried).map(rewrite));
}

/** Joins whose keys compare nulls as equal are left as they are. */
function isOrdinaryInner(plan: LogicalPlan): plan is JoinNode {
  return plan.kind === 'join' && plan.joinType === 'Inner' && !plan.nullEqualsNull;
}

function reorder(plan: LogicalPlan, top: JoinNode, predicate: Expr | null): LogicalPlan {
  const candidates = new JoinKeySet();
  const inputs: LogicalPlan[] = [];
  const filters: Expr[] = [];
  flatten(top, candidates, inputs, filters);
  if (predicate !== null) collectKeys(predicate, candidates);
  const used = new JoinKeySet();
  const [first, ...waiting] = inputs;
  if (first === undefined) return plan;
  let joined = first;
  while (waiting.length > 0) joined = joinNext(joined, waiting, candidates, used);
  let result = rewriteChildren(joined);
  if (!sameColumns(result.schema, plan.schema)) result = projection(plan.schema.columns(), result);
  const condition = conjunction(swapRemoved(filters));
  if (condition !== undefined) result = filter(condition, result);
  const rest = predicate === null ? undefined : withoutKeys(predicate, used);
  return rest === undefined ? result : filter(rest, result);
}

function flatten(plan: LogicalPlan, keys: JoinKeySet, inputs: LogicalPlan[], filters: Expr[]): void {
  if (!isOrdinaryInner(plan)) {
    inputs.push(plan);
    return;
  }
  if (plan.filter !== null) filters.push(plan.filter);
  for (const [left, right] of plan.on) keys.add(left, right);
  flatten(plan.left, keys, inputs, filters);
  flatten(plan.right, keys, inputs, filters);
}

/** The first comes first, then the last moves into its place: the order in which DataFusion puts the filters back. */
function swapRemoved(filters: readonly Expr[]): Expr[] {
  const [first, ...rest] = filters;
  if (first === undefined) return [];
  const last = rest.pop();
  return last === undefined ? [first] : [first, last, ...rest];
}

function joinNext(left: LogicalPlan, waiting: LogicalPlan[], candidates: JoinKeySet, used: JoinKeySet): LogicalPlan {
  for (const [index, right] of waiting.entries()) {
    const on: (readonly [Expr, Expr])[] = [];
    for (const [a, b] of candidates.pairs) {
      const pair = equiJoinKeyPair(a, b, left.schema, right.schema);
      if (pair !== undefined && canHashKey(pair[0], left.schema)) on.push(pair);
    }
    if (on.length > 0) {
      for (const [a, b] of on) used.add(a, b);
      waiting.splice(index, 1);
      return join(left, right, 'Inner', { on });
    }
  }
  const [next] = waiting.splice(0, 1);
  return next === undefined ? left : crossJoin(left, next);
}

/** Equations that must hold for every row: of an OR only those in all its branches. */
function collectKeys(expr: Expr, keys: JoinKeySet): void {
  if (expr.kind !== 'binary') return;
  if (expr.op === '=') {
    keys.add(expr.left, expr.right);
  } else if (expr.op === 'AND') {
    collectKeys(expr.left, keys);
    collectKeys(expr.right, keys);
  } else if (expr.op === 'OR') {
    const left = new JoinKeySet();
    const right = new JoinKeySet();
    collectKeys(expr.left, left);
    collectKeys(expr.right, right);
    for (const [a, b] of left.pairs) if (right.has(a, b)) keys.add(a, b);
  }
}

/** The predicate without the equations that became keys; undefined when nothing is left. */
function withoutKeys(expr: Expr, keys: JoinKeySet): Expr | undefined {
  if (expr.kind !== 'binary') return expr;
  if (expr.op === '=') return keys.has(expr.left, expr.right) ? undefined : expr;
  if (expr.op !== 'AND' && expr.op !== 'OR') return expr;
  const left = withoutKeys(expr.left, keys);
  const right = withoutKeys(expr.right, keys);
  if (left !== undefined && right !== undefined) {
    return left === expr.left && right === expr.right ? expr : binary(left, expr.op, right);
  }
  // A branch of an OR that always holds makes the whole hold.
  return expr.op === 'OR' ? undefined : (left ?? right);
}

function sameColumns(a: DFSchema, b: DFSchema): boolean {
  return (
    a.length === b.length &&
    a.fields.every((f, index) => {
      const other = b.at(index);
      return f.relation === other.relation && f.field.name === other.field.name;
    })
  );
}

/** Pairs of expressions, each once, whichever way round, in order of discovery. */
class JoinKeySet {
  readonly pairs: (readonly [Expr, Expr])[] = [];
  readonly #seen = new Set<string>();

  add(a: Expr, b: Expr): void {
    if (this.has(a, b)) return;
    this.#seen.add(pairKey(a, b));
    this.pairs.push([a, b]);
  }

  has(a: Expr, b: Expr): boolean {
    return this.#seen.has(pairKey(a, b)) || this.#seen.has(pairKey(b, a));
  }
}

function pairKey(a: Expr, b: Expr): string {
  return `${exprKey(a)} = ${exprKey(b)}`;
}
