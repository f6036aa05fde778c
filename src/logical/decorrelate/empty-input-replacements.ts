import { column, type Expr, literal } from '../../expr/expr.js';
import { isNullLiteral, NULL_BOOLEAN } from '../../expr/expr-utils.js';
import { UNMATCHED_ROW_INDICATOR } from './empty-input-values.js';
import type { PulledUp } from './pull-up-correlated.js';
import { underAlias } from './subquery-join.js';

/**
 * By column name, what stands above the join for each output of the subquery (aliased `relation`) that is not null over no rows:
 * `CASE WHEN __always_true IS NULL THEN 0 ELSE count END`.
 */
export function emptyInputReplacements(pulled: PulledUp, relation: string | null): Map<string, Expr> {
  const replacements = new Map<string, Expr>();
  for (const [name, value] of pulled.emptyInputValues ?? []) {
    if (isNullLiteral(value)) continue;
    const unmatched: Expr = {
      kind: 'is',
      expr: column(UNMATCHED_ROW_INDICATOR, relation),
      test: 'NULL',
      negated: false,
    };
    const branches: { when: Expr; then: Expr }[] = [{ when: unmatched, then: value }];
    if (pulled.having !== undefined) {
      const having =
        relation === null ? pulled.having : underAlias(pulled.having, pulled.plan.schema.columns(), relation);
      branches.push({ when: { kind: 'not', expr: having }, then: nullOf(value) });
    }
    replacements.set(name, { kind: 'case', operand: null, branches, otherwise: column(name, relation) });
  }
  return replacements;
}

function nullOf(value: Expr): Expr {
  return value.kind === 'literal' ? literal({ type: value.value.type, value: null }) : NULL_BOOLEAN;
}
