import type { BinaryOperator, Expr, OuterReferenceExpr } from '../../expr/expr.js';
import { visitExpr } from '../../expr/expr-transform.js';
import { exprKey } from '../../expr/expr-equality.js';
import { isComparison } from '../../expr/operators.js';
import { subqueryPlan } from '../../logical/builder.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { LogicalSubquery } from '../../logical/subquery.js';
import { planExprs, planInputs } from '../../logical/traverse.js';
import type {
  ExistsSqlExpr,
  InSubquerySqlExpr,
  Place,
  QuantifiedSqlExpr,
  Query,
  SqlExpr,
  SubquerySqlExpr,
} from '../parser/ast.js';
import { type Binding, planError, type Scope } from './binding.js';
import { checkColumns } from './columns.js';

export function bindExists(b: Binding, { query, negated }: ExistsSqlExpr, schema: DFSchema, scope: Scope): Expr {
  return { kind: 'exists', subquery: bindSubquery(b, query, schema, scope), negated };
}

export function bindScalarSubquery(b: Binding, { query, span }: SubquerySqlExpr, schema: DFSchema, scope: Scope): Expr {
  return { kind: 'scalar_subquery', subquery: oneColumn(bindSubquery(b, query, schema, scope), span) };
}

export function bindInSubquery(
  b: Binding,
  { expr, query, negated, span }: InSubquerySqlExpr,
  schema: DFSchema,
  scope: Scope,
): Expr {
  const subquery = oneColumn(bindSubquery(b, query, schema, scope), query.span ?? span);
  return { kind: 'in_subquery', expr: checked(b, expr, schema, scope), subquery, negated };
}

export function bindQuantified(
  b: Binding,
  { left, quantifier, query, span }: QuantifiedSqlExpr,
  op: BinaryOperator,
  schema: DFSchema,
  scope: Scope,
): Expr {
  if (!isComparison(op)) throw planError(`${quantifier} goes with a comparison, not with ${op}`, span);
  const subquery = oneColumn(bindSubquery(b, query, schema, scope), query.span ?? span);
  return { kind: 'set_comparison', expr: checked(b, left, schema, scope), op, quantifier, subquery };
}

function checked(b: Binding, expr: SqlExpr, schema: DFSchema, scope: Scope): Expr {
  const bound = b.expr(expr, schema, scope);
  checkColumns([bound], schema);
  return bound;
}

function bindSubquery(b: Binding, query: Query, schema: DFSchema, scope: Scope): LogicalSubquery {
  const plan = b.query(query, { ...scope, outer: [...scope.outer, schema], outerFrom: null, setLeft: null });
  return subqueryPlan(plan, outerReferences(plan));
}

function oneColumn(subquery: LogicalSubquery, place: Place): LogicalSubquery {
  const { length } = subquery.outputs;
  if (length !== 1) throw planError(`a subquery used as a value gives one column, and this one gives ${length}`, place);
  return subquery;
}

/** References to columns of enclosing queries, each once, in the order in which a walk from the top finds them. */
export function outerReferences(plan: LogicalPlan): OuterReferenceExpr[] {
  const found = new Map<string, OuterReferenceExpr>();
  const walk = (node: LogicalPlan): void => {
    for (const expr of planExprs(node)) {
      visitExpr(expr, (e) => {
        if (e.kind === 'outer_reference' && !found.has(exprKey(e))) found.set(exprKey(e), e);
        return undefined;
      });
    }
    planInputs(node).forEach(walk);
  };
  walk(plan);
  return [...found.values()];
}
