import { isArithmetic, isComparison } from '../operators.js';
import { physicalChildren } from '../physical-expr-transform.js';
import type { PhysicalExpr } from '../physical-expr.js';
import { kindOfType } from './value.js';

/**
 * Whether an expression is cheaper to compute than to branch around, and cannot fail: comparisons and logic over numbers, and what
 * `isLookUp` says is a table look-up. What can fail must stay behind its guard.
 */
export function isCheap(expr: PhysicalExpr, isLookUp: (expr: PhysicalExpr) => boolean): boolean {
  if (isLookUp(expr)) return true;
  const kind = kindOfType(expr.type);
  if (kind === undefined || kind === 'string') return false;
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return true;
    case 'binary':
      if (isArithmetic(expr.op)) return false;
      if (!isComparison(expr.op) && expr.op !== 'AND' && expr.op !== 'OR') return false;
      return isCheap(expr.left, isLookUp) && isCheap(expr.right, isLookUp);
    case 'not':
      return isCheap(expr.expr, isLookUp);
    case 'is_null':
      return physicalChildren(expr).every((child) => child.kind === 'column' || isCheap(child, isLookUp));
    case 'in_list':
      return (
        expr.list.length <= 4 && isCheap(expr.expr, isLookUp) && expr.list.every((item) => item.kind === 'literal')
      );
    case 'negative':
    case 'like':
    case 'case':
    case 'cast':
    case 'scalar_function':
    case 'dynamic_filter':
      return false;
  }
}
