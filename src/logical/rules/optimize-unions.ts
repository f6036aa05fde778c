import { union } from '../builder.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { LogicalPlan, UnionNode } from '../plan.js';
import { withInputs } from '../transform.js';

/** Nested UNION ALLs become one; below DISTINCT the branches of a UNION do as well. */
export const optimizeUnions: OptimizerRule = {
  name: 'optimize_unions',
  order: 'bottom_up',
  apply(plan) {
    if (plan.kind === 'union') return flatten(plan, (input) => input);
    if (plan.kind === 'distinct' && plan.input.kind === 'union') {
      return withInputs(plan, [flatten(plan.input, (input) => (input.kind === 'distinct' ? input.input : input))]);
    }
    return plan;
  },
};

/** `open` looks through what makes no difference where the union stands. */
function flatten(node: UnionNode, open: (input: LogicalPlan) => LogicalPlan): LogicalPlan {
  const [only] = node.inputs;
  if (node.inputs.length === 1 && only !== undefined) return only;
  const inputs = node.inputs.flatMap((input): readonly LogicalPlan[] => {
    const inner = open(input);
    return inner.kind === 'union' ? inner.inputs : [input];
  });
  return inputs.length === node.inputs.length ? node : union(inputs);
}
