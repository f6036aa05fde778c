import type { Expr } from '../../expr/expr.js';
import { transformExprUp } from '../../expr/expr-transform.js';
import { canonicalize } from './canonicalize.js';
import { foldConstants } from './fold-constants.js';
import { shortenInList } from './in-list.js';
import type { SimplifyInfo } from './simplify-info.js';
import { simplifyNode } from './simplify-node.js';

/** Constants make rules fire and rules make constants; this many rounds are enough. */
const MAX_CYCLES = 3;

/**
 * Folds constants and applies algebra until nothing changes. `reorder` puts the sides of comparisons into one order (not in join
 * conditions, where left and right mean something).
 */
export function simplifyExpr(expr: Expr, info: SimplifyInfo, reorder = true): Expr {
  let current = reorder ? canonicalize(expr) : expr;
  for (let cycle = 0; cycle < MAX_CYCLES; cycle++) {
    const folded = foldConstants(current, info.constants);
    const next = transformExprUp(folded, (e) => simplifyNode(e, info));
    if (next === current) break;
    current = next;
  }
  return transformExprUp(current, shortenInList);
}
