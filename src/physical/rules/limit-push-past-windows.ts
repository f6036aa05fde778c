import type { PhysicalWindowExpr } from '../window-expr.js';
import { windowLimitEffect } from '../window-expr.js';
import type { WindowFrameBound } from '../../expr/expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { BoundedWindowAggExec } from '../operators/bounded-window-agg-exec.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../operators/global-limit-exec.js';
import { LocalLimitExec } from '../operators/local-limit-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { withChildren } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/**
 * A limit above windows that look at a known number of rows is a limit, that much larger, on the sort or merge below them. Applied once
 * per plan, to the first place found.
 */
export const limitPushPastWindows: PhysicalRule = {
  name: 'LimitPushPastWindows',
  optimize: (plan, config) =>
    config.get('optimizer.enable_window_limits') ? new LimitPusher().push(plan, NO_LIMIT) : plan,
};

/** The limit of the rows above, and by how much the windows on the way have widened it. */
interface Reach {
  readonly limit: number | null;
  readonly lookahead: number;
}

const NO_LIMIT: Reach = { limit: null, lookahead: 0 };

class LimitPusher {
  /** Once a window was seen no new limit is taken up. */
  #seenWindow = false;
  #done = false;

  push(plan: ExecutionPlan, reach: Reach): ExecutionPlan {
    if (this.#done) return plan;
    if (plan.children.length > 1) return this.#below(plan, NO_LIMIT);
    if (!this.#seenWindow && isLimit(plan)) {
      return this.#below(plan, { limit: limitOf(plan), lookahead: 0 });
    }
    if (plan instanceof BoundedWindowAggExec) {
      this.#seenWindow = true;
      return this.#below(plan, widen(reach, plan.windows) ?? NO_LIMIT);
    }
    if (this.#seenWindow && (plan instanceof SortExec || plan instanceof SortPreservingMergeExec)) {
      if (reach.limit === null) return this.#below(plan, NO_LIMIT);
      const rows = reach.limit + reach.lookahead;
      this.#done = true;
      return plan.withFetch(plan.fetch === null ? rows : Math.min(plan.fetch, rows));
    }
    const passes = plan instanceof ProjectionExec || plan instanceof CoalescePartitionsExec;
    return this.#below(plan, passes ? reach : NO_LIMIT);
  }

  #below(plan: ExecutionPlan, reach: Reach): ExecutionPlan {
    return withChildren(
      plan,
      plan.children.map((child) => this.push(child, reach)),
    );
  }
}

function isLimit(plan: ExecutionPlan): plan is GlobalLimitExec | LocalLimitExec | SortPreservingMergeExec {
  return plan instanceof GlobalLimitExec || plan instanceof LocalLimitExec || plan instanceof SortPreservingMergeExec;
}

function limitOf(plan: GlobalLimitExec | LocalLimitExec | SortPreservingMergeExec): number | null {
  if (plan.fetch === null) return null;
  return plan instanceof GlobalLimitExec ? plan.skip + plan.fetch : plan.fetch;
}

/**
 * The reach below the windows; undefined when one of them may look at any row. Within an operator DataFusion adds what frames and what
 * functions look ahead; operators one above the other add up too (DataFusion takes the larger frame there, which is too few rows).
 */
function widen({ limit, lookahead }: Reach, windows: readonly PhysicalWindowExpr[]): Reach | undefined {
  let byFunction = 0;
  let byFrame = 0;
  for (const window of windows) {
    const effect = windowLimitEffect(window);
    if (effect.kind === 'unknown') return undefined;
    if (effect.kind === 'relative') byFunction = Math.max(byFunction, effect.rows);
    const ahead = window.frame.units === 'ROWS' ? rowsAhead(window.frame.end) : undefined;
    if (ahead === undefined) return undefined;
    byFrame = Math.max(byFrame, ahead);
  }
  return { limit, lookahead: lookahead + byFunction + byFrame };
}

function rowsAhead({ direction, offset }: WindowFrameBound): number | undefined {
  if (direction !== 'FOLLOWING') return 0;
  return typeof offset?.value === 'bigint' ? Number(offset.value) : undefined;
}
