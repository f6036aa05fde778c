import { notImplemented } from '../../base/errors.js';
import type { Expr } from '../../expr/expr.js';
import { hasAggregate, hasWindow } from '../../expr/expr-utils.js';
import { EMPTY_DF_SCHEMA } from '../../logical/df-schema.js';
import { limit, values } from '../../logical/builder.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { Place, Query, SetExpr, SqlExpr, Values } from '../parser/ast.js';
import { at, type Binding, planError, type Scope } from './binding.js';
import { checkColumns } from './columns.js';
import { applyAlias } from './from.js';
import { normalizeIdent } from './options.js';
import { bindSelect } from './select.js';
import { bindSetOperation } from './set-operation.js';
import { bindSortKeys } from './sort-keys.js';
import { sortPlan } from './sort-plan.js';
import { namesTable } from './table-names.js';

/** `Binding.query`: WITH, the body, ORDER BY, LIMIT. */
export function bindQuery(b: Binding, query: Query, outer: Scope): LogicalPlan {
  return at(query.span, () => bindParts(b, query, outer));
}

function bindParts(b: Binding, query: Query, outer: Scope): LogicalPlan {
  const scope = bindCtes(b, query, outer);
  const plan =
    query.body.kind === 'select'
      ? bindSelect(b, query.body, query.orderBy, scope)
      : sorted(b, query, bindSetExpr(b, query.body, scope), scope);
  return limited(b, query, plan, scope);
}

/** Each common table expression is planned here and put in wherever it is named. */
function bindCtes(b: Binding, query: Query, outer: Scope): Scope {
  if (query.ctes.length === 0) return outer;
  const ctes = new Map(outer.ctes);
  const own = new Set<string>();
  for (const { alias, query: inner } of query.ctes) {
    const name = normalizeIdent(alias.name, b.options);
    if (own.has(name)) throw planError(`WITH defines "${name}" twice`, alias.name.span);
    own.add(name);
    if (query.recursive && namesTable(inner, name, b.options)) {
      throw notImplemented('a recursive WITH', alias.name.span === null ? {} : { span: alias.name.span });
    }
    const plan = b.query(inner, { ...outer, ctes: new Map(ctes), setLeft: null });
    ctes.set(name, applyAlias(b, plan, alias));
  }
  return { ...outer, ctes };
}

function bindSetExpr(b: Binding, body: SetExpr, scope: Scope): LogicalPlan {
  switch (body.kind) {
    case 'select':
      return bindSelect(b, body, [], scope);
    case 'query':
      return b.query(body.query, { ...scope, setLeft: null });
    case 'values':
      return bindValues(b, body, scope);
    case 'set_operation': {
      // A chain of unions leans to the left and may be long.
      const spine = [body];
      let leftmost = body.left;
      while (leftmost.kind === 'set_operation') {
        spine.push(leftmost);
        leftmost = leftmost.left;
      }
      let left = bindSetExpr(b, leftmost, scope);
      for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
        const operation = node;
        const setLeft = left.schema.length > 1 && !operation.byName ? left.schema : null;
        const right = bindSetExpr(b, operation.right, { ...scope, setLeft });
        const branches = left;
        left = at(operation.span, () => bindSetOperation(operation, branches, right));
      }
      return left;
    }
  }
}

function bindValues(b: Binding, { rows, span }: Values, scope: Scope): LogicalPlan {
  const bound = rows.map((row) =>
    row.map((item) => {
      const expr = b.expr(item, EMPTY_DF_SCHEMA, scope);
      checkColumns([expr], EMPTY_DF_SCHEMA);
      if (hasAggregate(expr) || hasWindow(expr)) throw planError('VALUES takes no aggregates and windows', item.span);
      return expr;
    }),
  );
  return at(span, () => values(bound));
}

/** ORDER BY behind a set operation or VALUES sorts by output columns. */
function sorted(b: Binding, query: Query, plan: LogicalPlan, scope: Scope): LogicalPlan {
  return sortPlan(plan, bindSortKeys(b, query.orderBy, plan.schema, scope, { ordinals: true }));
}

function limited(b: Binding, query: Query, plan: LogicalPlan, scope: Scope): LogicalPlan {
  if (query.limit === null && query.offset === null) return plan;
  const count = (written: SqlExpr | null, clause: string): number | null =>
    written === null ? null : rowCount(b.expr(written, EMPTY_DF_SCHEMA, scope), clause, written.span);
  return limit(count(query.offset, 'OFFSET') ?? 0, count(query.limit, 'LIMIT'), plan);
}

/** A whole number from 0, or null for none. */
function rowCount(expr: Expr, clause: string, place: Place): number | null {
  const value = constant(expr);
  if (value === null) return null;
  if (value === undefined) throw planError(`${clause} takes a whole number`, place);
  if (value < 0n) throw planError(`${clause} ${value} is below 0`, place);
  // More rows than any table has.
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

function constant(expr: Expr): bigint | null | undefined {
  if (expr.kind === 'literal') {
    if (expr.value.value === null) return null;
    return typeof expr.value.value === 'bigint' ? expr.value.value : undefined;
  }
  if (expr.kind !== 'binary') return undefined;
  const [left, right] = [constant(expr.left), constant(expr.right)];
  if (typeof left !== 'bigint' || typeof right !== 'bigint') return undefined;
  if (expr.op === '+') return left + right;
  if (expr.op === '-') return left - right;
  return expr.op === '*' ? left * right : undefined;
}
