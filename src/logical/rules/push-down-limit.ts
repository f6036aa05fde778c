import { join, limit, projection, sort, subqueryAlias, tableScan } from '../builder.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, JoinType, LimitNode, LogicalPlan } from '../plan.js';
import { withInputs } from '../transform.js';

/** Moves limits towards the scans; a sort or scan below one learns how many rows are wanted. */
export const pushDownLimit: OptimizerRule = {
  name: 'push_down_limit',
  order: 'top_down',
  apply: (plan) => (plan.kind === 'limit' ? push(plan) : plan),
};

function push(node: LimitNode): LogicalPlan {
  const { input, skip, fetch } = node;
  if (input.kind === 'limit') return push(combine(node, input));
  if (fetch === null) return node;
  const wanted = skip + fetch;
  switch (input.kind) {
    case 'table_scan': {
      // A limit of 0 reads nothing, whatever it skips.
      const rows = fetch === 0 ? 0 : wanted;
      const fewest = input.fetch === null ? rows : Math.min(input.fetch, rows);
      return fewest === input.fetch
        ? node
        : limit(skip, fetch, tableScan(input.tableName, input.source, { ...input, fetch: fewest }));
    }
    case 'union':
      return limit(
        skip,
        fetch,
        withInputs(
          input,
          input.inputs.map((branch) => atMost(wanted, branch)),
        ),
      );
    case 'join': {
      const joined = intoJoin(input, wanted);
      return joined === input ? node : limit(skip, fetch, joined);
    }
    case 'sort': {
      const fewest = input.fetch === null ? wanted : Math.min(input.fetch, wanted);
      // A sort that gives no more rows than these needs no limit above it.
      if (fewest === input.fetch) return skip === 0 ? input : node;
      return limit(skip, fetch, sort(input.keys, input.input, fewest));
    }
    case 'projection':
      return projection(input.exprs, limit(skip, fetch, input.input));
    case 'subquery_alias':
      return subqueryAlias(input.alias, limit(skip, fetch, input.input));
    case 'filter':
    case 'aggregate':
    case 'window':
    case 'subquery':
    case 'distinct':
    case 'distinct_on':
    case 'values':
    case 'empty_relation':
      return node;
  }
}

/** Two limits, one upon the other, as one. */
function combine(outer: LimitNode, inner: LimitNode): LimitNode {
  const left = inner.fetch === null ? null : Math.max(0, inner.fetch - outer.skip);
  const fetch = outer.fetch === null ? left : left === null ? outer.fetch : Math.min(outer.fetch, left);
  return limit(inner.skip + outer.skip, fetch, inner.input);
}

function atMost(rows: number, input: LogicalPlan): LogicalPlan {
  return input.kind === 'limit' && input.skip === 0 && input.fetch !== null && input.fetch <= rows
    ? input
    : limit(0, rows, input);
}

/** Sides of which so many rows are enough: those that a join cannot shorten. DataFusion looks for no more of them than these. */
const PADDED: Readonly<Partial<Record<JoinType, readonly ('left' | 'right')[]>>> = { Left: ['left'], Right: ['right'] };
const UNCONDITIONAL: typeof PADDED = { ...PADDED, Inner: ['left', 'right'] };

function intoJoin(node: JoinNode, rows: number): LogicalPlan {
  const unconditional = node.on.length === 0 && node.filter === null;
  const sides = (unconditional ? UNCONDITIONAL : PADDED)[node.joinType] ?? [];
  const left = sides.includes('left') ? atMost(rows, node.left) : node.left;
  const right = sides.includes('right') ? atMost(rows, node.right) : node.right;
  return left === node.left && right === node.right ? node : join(left, right, node.joinType, node);
}
