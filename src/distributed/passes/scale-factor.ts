import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { NetworkBoundary } from '../network-boundary.js';

/**
 * By how much the consumers of a stage may be fewer (or more) than its producers: divided by `factor` for every node that gives fewer
 * rows than it reads, the smallest shrinkage of several inputs counting; a boundary starts again at 1.
 *
 * The order of operations is part of the result: with 1.2, two shrinking nodes and 36 tasks it is 26, not 25.
 * Source: distributed planner reference, 4.8.5.
 */
export function scaleFactor(plan: ExecutionPlan, factor: number): number {
  if (plan instanceof NetworkBoundary) return 1;
  const inputs = plan.children.map((child) => scaleFactor(child, factor));
  const scale = inputs.length === 0 ? 1 : Math.max(...inputs);
  switch (plan.cardinalityEffect()) {
    case 'lower_equal':
      return scale / factor;
    case 'greater_equal':
      return scale * factor;
    case 'equal':
    case 'unknown':
      return scale;
  }
}
