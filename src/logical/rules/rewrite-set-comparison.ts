import { BOOLEAN } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { binary, type Expr, literal, type OuterReferenceExpr, type SetComparisonExpr } from '../../expr/expr.js';
import { exprNullable, exprType } from '../../expr/expr-schema.js';
import { transformExprUp } from '../../expr/expr-transform.js';
import { FALSE, TRUE } from '../../expr/expr-utils.js';
import { filter, subqueryPlan } from '../builder.js';
import type { DFSchema } from '../df-schema.js';
import { namesMatter, restoreName } from '../name-preserver.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import { logicalSubquery } from '../subquery.js';
import { mapPlanExprs } from '../transform.js';
import { inputSchema } from './type-coercion.js';

/** `x op ANY (subquery)` and ALL ask whether there is a row that decides, and then whether one is null. */
export const rewriteSetComparison: OptimizerRule = {
  name: 'rewrite_set_comparison',
  order: 'top_down',
  apply(plan) {
    const schema = inputSchema(plan);
    const names = namesMatter(plan);
    return mapPlanExprs(plan, (expr) => {
      const rewritten = transformExprUp(expr, (e) => (e.kind === 'set_comparison' ? rewrite(e, schema) : e));
      return names ? restoreName(expr, rewritten) : rewritten;
    });
  },
};

function rewrite(expr: SetComparisonExpr, schema: DFSchema): Expr {
  const any = expr.quantifier === 'ANY';
  const decides = exists(expr, schema, any ? 'TRUE' : 'FALSE');
  const unknown = exists(expr, schema, 'NULL');
  return {
    kind: 'case',
    operand: null,
    branches: [
      { when: decides, then: any ? TRUE : FALSE },
      { when: unknown, then: literal(scalar(BOOLEAN, null)) },
    ],
    otherwise: any ? FALSE : TRUE,
  };
}

/** Whether a row of the subquery makes the comparison so. */
function exists(expr: SetComparisonExpr, schema: DFSchema, test: 'TRUE' | 'FALSE' | 'NULL'): Expr {
  const { plan, outerColumns } = logicalSubquery(expr.subquery);
  const added: OuterReferenceExpr[] = [];
  const outer = transformExprUp(expr.expr, (e) => {
    if (e.kind !== 'column') return e;
    const reference: OuterReferenceExpr = {
      kind: 'outer_reference',
      column: e,
      type: exprType(e, schema),
      nullable: exprNullable(e, schema),
    };
    added.push(reference);
    return reference;
  });
  const comparison = binary(outer, expr.op, plan.schema.columnAt(0));
  const asked = filter({ kind: 'is', expr: comparison, test, negated: false }, plan);
  return { kind: 'exists', subquery: subqueryPlan(asked, [...outerColumns, ...added]), negated: false };
}
