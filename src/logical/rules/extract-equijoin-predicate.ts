import type { Expr } from '../../expr/expr.js';
import { conjunction, splitConjunction } from '../../expr/expr-utils.js';
import { join } from '../builder.js';
import { canHashKey, equiJoinKeyPair } from '../join-keys.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, LogicalPlan } from '../plan.js';

/** Equations between the two sides move from a join's filter to its keys. */
export const extractEquijoinPredicate: OptimizerRule = {
  name: 'extract_equijoin_predicate',
  order: 'bottom_up',
  apply: (plan) => (plan.kind === 'join' && plan.filter !== null ? extract(plan, plan.filter) : plan),
};

type Key = readonly [Expr, Expr];

function extract(node: JoinNode, condition: Expr): LogicalPlan {
  const conjuncts = splitConjunction(condition);
  const equal = takeKeys(node, conjuncts, '=');
  if (equal.keys.length > 0 && !node.nullEqualsNull) {
    return join(node.left, node.right, node.joinType, {
      ...node,
      on: [...node.on, ...equal.keys],
      filter: conjunction(equal.rest) ?? null,
    });
  }
  // Nulls compare as equal for all keys of a join or for none.
  if (node.on.length > 0) return node;
  const same = takeKeys(node, conjuncts, 'IS NOT DISTINCT FROM');
  if (same.keys.length === 0) return node;
  return join(node.left, node.right, node.joinType, {
    ...node,
    on: same.keys,
    filter: conjunction(same.rest) ?? null,
    nullEqualsNull: true,
  });
}

function takeKeys(
  node: JoinNode,
  conjuncts: readonly Expr[],
  op: '=' | 'IS NOT DISTINCT FROM',
): { readonly keys: Key[]; readonly rest: Expr[] } {
  const keys: Key[] = [];
  const rest: Expr[] = [];
  for (const expr of conjuncts) {
    const pair =
      expr.kind === 'binary' && expr.op === op
        ? equiJoinKeyPair(expr.left, expr.right, node.left.schema, node.right.schema)
        : undefined;
    if (pair !== undefined && canHashKey(pair[0], node.left.schema) && canHashKey(pair[1], node.right.schema)) {
      keys.push(pair);
    } else {
      rest.push(expr);
    }
  }
  return { keys, rest };
}
