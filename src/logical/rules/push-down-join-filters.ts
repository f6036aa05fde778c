import { binary, type ColumnExpr, type Expr } from '../../expr/expr.js';
import { columnKey, columnsOf, replaceColumns, someExpr } from '../../expr/expr-transform.js';
import { conjunction, splitConjunction, subqueryOf } from '../../expr/expr-utils.js';
import { filter, join } from '../builder.js';
import type { DFSchema } from '../df-schema.js';
import { rejectsNull } from '../null-rejection.js';
import type { JoinNode, JoinType, LogicalPlan } from '../plan.js';

interface Sides {
  readonly left: boolean;
  readonly right: boolean;
}

/** Sides whose rows come out unpadded: conditions above the join may be applied below it there. */
const PRESERVED: Readonly<Record<JoinType, Sides>> = {
  Inner: { left: true, right: true },
  Left: { left: true, right: false },
  Right: { left: false, right: true },
  Full: { left: false, right: false },
  LeftSemi: { left: true, right: false },
  LeftAnti: { left: true, right: false },
  LeftMark: { left: true, right: false },
  RightSemi: { left: false, right: true },
  RightAnti: { left: false, right: true },
  RightMark: { left: false, right: true },
};

/** Sides where a condition of ON may be applied below the join: rows it drops only fail to match. */
const ON_PRESERVED: Readonly<Record<JoinType, Sides>> = {
  Inner: { left: true, right: true },
  Left: { left: false, right: true },
  Right: { left: true, right: false },
  Full: { left: false, right: false },
  LeftSemi: { left: true, right: true },
  RightSemi: { left: true, right: true },
  LeftAnti: { left: false, right: true },
  RightAnti: { left: true, right: false },
  LeftMark: { left: false, right: true },
  RightMark: { left: true, right: false },
};

/**
 * A join under the given conditions: each of them, and of the join's own, goes to the side it reads from where that side allows it;
 * what reads both sides of an inner join becomes its condition, the rest stays in a filter above.
 */
export function pushDownJoinFilters(node: JoinNode, predicates: readonly Expr[]): LogicalPlan {
  const onFilters = node.filter === null ? [] : splitConjunction(node.filter);
  const inferred = inferPredicates(node, predicates, onFilters);
  if (onFilters.length === 0 && predicates.length === 0 && inferred.length === 0) return node;

  const preserved = PRESERVED[node.joinType];
  const onPreserved = ON_PRESERVED[node.joinType];
  const isLeft = sideTest(node.left.schema);
  const isRight = sideTest(node.right.schema);
  const left: Expr[] = [];
  const right: Expr[] = [];
  const above: Expr[] = [];
  const conditions: Expr[] = [];
  const onConditions: Expr[] = [];

  for (const expr of predicates) {
    if (preserved.left && isLeft(expr)) left.push(expr);
    else if (preserved.right && isRight(expr)) right.push(expr);
    else if (node.joinType === 'Inner' && !readsPlans(expr)) conditions.push(expr);
    else above.push(expr);
  }
  for (const expr of inferred) {
    if (isLeft(expr)) left.push(expr);
    else if (isRight(expr)) right.push(expr);
  }
  for (const expr of onFilters) {
    if (onPreserved.left && isLeft(expr)) left.push(expr);
    else if (onPreserved.right && isRight(expr)) right.push(expr);
    else onConditions.push(expr);
  }
  if (left.length === 0 && right.length === 0 && conditions.length === 0 && predicates.length === 0) {
    const weaker = oneSidedOrs(onConditions, onPreserved, isLeft, isRight);
    if (weaker.left.length === 0 && weaker.right.length === 0) return node;
  }
  // What cannot be pushed as a whole may still say something about one side.
  const fromAbove = oneSidedOrs([...above, ...conditions], preserved, isLeft, isRight);
  const fromOn = oneSidedOrs(onConditions, onPreserved, isLeft, isRight);
  left.push(...fromAbove.left, ...fromOn.left);
  right.push(...fromAbove.right, ...fromOn.right);

  const joined = join(filtered(left, node.left), filtered(right, node.right), node.joinType, {
    ...node,
    filter: conjunction([...conditions, ...onConditions]) ?? null,
  });
  return filtered(above, joined);
}

function filtered(conjuncts: readonly Expr[], input: LogicalPlan): LogicalPlan {
  const predicate = conjunction(conjuncts);
  return predicate === undefined ? input : filter(predicate, input);
}

type SideTest = (expr: Expr) => boolean;

/** Whether an expression reads only columns of the schema (one that reads none reads only those). */
function sideTest(schema: DFSchema): SideTest {
  const names = new Set(
    schema.fields.flatMap(({ relation, field }) => [
      columnKey({ relation, name: field.name }),
      columnKey({ relation: null, name: field.name }),
    ]),
  );
  return (expr) => columnsOf(expr).every((column) => names.has(columnKey(column)));
}

/** Conditions with subqueries or outer references are no join conditions. */
function readsPlans(expr: Expr): boolean {
  return someExpr(expr, (e) => e.kind === 'outer_reference' || subqueryOf(e) !== undefined);
}

/** Of `(A1 AND B1) OR (A2 AND B2)` the weaker `A1 OR A2` for one side and `B1 OR B2` for the other. */
function oneSidedOrs(
  exprs: readonly Expr[],
  allowed: Sides,
  isLeft: SideTest,
  isRight: SideTest,
): { readonly left: Expr[]; readonly right: Expr[] } {
  const extract = (test: SideTest): Expr[] =>
    exprs.flatMap((expr) => {
      if (expr.kind !== 'binary' || expr.op !== 'OR') return [];
      const weaker = oneSided(expr, test);
      return weaker === undefined ? [] : [weaker];
    });
  return { left: allowed.left ? extract(isLeft) : [], right: allowed.right ? extract(isRight) : [] };
}

function oneSided(expr: Expr, test: SideTest): Expr | undefined {
  if (expr.kind === 'binary' && (expr.op === 'OR' || expr.op === 'AND')) {
    const left = oneSided(expr.left, test);
    const right = oneSided(expr.right, test);
    if (left !== undefined && right !== undefined) return binary(left, expr.op, right);
    return expr.op === 'AND' ? (left ?? right) : undefined;
  }
  return test(expr) ? expr : undefined;
}

/** Conditions on a key column hold for the column it is equated with: `a.k = b.k AND a.k < 5` says `b.k < 5`. */
function inferPredicates(node: JoinNode, predicates: readonly Expr[], onFilters: readonly Expr[]): Expr[] {
  // NOT IN looks at all rows of its other side: a null there decides.
  if (node.nullAware) return [];
  const keys = node.on.flatMap(([l, r]) => (l.kind === 'column' && r.kind === 'column' ? [[l, r] as const] : []));
  if (keys.length === 0) return [];
  const both = { leftToRight: true, rightToLeft: true };
  const fromOn = ON_INFERENCE[node.joinType];
  return [
    ...predicates.flatMap((expr) => inferred(expr, keys, both, node.joinType)),
    ...(fromOn === undefined ? [] : onFilters.flatMap((expr) => inferred(expr, keys, fromOn, node.joinType))),
  ];
}

interface Direction {
  readonly leftToRight: boolean;
  readonly rightToLeft: boolean;
}

const ON_INFERENCE: Readonly<Partial<Record<JoinType, Direction>>> = {
  Inner: { leftToRight: true, rightToLeft: true },
  Left: { leftToRight: true, rightToLeft: false },
  LeftSemi: { leftToRight: true, rightToLeft: false },
  LeftMark: { leftToRight: true, rightToLeft: false },
  Right: { leftToRight: false, rightToLeft: true },
  RightSemi: { leftToRight: false, rightToLeft: true },
  RightMark: { leftToRight: false, rightToLeft: true },
};

function inferred(
  expr: Expr,
  keys: readonly (readonly [ColumnExpr, ColumnExpr])[],
  { leftToRight, rightToLeft }: Direction,
  joinType: JoinType,
): Expr[] {
  const replacements = new Map<string, ColumnExpr>();
  for (const column of columnsOf(expr)) {
    const key = columnKey(column);
    const match = keys.find(([l, r]) => (leftToRight && columnKey(l) === key) || (rightToLeft && columnKey(r) === key));
    if (match !== undefined) replacements.set(key, leftToRight && columnKey(match[0]) === key ? match[1] : match[0]);
  }
  if (replacements.size === 0) return [];
  // Outside inner joins a padded row has nulls there, which the condition must not have let through.
  const replaced = columnsOf(expr).filter((column) => replacements.has(columnKey(column)));
  if (joinType !== 'Inner' && !rejectsNull(expr, replaced)) return [];
  return [replaceColumns(expr, (column) => replacements.get(columnKey(column)))];
}
