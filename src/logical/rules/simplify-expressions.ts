import { mapExprChildren } from '../../expr/expr-transform.js';
import { namesMatter, restoreName } from '../name-preserver.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import { simplifyExpr } from '../simplify/expr-simplifier.js';
import { shareSums } from '../simplify/shared-sums.js';
import { SimplifyInfo } from '../simplify/simplify-info.js';
import { mapPlanExprs } from '../transform.js';
import { inputSchema } from './type-coercion.js';

/** Folds constants and simplifies every expression of a node; output names stay what they were. */
export const simplifyExpressions: OptimizerRule = {
  name: 'simplify_expressions',
  order: 'bottom_up',
  apply(plan, { constants, functions }) {
    const info = new SimplifyInfo(inputSchema(plan), constants);
    const names = namesMatter(plan);
    // Left and right of a join condition say which side is which.
    const reorder = plan.kind !== 'join';
    const simplified = mapPlanExprs(plan, (expr) => {
      // A grouping set has no value of its own; its keys do.
      if (expr.kind === 'grouping_set') {
        return mapExprChildren(expr, (key) => restoreName(key, simplifyExpr(key, info, reorder)));
      }
      const simpler = simplifyExpr(expr, info, reorder);
      return names ? restoreName(expr, simpler) : simpler;
    });
    return simplified.kind === 'aggregate' ? shareSums(simplified, functions) : simplified;
  },
};
