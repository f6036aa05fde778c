import { DistqError } from '../../base/errors.js';
import { typeName, typesEqual } from '../../columnar/data-type.js';
import { comparisonCoercion } from '../../expr/coercion/comparison.js';
import { alias, type Expr } from '../../expr/expr.js';
import { displayExpr } from '../../expr/expr-display.js';
import { exprType } from '../../expr/expr-schema.js';
import { join, projection, union } from '../builder.js';
import { DFSchema, EMPTY_DF_SCHEMA } from '../df-schema.js';
import { namesMatter, qualifiedName, restoreName } from '../name-preserver.js';
import type { AnalyzerRule } from '../optimizer-rule.js';
import type { JoinNode, LogicalPlan, UnionNode } from '../plan.js';
import { mapPlanExprs, withInputs } from '../transform.js';
import { planInputs } from '../traverse.js';
import { castTo, coerceExpr } from './coerce-expr.js';

/** Inserts the casts that make every operator, function, join key and union branch well typed. Runs once, before the optimizer. */
export const typeCoercion: AnalyzerRule = { name: 'type_coercion', analyze: coercePlan };

function coercePlan(plan: LogicalPlan): LogicalPlan {
  const coerced = withInputs(plan, planInputs(plan).map(coercePlan));
  if (coerced.kind === 'union') return coerceUnion(coerced);
  const schema = inputSchema(coerced);
  const names = namesMatter(coerced);
  const rewritten = mapPlanExprs(coerced, (expr) => {
    const result = coerceExpr(expr, schema, (subquery) => subquery.withPlan(coercePlan(subquery.plan)));
    return names ? restoreName(expr, result) : result;
  });
  return rewritten.kind === 'join' ? coerceJoinKeys(rewritten) : rewritten;
}

/** What a node's expressions may name. */
export function inputSchema(plan: LogicalPlan): DFSchema {
  if (plan.kind === 'table_scan') return DFSchema.fromSchema(plan.source.schema, plan.tableName);
  return planInputs(plan).reduce((schema, input) => schema.concat(input.schema), EMPTY_DF_SCHEMA);
}

function coerceJoinKeys(node: JoinNode): JoinNode {
  const on = node.on.map((pair): readonly [Expr, Expr] => {
    const [left, right] = pair;
    const leftType = exprType(left, node.left.schema);
    const rightType = exprType(right, node.right.schema);
    if (typesEqual(leftType, rightType)) return pair;
    const common = comparisonCoercion(leftType, rightType);
    if (common === undefined) {
      const shown = `${displayExpr(left)} (${typeName(leftType)}) and ${displayExpr(right)} (${typeName(rightType)})`;
      throw new DistqError('plan', `the join keys ${shown} cannot be compared`);
    }
    return [castTo(left, common, node.left.schema), castTo(right, common, node.right.schema)];
  });
  const same = on.every((pair, index) => pair === node.on[index]);
  return same ? node : join(node.left, node.right, node.joinType, { ...node, on });
}

/** Brings every branch to the union's types and names; that goes into a branch's own projection where it has one. */
function coerceUnion(node: UnionNode): LogicalPlan {
  const inputs = node.inputs.map((input) => alignBranch(input, node.schema));
  return inputs.every((input, index) => input === node.inputs[index]) ? node : union(inputs);
}

function alignBranch(branch: LogicalPlan, target: DFSchema): LogicalPlan {
  const fits = branch.schema.fields.every(({ field }, index) => {
    const wanted = target.at(index).field;
    return typesEqual(field.type, wanted.type) && field.name === wanted.name;
  });
  if (fits) return branch;
  const [exprs, input] =
    branch.kind === 'projection' ? [branch.exprs, branch.input] : [branch.schema.columns(), branch];
  const aligned = exprs.map((expr, index): Expr => {
    const { name, type } = target.at(index).field;
    const typed = castTo(unaliasTop(expr), type, input.schema);
    if (expr.kind === 'alias') return alias(typed, name, expr.name === name ? expr.relation : null);
    return qualifiedName(typed).name === name ? typed : alias(typed, name);
  });
  return projection(aligned, input);
}

function unaliasTop(expr: Expr): Expr {
  return expr.kind === 'alias' ? expr.expr : expr;
}
