import { typeName } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { BinaryOperator, Expr, SortExpr, SubqueryPlan, WindowFrame, WindowFrameBound } from './expr.js';
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
    key = compose(expr);
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

/** `kind(part,part,…)`: parts are keys, or texts in JSON's quotes, so that no two different expressions can read the same. */
function compose(expr: Expr): string {
  switch (expr.kind) {
    case 'column':
      return node('column', quote(expr.relation), quote(expr.name));
    case 'literal':
      return node('literal', scalarKey(expr.value));
    case 'alias':
      return node('alias', exprKey(expr.expr), quote(expr.relation), quote(expr.name));
    case 'binary':
      return node('binary', expr.op, exprKey(expr.left), exprKey(expr.right));
    case 'not':
    case 'negative':
      return node(expr.kind, exprKey(expr.expr));
    case 'is':
      return node('is', exprKey(expr.expr), expr.test, flags(expr.negated));
    case 'between':
      return node('between', exprKey(expr.expr), exprKey(expr.low), exprKey(expr.high), flags(expr.negated));
    case 'like':
      return node(
        'like',
        exprKey(expr.expr),
        exprKey(expr.pattern),
        quote(expr.escape),
        flags(expr.negated, expr.caseInsensitive, expr.similarTo),
      );
    case 'case':
      return node(
        'case',
        maybe(expr.operand),
        ...expr.branches.map(({ when, then }) => node('when', exprKey(when), exprKey(then))),
        maybe(expr.otherwise),
      );
    case 'cast':
      return node('cast', exprKey(expr.expr), typeName(expr.type), flags(expr.safe));
    case 'in_list':
      return node('in_list', exprKey(expr.expr), ...expr.list.map(exprKey), flags(expr.negated));
    case 'scalar_function':
      return node('scalar_function', quote(expr.func.name), ...expr.args.map(exprKey));
    case 'aggregate_function':
      return node(
        'aggregate_function',
        quote(expr.func.name),
        ...expr.args.map(exprKey),
        maybe(expr.filter),
        ...expr.orderBy.map(sortKey),
        flags(expr.distinct, expr.ignoreNulls),
      );
    case 'window_function':
      return node(
        'window_function',
        quote(expr.func.name),
        ...expr.args.map(exprKey),
        node('partition', ...expr.partitionBy.map(exprKey)),
        ...expr.orderBy.map(sortKey),
        frameKey(expr.frame),
        maybe(expr.filter),
        flags(expr.distinct, expr.ignoreNulls),
      );
    case 'outer_reference':
      return node('outer_reference', quote(expr.column.relation), quote(expr.column.name), typeName(expr.type));
    case 'scalar_subquery':
      return node('scalar_subquery', subqueryId(expr.subquery));
    case 'exists':
      return node('exists', subqueryId(expr.subquery), flags(expr.negated));
    case 'in_subquery':
      return node('in_subquery', exprKey(expr.expr), subqueryId(expr.subquery), flags(expr.negated));
    case 'set_comparison':
      return node('set_comparison', exprKey(expr.expr), expr.op, expr.quantifier, subqueryId(expr.subquery));
    case 'grouping_set':
      return node('grouping_set', expr.form, ...expr.sets.map((set) => node('set', ...set.map(exprKey))));
  }
}

function node(kind: string, ...parts: readonly string[]): string {
  return `${kind}(${parts.join(',')})`;
}

function quote(text: string | null): string {
  return JSON.stringify(text);
}

function flags(...values: readonly (boolean | null)[]): string {
  return values.map((value) => (value === null ? '?' : value ? '1' : '0')).join('');
}

function maybe(expr: Expr | null): string {
  return expr === null ? 'null' : exprKey(expr);
}

function sortKey(key: SortExpr): string {
  return node('sort', exprKey(key.expr), flags(key.descending, key.nullsFirst));
}

function frameKey(frame: WindowFrame): string {
  const bound = ({ direction, offset }: WindowFrameBound): string =>
    node(quote(direction), offset === null ? 'null' : scalarKey(offset));
  return node('frame', frame.units, bound(frame.start), bound(frame.end));
}

function scalarKey({ type, value }: ScalarValue): string {
  return `${typeName(type)} ${valueKey(value)}`;
}

function valueKey(value: ScalarValue['value']): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'object') return `${value.months} ${value.days} ${value.nanos}`;
  return Object.is(value, -0) ? '-0' : String(value);
}

const subqueryIds = new WeakMap<SubqueryPlan, number>();
let lastSubqueryId = 0;

function subqueryId(subquery: SubqueryPlan): string {
  let id = subqueryIds.get(subquery);
  if (id === undefined) {
    id = ++lastSubqueryId;
    subqueryIds.set(subquery, id);
  }
  return String(id);
}
