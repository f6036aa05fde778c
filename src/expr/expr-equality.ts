import { typeName } from '../columnar/data-type.js';
import type { Interval, ScalarValue } from '../columnar/scalar-value.js';
import type { BinaryOperator, Expr, SortExpr, SubqueryPlan, WindowFrame } from './expr.js';
import { transformExprUp } from './expr-transform.js';

const keys = new WeakMap<Expr, string>();

/** Structural equality: same shape, names, constants and types; functions by name, subqueries by identity, spans left out. */
export function exprsEqual(a: Expr, b: Expr): boolean {
  return a === b || (a.kind === b.kind && exprKey(a) === exprKey(b));
}

/** A text that two expressions share exactly when they are equal; remembered per object. */
export function exprKey(expr: Expr): string {
  let key = keys.get(expr);
  if (key === undefined) {
    key = JSON.stringify(parts(expr));
    keys.set(expr, key);
  }
  return key;
}

const normalizedKeys = new WeakMap<Expr, string>();

/** Like `exprKey`, but the same for the two orders of operators that have none: `a + b` and `b + a`. */
export function normalizedExprKey(expr: Expr): string {
  let key = normalizedKeys.get(expr);
  if (key === undefined) {
    key = exprKey(transformExprUp(expr, inOrder));
    normalizedKeys.set(expr, key);
  }
  return key;
}

const COMMUTATIVE: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(['+', '*', '&', '|', 'BIT_XOR', '=', '!=']);

function inOrder(expr: Expr): Expr {
  if (expr.kind !== 'binary' || !COMMUTATIVE.has(expr.op)) return expr;
  return exprKey(expr.right) < exprKey(expr.left) ? { ...expr, left: expr.right, right: expr.left } : expr;
}

/** Position of an equal expression, or -1. */
export function indexOfExpr(exprs: readonly Expr[], wanted: Expr): number {
  return exprs.findIndex((expr) => exprsEqual(expr, wanted));
}

/** The expressions without repetitions, first occurrences kept. */
export function distinctExprs(exprs: readonly Expr[]): Expr[] {
  const seen = new Set<string>();
  return exprs.filter((expr) => {
    const key = exprKey(expr);
    return seen.has(key) ? false : (seen.add(key), true);
  });
}

type Part = string | number | boolean | null | readonly Part[];

function parts(expr: Expr): Part {
  switch (expr.kind) {
    case 'column':
      return ['column', expr.relation, expr.name];
    case 'literal':
      return ['literal', ...scalarParts(expr.value)];
    case 'alias':
      return ['alias', exprKey(expr.expr), expr.relation, expr.name];
    case 'binary':
      return ['binary', exprKey(expr.left), expr.op, exprKey(expr.right)];
    case 'not':
    case 'negative':
      return [expr.kind, exprKey(expr.expr)];
    case 'is':
      return ['is', exprKey(expr.expr), expr.test, expr.negated];
    case 'between':
      return ['between', exprKey(expr.expr), expr.negated, exprKey(expr.low), exprKey(expr.high)];
    case 'like':
      return [
        'like',
        exprKey(expr.expr),
        exprKey(expr.pattern),
        expr.negated,
        expr.escape,
        expr.caseInsensitive,
        expr.similarTo,
      ];
    case 'case':
      return [
        'case',
        maybe(expr.operand),
        expr.branches.map((branch) => [exprKey(branch.when), exprKey(branch.then)]),
        maybe(expr.otherwise),
      ];
    case 'cast':
      return ['cast', exprKey(expr.expr), typeName(expr.type), expr.safe];
    case 'in_list':
      return ['in_list', exprKey(expr.expr), expr.list.map(exprKey), expr.negated];
    case 'scalar_function':
      return ['scalar_function', expr.func.name, expr.args.map(exprKey)];
    case 'aggregate_function':
      return [
        'aggregate_function',
        expr.func.name,
        expr.args.map(exprKey),
        expr.distinct,
        maybe(expr.filter),
        expr.orderBy.map(sortParts),
        expr.ignoreNulls,
      ];
    case 'window_function':
      return [
        'window_function',
        expr.func.name,
        expr.args.map(exprKey),
        expr.partitionBy.map(exprKey),
        expr.orderBy.map(sortParts),
        frameParts(expr.frame),
        expr.distinct,
        maybe(expr.filter),
        expr.ignoreNulls,
      ];
    case 'outer_reference':
      return ['outer_reference', expr.column.relation, expr.column.name, typeName(expr.type)];
    case 'scalar_subquery':
      return ['scalar_subquery', subqueryId(expr.subquery)];
    case 'exists':
      return ['exists', subqueryId(expr.subquery), expr.negated];
    case 'in_subquery':
      return ['in_subquery', exprKey(expr.expr), subqueryId(expr.subquery), expr.negated];
    case 'set_comparison':
      return ['set_comparison', exprKey(expr.expr), expr.op, expr.quantifier, subqueryId(expr.subquery)];
    case 'grouping_set':
      return ['grouping_set', expr.form, expr.sets.map((set) => set.map(exprKey))];
  }
}

function maybe(expr: Expr | null): Part {
  return expr === null ? null : exprKey(expr);
}

function sortParts(key: SortExpr): Part {
  return [exprKey(key.expr), key.descending, key.nullsFirst];
}

function frameParts(frame: WindowFrame): Part {
  return [
    frame.units,
    frame.start.direction,
    frame.start.offset === null ? null : scalarParts(frame.start.offset),
    frame.end.direction,
    frame.end.offset === null ? null : scalarParts(frame.end.offset),
  ];
}

function scalarParts({ type, value }: ScalarValue): readonly Part[] {
  return [typeName(type), typeof value, valueText(value)];
}

function valueText(value: ScalarValue['value']): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'object' && value !== null) return intervalText(value);
  return String(value);
}

function intervalText({ months, days, nanos }: Interval): string {
  return `${months} ${days} ${nanos}`;
}

const subqueryIds = new WeakMap<SubqueryPlan, number>();
let lastSubqueryId = 0;

function subqueryId(subquery: SubqueryPlan): number {
  let id = subqueryIds.get(subquery);
  if (id === undefined) {
    id = ++lastSubqueryId;
    subqueryIds.set(subquery, id);
  }
  return id;
}
