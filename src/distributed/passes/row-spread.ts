import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../physical/operators/coalesce-partitions-exec.js';
import { RepartitionExec } from '../../physical/operators/repartition-exec.js';
import { SortPreservingMergeExec } from '../../physical/operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../../physical/operators/union-exec.js';
import { NetworkBoundary } from '../network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../operators/children-isolator-union-exec.js';
import { isCollectedJoin } from './collected-joins.js';

/**
 * How a node's rows lie over the tasks of a stage, if the stage has several:
 * `split` – disjoint shares by no rule; `hash` – disjoint shares, equal keys in the same task and partition; `all` – all rows in each.
 */
export type RowSpread = 'split' | 'hash' | 'all';

/** The spread of a node's output, given those of its children. */
export function rowSpread(node: ExecutionPlan, children: readonly RowSpread[]): RowSpread {
  if (node instanceof NetworkBoundary) {
    switch (node.kind) {
      case 'shuffle':
        return 'hash';
      case 'broadcast':
        return 'all';
      case 'coalesce':
        return 'split';
    }
  }
  if (children.length === 0) return node.properties.partitioning.kind === 'hash' ? 'hash' : 'split';
  if (children.every((child) => child === 'all')) return 'all';
  if (isCollectedJoin(node)) return children[1] ?? 'split';
  if (
    node instanceof ChildrenIsolatorUnionExec ||
    node instanceof UnionExec ||
    node instanceof RepartitionExec ||
    node instanceof CoalescePartitionsExec ||
    node instanceof SortPreservingMergeExec
  ) {
    return 'split';
  }
  return children.every((child) => child === 'hash') ? 'hash' : 'split';
}

/**
 * Whether a node gives the right rows only if one task runs all of it. The single-node plan is silent where one partition met a
 * requirement by itself: a join side of one small file, an aggregate over it, a LIMIT in a scan of one partition. Spread over tasks,
 * each would act on its share alone. (Upstream does that.)
 */
export function needsOneTask(node: ExecutionPlan, children: readonly RowSpread[]): boolean {
  if (node instanceof NetworkBoundary) return false;
  const required = node.requiredInputDistribution();
  const unmet = children.some((spread, index) => {
    switch (required[index]?.kind) {
      case 'single':
        return spread !== 'all';
      case 'hash':
        return spread === 'split';
      case 'unspecified':
      case undefined:
        return false;
    }
  });
  if (unmet) return true;
  // The limit of a single partition is the limit of the query; with more partitions, somebody above limits their sum.
  const limitsAll = node.fetch !== null && node.properties.partitioning.count === 1;
  return limitsAll && rowSpread(node, children) !== 'all';
}
