import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../physical/operators/coalesce-partitions-exec.js';
import { BroadcastExec } from '../operators/broadcast-exec.js';
import { isCollectedJoin, mayBroadcast } from './collected-joins.js';
import { withChildren } from '../../physical/tree.js';

/**
 * Puts a BroadcastExec (one consumer for now) below the build side of every collected join that may run in many tasks:
 *
 *     CoalescePartitionsExec             CoalescePartitionsExec
 *       x                          →       BroadcastExec
 *                                            x
 *
 * The CoalescePartitionsExec above gathers the copies inside each task. One that has a fetch stays below the broadcast as well as the
 * new one above it: tasks see rows in different orders, so a LIMIT without order that each applied to its own copy would let them join
 * different rows. (Upstream leaves the fetch above.)
 *
 * Source: distributed planner reference, 4.5.
 */
export function insertBroadcast(plan: ExecutionPlan): ExecutionPlan {
  const node = withChildren(plan, plan.children.map(insertBroadcast));
  if (!isCollectedJoin(node) || !mayBroadcast(node)) return node;
  const { left, right } = node;
  const input = left instanceof CoalescePartitionsExec && left.fetch === null ? left.input : left;
  return node.withNewChildren([new CoalescePartitionsExec(new BroadcastExec(input, 1)), right]);
}
