import { isFloating, typesEqual } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { BinaryExpr, ColumnExpr, ComparisonOperator, Expr } from '../../expr/expr.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { columnKey, someExpr } from '../../expr/expr-transform.js';
import { FALSE } from '../../expr/expr-utils.js';
import { isArithmetic, isComparison, isLogicalOperator, swappedComparison } from '../../expr/operators.js';
import { compareColumns } from './canonicalize.js';

interface Bound {
  readonly expr: Expr;
  readonly op: ComparisonOperator;
  readonly value: ScalarValue;
}

/**
 * Conjuncts without those that others imply (`a > 5 AND a > 7` → `a > 7`, contradictory equations → false). Comparisons of columns
 * with constants come last, by column.
 */
export function simplifyPredicates(conjuncts: readonly Expr[]): Expr[] {
  const others: Expr[] = [];
  const byColumn = new Map<string, { readonly column: ColumnExpr; readonly bounds: Bound[] }>();
  for (const expr of conjuncts) {
    const found = columnBound(expr);
    if (found === undefined) {
      others.push(expr);
      continue;
    }
    const key = columnKey(found.column);
    const group = byColumn.get(key);
    if (group === undefined) byColumn.set(key, { column: found.column, bounds: [found.bound] });
    else group.bounds.push(found.bound);
  }
  const groups = [...byColumn.values()].sort((a, b) => compareColumns(a.column, b.column));
  return [...others, ...groups.flatMap(({ bounds }) => tightest(bounds))];
}

function columnBound(expr: Expr): { readonly column: ColumnExpr; readonly bound: Bound } | undefined {
  if (expr.kind !== 'binary') return undefined;
  const { left, right } = expr;
  const forward = right.kind === 'literal' ? bound(expr, expr.op, left, right.value) : undefined;
  if (forward !== undefined || left.kind !== 'literal') return forward;
  const op = swappedComparison(expr.op);
  return op === undefined ? undefined : bound(expr, op, right, left.value);
}

function bound(
  expr: BinaryExpr,
  op: BinaryExpr['op'],
  side: Expr,
  value: ScalarValue,
): { readonly column: ColumnExpr; readonly bound: Bound } | undefined {
  const column = side.kind === 'cast' ? side.expr : side;
  if (column.kind !== 'column') return undefined;
  if (op !== '=' && op !== '<' && op !== '<=' && op !== '>' && op !== '>=') return undefined;
  return { column, bound: { expr, op, value } };
}

function tightest(bounds: readonly Bound[]): Expr[] {
  if (bounds.length === 1) return bounds.map((b) => b.expr);
  const result: Expr[] = [];
  const equal = bounds.filter((b) => b.op === '=');
  const [first] = equal;
  if (first !== undefined) result.push(equal.every((b) => exprsEqual(b.expr, first.expr)) ? first.expr : FALSE);
  result.push(
    ...mostRestrictive(
      bounds.filter((b) => b.op === '>' || b.op === '>='),
      1,
    ),
  );
  result.push(
    ...mostRestrictive(
      bounds.filter((b) => b.op === '<' || b.op === '<='),
      -1,
    ),
  );
  return result;
}

/** The one bound that implies the others; all of them where their constants cannot be compared. */
function mostRestrictive(bounds: readonly Bound[], direction: 1 | -1): Expr[] {
  const [first, ...rest] = bounds;
  if (first === undefined) return [];
  let best = first;
  for (const candidate of rest) {
    const order = compareScalars(candidate.value, best.value);
    if (order === undefined) return bounds.map((b) => b.expr);
    const strict = candidate.op === '>' || candidate.op === '<';
    if (order * direction > 0 || (order === 0 && strict)) best = candidate;
  }
  return [best.expr];
}

/** Order of two constants of one type, or undefined when they have none here (nulls, NaN, nested values). */
function compareScalars(a: ScalarValue, b: ScalarValue): number | undefined {
  if (!typesEqual(a.type, b.type)) return undefined;
  const [x, y] = [a.value, b.value];
  if (typeof x === 'number' && typeof y === 'number') {
    return isFloating(a.type) && (Number.isNaN(x) || Number.isNaN(y)) ? undefined : Math.sign(x - y);
  }
  if (typeof x === 'bigint' && typeof y === 'bigint') return x < y ? -1 : x > y ? 1 : 0;
  if (typeof x === 'string' && typeof y === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(y));
  return undefined;
}

/** Cheap conjuncts first, each group in its order; undefined when they stand so already. */
export function cheapFirst(conjuncts: readonly Expr[]): Expr[] | undefined {
  const cheap = conjuncts.map(isCheap);
  const lastCheap = cheap.lastIndexOf(true);
  const firstExpensive = cheap.indexOf(false);
  if (firstExpensive < 0 || firstExpensive > lastCheap) return undefined;
  return [...conjuncts.filter((_, i) => cheap[i] === true), ...conjuncts.filter((_, i) => cheap[i] === false)];
}

/** Built from columns, constants, comparisons, arithmetic and logic only: nothing that reads text or calls functions. */
function isCheap(expr: Expr): boolean {
  return !someExpr(expr, (e) => !isCheapNode(e));
}

function isCheapNode(expr: Expr): boolean {
  switch (expr.kind) {
    case 'column':
    case 'literal':
    case 'alias':
    case 'not':
    case 'negative':
    case 'is':
    case 'between':
    case 'case':
    case 'cast':
    case 'in_list':
      return true;
    case 'binary':
      return isComparison(expr.op) || isArithmetic(expr.op) || isLogicalOperator(expr.op);
    case 'like':
    case 'scalar_function':
    case 'aggregate_function':
    case 'window_function':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
    case 'grouping_set':
      return false;
  }
}
