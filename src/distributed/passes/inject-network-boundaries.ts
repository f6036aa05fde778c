import { DistqError } from '../../base/errors.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../physical/operators/coalesce-partitions-exec.js';
import { RepartitionExec } from '../../physical/operators/repartition-exec.js';
import { SortPreservingMergeExec } from '../../physical/operators/sort-preserving-merge-exec.js';
import { type DistributionHandlers, firstAnswer } from '../handlers.js';
import type { NetworkBoundary } from '../network-boundary.js';
import { BroadcastExec } from '../operators/broadcast-exec.js';
import { ChildrenIsolatorUnionExec } from '../operators/children-isolator-union-exec.js';
import { NetworkBroadcastExec } from '../operators/network-broadcast-exec.js';
import { NetworkCoalesceExec } from '../operators/network-coalesce-exec.js';
import { NetworkShuffleExec } from '../operators/network-shuffle-exec.js';
import { desired, limitTaskCount, maximum, mergeTaskCounts, type TaskCount } from '../task-count.js';
import { isCollectedJoin, mayBroadcast } from './collected-joins.js';
import { needsOneTask, type RowSpread, rowSpread } from './row-spread.js';
import { scaleFactor } from './scale-factor.js';
import { type ChildTaskCounts, scaleStage } from './scale-stage.js';
import { withChildren } from '../../physical/tree.js';

export interface InjectOptions {
  readonly config: SessionConfig;
  readonly handlers: DistributionHandlers;
  /** Ceiling of every stage. */
  readonly maxTasks: number;
}

/** A walked node with what the walk found out about it. */
interface Annotated {
  readonly node: ExecutionPlan;
  readonly count: TaskCount;
  readonly spread: RowSpread;
}

/**
 * Cuts the plan into stages. One post-order walk works out how many tasks each node wants and closes a stage below every exchange:
 * above a hash repartition (shuffle), above a BroadcastExec (broadcast), and above what a CoalescePartitionsExec or
 * SortPreservingMergeExec gathers (coalesce). Closing a stage settles its task count and deals its leaves and unions.
 *
 * Boundaries come out unnumbered and with producer heads for one consumer; `prepareNetworkBoundaries` finishes them.
 *
 * Source: distributed planner reference, 4.7 and 4.8.
 */
export function injectNetworkBoundaries(plan: ExecutionPlan, options: InjectOptions): ExecutionPlan {
  return new BoundaryInjector(options).run(plan);
}

class BoundaryInjector {
  readonly #options: InjectOptions;
  /** What the children of isolator unions want, by node: their weights when the union's stage is closed. */
  readonly #counts = new Map<ExecutionPlan, TaskCount>();

  constructor(options: InjectOptions) {
    this.#options = options;
  }

  run(plan: ExecutionPlan): ExecutionPlan {
    // The head is one task whatever its nodes wish for.
    return this.#scale(this.#visit(plan, undefined).node, 1);
  }

  #visit(plan: ExecutionPlan, parent: ExecutionPlan | undefined): Annotated {
    const kids = plan.children.map((child) => this.#visit(child, plan));
    const node = withChildren(
      plan,
      kids.map((kid) => kid.node),
    );
    const spreads = kids.map((kid) => kid.spread);
    const annotation = this.#annotate(node, kids, spreads);
    const annotated: Annotated = {
      node,
      count: limitTaskCount(annotation, this.#options.maxTasks),
      spread: rowSpread(node, spreads),
    };
    if (node instanceof RepartitionExec && node.partitioning.kind === 'hash') {
      return this.#close(annotated, (stage, tasks) => NetworkShuffleExec.over(stage, tasks));
    }
    if (node instanceof BroadcastExec) {
      return this.#close(annotated, (stage, tasks) => NetworkBroadcastExec.over(stage, tasks));
    }
    if (parent instanceof CoalescePartitionsExec || parent instanceof SortPreservingMergeExec) {
      return this.#close(annotated, (stage, tasks) => NetworkCoalesceExec.over(stage, tasks, 1));
    }
    this.#counts.set(node, annotated.count);
    return annotated;
  }

  /** 4.8.1, and `needsOneTask` on top. */
  #annotate(node: ExecutionPlan, kids: readonly Annotated[], spreads: readonly RowSpread[]): TaskCount {
    if (node instanceof ChildrenIsolatorUnionExec) return desired(kids.reduce((sum, kid) => sum + kid.count.n, 0));
    if (isCollectedJoin(node) && !(this.#options.config.get('distributed.broadcast_joins') && mayBroadcast(node))) {
      return maximum(1);
    }
    if (needsOneTask(node, spreads)) return maximum(1);
    const answer = firstAnswer(this.#options.handlers.desiredTaskCount, node, this.#options.config);
    if (answer !== undefined && !(Number.isInteger(answer.n) && answer.n >= 1)) {
      throw new DistqError('plan', `a handler wants ${answer.n} tasks for ${node.name}`);
    }
    const own = answer ?? (kids.length === 0 ? maximum(1) : desired(1));
    return kids.reduce((merged, kid) => mergeTaskCounts(merged, kid.count), own);
  }

  #close(
    { node, count, spread }: Annotated,
    boundaryOver: (stage: ExecutionPlan, tasks: number) => NetworkBoundary,
  ): Annotated {
    // Rows that every task holds must leave the stage once.
    const tasks = spread === 'all' ? 1 : count.n;
    const plan = this.#scale(node, tasks);
    const boundary = boundaryOver(plan, tasks);
    const factor = this.#options.config.get('distributed.cardinality_task_count_factor');
    const above = boundary.kind === 'coalesce' ? maximum(1) : desired(Math.ceil(scaleFactor(plan, factor) * tasks));
    this.#counts.set(boundary, above);
    return { node: boundary, count: above, spread: rowSpread(boundary, []) };
  }

  #scale(plan: ExecutionPlan, tasks: number): ExecutionPlan {
    const { config, handlers } = this.#options;
    const wishes: ChildTaskCounts = (child) => this.#counts.get(child) ?? desired(1);
    return scaleStage(plan, tasks, { config, handlers, wishes });
  }
}
