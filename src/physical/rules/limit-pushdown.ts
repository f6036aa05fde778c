import type { ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { EmptyExec } from '../operators/empty-exec.js';
import { GlobalLimitExec } from '../operators/global-limit-exec.js';
import { LocalLimitExec } from '../operators/local-limit-exec.js';
import { PlaceholderRowExec } from '../operators/placeholder-row-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../operators/union-exec.js';
import { withChildren } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** Takes limit nodes out and gives their numbers to the nodes below that can stop by themselves; what is left over becomes limits again. */
export const limitPushdown: PhysicalRule = {
  name: 'LimitPushdown',
  optimize: (plan) => push(plan, { skip: 0, fetch: null, satisfied: false }),
};

/** What the nodes above still ask for. `satisfied`: some node above already cuts at the right place. */
interface Wanted {
  readonly skip: number;
  readonly fetch: number | null;
  readonly satisfied: boolean;
}

function push(plan: ExecutionPlan, wanted: Wanted): ExecutionPlan {
  let node = plan;
  let state = wanted;
  // Limits on top of one another melt into one.
  while (node instanceof GlobalLimitExec || node instanceof LocalLimitExec) {
    const skip = node instanceof GlobalLimitExec ? node.skip : 0;
    state = { ...combine(state, { skip, fetch: node.fetch }), satisfied: false };
    node = node.input;
  }
  const placed = place(node, state);
  return mapPushed(placed.plan, node, (child) => push(child, placed.below));
}

interface Placed {
  readonly plan: ExecutionPlan;
  /** What goes on to the children of the node that was looked at. */
  readonly below: Wanted;
}

const NOTHING: Wanted = { skip: 0, fetch: null, satisfied: true };

function place(plan: ExecutionPlan, wanted: Wanted): Placed {
  let state = wanted;
  if (plan.fetch !== null) {
    state = {
      ...combine(state, { skip: 0, fetch: plan.fetch }),
      satisfied: state.skip === 0 || state.satisfied,
    };
  }
  const { skip, fetch, satisfied } = state;
  if (fetch === null) {
    if (skip === 0 || satisfied) return { plan, below: state };
    return { plan: new GlobalLimitExec(plan, skip, null), below: { ...state, satisfied: true } };
  }
  if (isKnownShort(plan, skip, fetch)) return { plan, below: NOTHING };
  const reach = skip + fetch;
  if (passesLimits(plan)) {
    if (!gathers(plan)) return { plan, below: state };
    const stopping = plan.withFetch(reach);
    if (stopping !== undefined) {
      const limited = skip > 0 ? new GlobalLimitExec(stopping, skip, fetch) : stopping;
      return { plan: limited, below: { skip: 0, fetch: reach, satisfied: true } };
    }
    return { plan: satisfied ? plan : addLimit(plan, skip, fetch), below: { ...state, satisfied: true } };
  }
  const stopping = plan.withFetch(reach);
  if (satisfied) return { plan: stopping ?? plan, below: NOTHING };
  if (stopping === undefined) return { plan: addLimit(plan, skip, fetch), below: NOTHING };
  return { plan: skip > 0 ? new GlobalLimitExec(stopping, skip, fetch) : stopping, below: NOTHING };
}

/** Rewrites the children of the node that `place` was given, below the limits it put on top. */
function mapPushed(
  placed: ExecutionPlan,
  original: ExecutionPlan,
  map: (child: ExecutionPlan) => ExecutionPlan,
): ExecutionPlan {
  const isAddedLimit =
    placed !== original &&
    (placed instanceof GlobalLimitExec || placed instanceof LocalLimitExec) &&
    !(original instanceof GlobalLimitExec || original instanceof LocalLimitExec);
  if (isAddedLimit) return withChildren(placed, [mapPushed(placed.input, original, map)]);
  return withChildren(placed, placed.children.map(map));
}

function combine(
  above: { skip: number; fetch: number | null },
  below: { skip: number; fetch: number | null },
): {
  skip: number;
  fetch: number | null;
} {
  const rest = below.fetch === null ? null : Math.max(below.fetch - above.skip, 0);
  let { fetch } = above;
  if (fetch === null) fetch = rest;
  else if (rest !== null) fetch = Math.min(fetch, rest);
  return { skip: above.skip + below.skip, fetch };
}

/** Nodes that give one row per input row, partition by partition or all together. */
function passesLimits(plan: ExecutionPlan): boolean {
  return plan instanceof ProjectionExec || plan instanceof UnionExec || gathers(plan);
}

function gathers(plan: ExecutionPlan): boolean {
  return plan instanceof CoalescePartitionsExec || plan instanceof SortPreservingMergeExec;
}

/** A limit that cuts nothing off is dropped. */
function isKnownShort(plan: ExecutionPlan, skip: number, fetch: number): boolean {
  if (skip > 0) return false;
  if (plan instanceof EmptyExec) return true;
  return plan instanceof PlaceholderRowExec && plan.properties.partitioning.count <= fetch;
}

function addLimit(plan: ExecutionPlan, skip: number, fetch: number): ExecutionPlan {
  if (skip > 0 || plan.properties.partitioning.count === 1) return new GlobalLimitExec(plan, skip, fetch);
  return new LocalLimitExec(plan, fetch + skip);
}
