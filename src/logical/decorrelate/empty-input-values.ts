import { BOOLEAN } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { type Expr, literal } from '../../expr/expr.js';
import { schemaName } from '../../expr/expr-display.js';
import { exprType } from '../../expr/expr-schema.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { replaceColumns, transformExprUp } from '../../expr/expr-transform.js';
import { isLiteralBoolean, isNullLiteral, NULL_BOOLEAN, unaliasNested } from '../../expr/expr-utils.js';
import type { DFSchema } from '../df-schema.js';
import type { OptimizerContext } from '../optimizer-rule.js';
import { simplifyExpr } from '../simplify/expr-simplifier.js';
import { SimplifyInfo } from '../simplify/simplify-info.js';

/**
 * What the columns of a plan (by name) would hold if no row came in. An aggregate without keys still gives a row then (`count` 0),
 * but once correlation columns have become its keys it gives none: the join above must put these values in ("count bug").
 */
export type EmptyInputValues = ReadonlyMap<string, Expr>;

export function aggregatesOnEmptyInput(
  aggregates: readonly Expr[],
  schema: DFSchema,
  context: OptimizerContext,
): EmptyInputValues {
  return new Map(
    aggregates.map((expr) => {
      const value = transformExprUp(expr, (e) => {
        if (e.kind !== 'aggregate_function') return e;
        return literal(e.func.emptyValue ?? scalar(exprType(e, schema), null));
      });
      const bare = unaliasNested(value);
      return [schemaName(expr), simplifyExpr(bare, new SimplifyInfo(schema, context.constants))];
    }),
  );
}

/** The values of a projection's outputs that depend on such columns. */
export function projectionOnEmptyInput(
  exprs: readonly Expr[],
  input: EmptyInputValues,
  schema: DFSchema,
  context: OptimizerContext,
): EmptyInputValues {
  const values = new Map<string, Expr>();
  for (const expr of exprs) {
    const replaced = replaceColumns(expr, (column) => input.get(column.name));
    if (exprsEqual(replaced, expr)) continue;
    const bare = unaliasNested(replaced);
    const name = expr.kind === 'column' || expr.kind === 'alias' ? expr.name : schemaName(expr);
    values.set(name, simplifyExpr(bare, new SimplifyInfo(schema, context.constants)));
  }
  return values;
}

/**
 * HAVING over such columns: undefined when it is not true on empty input (then no row comes out, as without correlation). Otherwise
 * the condition moves above the join, with the values that remain.
 */
export function filterOnEmptyInput(
  predicate: Expr,
  input: EmptyInputValues,
  schema: DFSchema,
  context: OptimizerContext,
): EmptyInputValues | undefined {
  const replaced = replaceColumns(predicate, (column) => input.get(column.name));
  if (exprsEqual(replaced, predicate)) return undefined;
  const result = simplifyExpr(replaced, new SimplifyInfo(schema, context.constants));
  if (isNullLiteral(result) || isLiteralBoolean(result, false)) return undefined;
  if (isLiteralBoolean(result, true)) return input;
  return new Map(
    [...input].map(([name, value]) => [
      name,
      { kind: 'case', operand: null, branches: [{ when: result, then: value }], otherwise: NULL_BOOLEAN },
    ]),
  );
}

export const UNMATCHED_ROW_INDICATOR = '__always_true';

export const INDICATOR_VALUE: Expr = literal(scalar(BOOLEAN, true));
