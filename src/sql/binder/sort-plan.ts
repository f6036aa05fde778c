import { type ColumnExpr, column, type Expr, type SortExpr } from '../../expr/expr.js';
import { exprsEqual, indexOfExpr } from '../../expr/expr-equality.js';
import { displayColumn, schemaName } from '../../expr/expr-display.js';
import { columnKey, columnsOf, transformExprDown } from '../../expr/expr-transform.js';
import { projection, sort } from '../../logical/builder.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { DistinctNode, LogicalPlan } from '../../logical/plan.js';
import { withInputs } from '../../logical/transform.js';
import { planExprs, planInputs } from '../../logical/traverse.js';
import { planError } from './binding.js';
import { isNormalizable, normalizeFor, unknownColumn } from './columns.js';

/**
 * A Sort over `plan`. Keys are rewritten to the plan's output columns where they repeat its expressions; columns that only the input of
 * a projection has are added to it, sorted by, and dropped again.
 */
export function sortPlan(plan: LogicalPlan, keys: readonly SortExpr[]): LogicalPlan {
  if (keys.length === 0) return plan;
  const rewritten = keys.map((key) => ({ ...key, expr: inTermsOfOutput(key.expr, plan) }));
  const missing = columnsOf(...rewritten.map((key) => key.expr)).filter((c) => !hasColumn(plan.schema, c));
  if (missing.length === 0) return sort(normalized(rewritten, plan), plan);
  const selected = plan.kind === 'distinct' ? selectedKeys(rewritten, plan) : undefined;
  if (selected !== undefined) return sort(normalized(selected, plan), plan);
  const widened = addColumns(plan, missing, false);
  return projection(plan.schema.columns(), sort(normalized(rewritten, widened), widened));
}

/** Keys under DISTINCT that are expressions of the select list whose columns are not in it themselves. */
function selectedKeys(keys: readonly SortExpr[], plan: DistinctNode): SortExpr[] | undefined {
  const isPlain = keys.every(({ expr }) => expr.kind === 'column');
  if (isPlain) return undefined;
  const selected = keys.map((key) => ({ ...key, expr: inTermsOfOutput(key.expr, plan.input) }));
  const isSelected = columnsOf(...selected.map((key) => key.expr)).every((c) => hasColumn(plan.schema, c));
  return isSelected ? selected : undefined;
}

function normalized(keys: readonly SortExpr[], plan: LogicalPlan): SortExpr[] {
  return keys.map((key) => ({ ...key, expr: normalizeFor(key.expr, plan) }));
}

function hasColumn(schema: DFSchema, { relation, name }: ColumnExpr): boolean {
  return schema.fields.some(
    (candidate) => candidate.field.name === name && (relation === null || candidate.relation === relation),
  );
}

function inTermsOfOutput(expr: Expr, plan: LogicalPlan): Expr {
  const inputs = planInputs(plan);
  const [input] = inputs;
  if (input === undefined || inputs.length !== 1) return expr;
  const outputs = planExprs(plan);
  return transformExprDown(expr, (e) => outputColumn(e, outputs, input) ?? e);
}

/** The output column that has the expression's value. */
function outputColumn(expr: Expr, outputs: readonly Expr[], input: LogicalPlan): Expr | undefined {
  const same = outputs.find((output) => isOutput(expr, output));
  if (same !== undefined) return columnOf(same);
  // An expression such as min(t.c) may stand in the output as the column of that name.
  // What is not over the input's columns has no such name.
  if (!isNormalizable(expr, input)) return undefined;
  const resolved = normalizeFor(expr, input);
  const wanted = column(schemaName(resolved));
  const named = outputs.find((output) => isOutput(wanted, output));
  if (named === undefined) return undefined;
  return resolved.kind === 'cast' ? { ...resolved, expr: columnOf(named) } : columnOf(named);
}

function isOutput(expr: Expr, output: Expr): boolean {
  return exprsEqual(expr, output.kind === 'alias' ? output.expr : output);
}

function columnOf(output: Expr): ColumnExpr {
  if (output.kind === 'column') return output;
  if (output.kind === 'alias') return column(output.name, output.relation);
  return column(schemaName(output));
}

/** The plan with columns added to the projection below it whose input has them all. */
function addColumns(plan: LogicalPlan, missing: readonly ColumnExpr[], isDistinct: boolean): LogicalPlan {
  if (plan.kind === 'projection' && missing.every((c) => hasColumn(plan.input.schema, c))) {
    const added = missing.map((c) => normalizeFor(c, plan.input)).filter((expr) => indexOfExpr(plan.exprs, expr) < 0);
    if (isDistinct) checkDistinct(added, missing, plan.exprs);
    return projection([...plan.exprs, ...added], plan.input);
  }
  const [first] = missing;
  // Behind a set operation only its output columns can be sorted by.
  if (first !== undefined && planInputs(plan).length > 1) throw unknownColumn(first, [plan.schema]);
  const inside = isDistinct || plan.kind === 'distinct' || plan.kind === 'distinct_on';
  return withInputs(
    plan,
    planInputs(plan).map((input) => addColumns(input, missing, inside)),
  );
}

/** Under DISTINCT a further column would change which rows are the same. */
function checkDistinct(added: readonly Expr[], missing: readonly ColumnExpr[], exprs: readonly Expr[]): void {
  const isSelected = (expr: Expr): boolean =>
    exprs.some((output) => output.kind === 'alias' && exprsEqual(output.expr, expr));
  if (added.every(isSelected)) return;
  const names = [...new Map(missing.map((c) => [columnKey(c), displayColumn(c)])).values()].join(', ');
  throw planError(`with SELECT DISTINCT, ORDER BY ${names} must be in the select list`, missing[0]?.span);
}
