import { byteSplit } from '../../catalog/byte-split.js';
import type { SessionConfig } from '../../config/session-config.js';
import { collectPhysicalColumns } from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { GROUPING_ID } from '../../logical/grouping-sets.js';
import { distributionSatisfied, orderingSatisfied, outputOrdering } from '../equivalence.js';
import type { Distribution, ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { DataSourceExec } from '../operators/data-source-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { canInterleave, InterleaveExec } from '../operators/interleave-exec.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../operators/union-exec.js';
import { fittingWindow, isWindow } from '../window-operator.js';
import { PlanContext } from './plan-context.js';
import { addSortAboveWithCheck, isStreaming } from './plan-kinds.js';

/** `data`: below this node, reached through nodes that keep an order, stands one that changes the distribution. */
type Node = PlanContext<boolean>;

/** Gives every node the distribution of input it needs, and more partitions where that helps. */
export function ensureDistribution(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  return PlanContext.of(plan, false).transformUp((node) => ensureNode(node, config)).plan;
}

function ensureNode(original: Node, config: SessionConfig): Node {
  if (original.children.length === 0) return original;
  for (const child of original.children) child.data = changesDistribution(child);
  // What was there is taken out and comes back only where it is needed.
  let node = original;
  while (isDistributionChange(node.plan)) node = node.children[0]!;
  const [input] = node.children;
  if (input === undefined) return node;
  if (isWindow(node.plan)) {
    const fitting = fittingWindow(node.plan, input.plan);
    if (fitting !== undefined) node = new PlanContext<boolean>(fitting, node.data, node.children);
  }

  const needs = childNeeds(node.plan, config);
  const children = node.children.map((child, i) => ensureChild(node.plan, child, needs[i]!, i, config));
  const plans = children.map((child) => child.plan);
  const interleave =
    node.plan instanceof UnionExec && !config.get('optimizer.prefer_existing_union') && canInterleave(plans);
  if (interleave) return new PlanContext<boolean>(new InterleaveExec(plans), false, children);
  const changed = node.withChildren(children);
  changed.data = false;
  return changed;
}

function isDistributionChange(plan: ExecutionPlan): boolean {
  return (
    plan instanceof RepartitionExec || plan instanceof CoalescePartitionsExec || plan instanceof SortPreservingMergeExec
  );
}

function changesDistribution(node: Node): boolean {
  if (node.plan instanceof RepartitionExec) return node.plan.partitioning.kind !== 'unknown';
  if (node.children.length === 0 || isDistributionChange(node.plan)) return true;
  if (node.children[0]!.data) return true;
  const required = node.plan.requiredInputDistribution();
  return node.children.some((child, i) => child.data && required[i]!.kind === 'unspecified');
}

interface ChildNeed {
  readonly requirement: Distribution;
  /** More partitions would help this node, as far as its kind tells. */
  readonly benefits: boolean;
  /** The child has enough rows to be worth spreading. */
  readonly manyRows: boolean;
  readonly hashNecessary: boolean;
}

function childNeeds(plan: ExecutionPlan, config: SessionConfig): ChildNeed[] {
  const requirements = plan.requiredInputDistribution();
  const benefits = plan.benefitsFromInputPartitioning();
  const needs = plan.children.map((child, i) => {
    const requirement = requirements[i]!;
    const manyRows = isWorthSpreading(child, config);
    const severalPartitions = child.properties.partitioning.count > 1;
    const isHash = requirement.kind === 'hash';
    return {
      need: { requirement, benefits: benefits[i]!, manyRows, hashNecessary: isHash && severalPartitions },
      aligns: isHash && (severalPartitions || (benefits[i]! && manyRows)),
    };
  });
  // Sides that are hashed must be hashed alike: when one has to be, all are.
  const align = needs.some(({ aligns }) => aligns);
  return needs.map(({ need }) => (align && need.requirement.kind === 'hash' ? { ...need, hashNecessary: true } : need));
}

function isWorthSpreading(child: ExecutionPlan, config: SessionConfig): boolean {
  const { numRows } = child.statistics();
  const batchSize = config.get('execution.batch_size');
  switch (numRows.kind) {
    case 'exact':
      return numRows.value > batchSize;
    case 'inexact':
      return !config.get('execution.use_row_number_estimates_to_optimize_partitioning') || numRows.value > batchSize;
    case 'absent':
      return true;
  }
}

function ensureChild(parent: ExecutionPlan, start: Node, need: ChildNeed, index: number, config: SessionConfig): Node {
  const target = config.get('execution.target_partitions');
  let child = start;
  const addRoundRobin =
    config.get('optimizer.enable_round_robin_repartition') &&
    need.benefits &&
    need.manyRows &&
    child.plan.properties.partitioning.count < target;
  if (config.get('optimizer.repartition_file_scans') && need.manyRows) {
    const split = repartitionScan(child.plan, config);
    if (split !== undefined) child = new PlanContext<boolean>(split, child.data, child.children);
  }
  switch (need.requirement.kind) {
    case 'single':
      child = gather(child);
      break;
    case 'hash':
      if (need.hashNecessary) child = addHash(parent, child, need.requirement.exprs, config);
      break;
    case 'unspecified':
      if (addRoundRobin && child.plan.properties.partitioning.count < target) {
        const repartition = new RepartitionExec({ kind: 'round_robin', count: target }, child.plan, {
          preserveOrder: true,
        });
        child = new PlanContext<boolean>(repartition, true, [child]);
      }
  }
  return settleOrder(parent, child, need, index, config);
}

/** The scan cut by bytes into the target number of partitions; undefined when it stays. */
function repartitionScan(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan | undefined {
  if (!(plan instanceof DataSourceExec)) return undefined;
  const scan = plan.source.fileScan;
  if (scan === null || scan.hashKeys !== undefined) return undefined;
  const fileGroups = byteSplit(scan.fileGroups, {
    targetGroups: config.get('execution.target_partitions'),
    minBytes: config.get('optimizer.repartition_file_min_size'),
    keepOrder: scan.outputOrderings.length > 0,
  });
  return fileGroups === null ? undefined : plan.withFileScan({ ...scan, fileGroups });
}

/** One partition, keeping an order that is there: whether that pays is seen later. */
function gather(child: Node): Node {
  const { properties } = child.plan;
  if (properties.partitioning.count <= 1) return child;
  const order = outputOrdering(properties);
  const plan = order === null ? new CoalescePartitionsExec(child.plan) : new SortPreservingMergeExec(order, child.plan);
  return new PlanContext<boolean>(plan, true, [child]);
}

function addHash(parent: ExecutionPlan, child: Node, exprs: readonly PhysicalExpr[], config: SessionConfig): Node {
  const target = config.get('execution.target_partitions');
  const { properties } = child.plan;
  const { count } = properties.partitioning;
  if (target === 1 && count === 1) return child;
  const allowSubset = count >= config.get('optimizer.subset_repartition_threshold') && subsetMaySuffice(parent, exprs);
  const exactly = distributionSatisfied({ kind: 'hash', exprs }, properties);
  if (exactly && target <= count) return child;
  if (!exactly && allowSubset && distributionSatisfied({ kind: 'hash', exprs }, properties, { allowSubset })) {
    return child;
  }
  const plan = new RepartitionExec({ kind: 'hash', exprs, count: target }, child.plan, { preserveOrder: true });
  return new PlanContext<boolean>(plan, true, [child]);
}

/** Rows hashed by fewer keys meet the need of more, except where two sides must agree or sets tell equal keys apart. */
function subsetMaySuffice(parent: ExecutionPlan, exprs: readonly PhysicalExpr[]): boolean {
  if (parent instanceof HashJoinExec && parent.mode === 'Partitioned') return false;
  return !collectPhysicalColumns(exprs).some(({ name }) => name === GROUPING_ID);
}

/** Repartitions and merges were made order-preserving; they stay so only where the order is wanted and worth it. */
function settleOrder(parent: ExecutionPlan, start: Node, need: ChildNeed, index: number, config: SessionConfig): Node {
  let child = start;
  const order = parent.requiredInputOrdering()[index] ?? null;
  if (order !== null) {
    const satisfied = orderingSatisfied(order, child.plan.properties);
    const wanted =
      config.get('optimizer.prefer_existing_sort') || (child.data && orderKeepsStreaming(parent, child.plan));
    if (child.data && (!satisfied || !wanted)) {
      child = dropOrder(child);
      if (satisfied) {
        const fetch = parent instanceof OutputRequirementExec ? parent.fetch : null;
        child = addSortAboveWithCheck(child, order, fetch, false);
      }
    }
    child.data = false;
    return child;
  }
  if (need.requirement.kind !== 'unspecified') {
    const streams = child.data && orderKeepsStreaming(parent, child.plan);
    return streams ? child : dropOrder(child);
  }
  return parent.maintainsInputOrder()[index] !== true || parent instanceof OutputRequirementExec
    ? dropOrder(child)
    : child;
}

/** Whether the parent, over the ordered child, streams, and would not over an unordered one. */
function orderKeepsStreaming(parent: ExecutionPlan, child: ExecutionPlan): boolean {
  if (parent.children.length !== 1 || !isStreaming(parent.withNewChildren([child]))) return false;
  return !isStreaming(parent.withNewChildren([new CoalescePartitionsExec(child)]));
}

/** Order-preserving merges and repartitions, down to where the connection ends, as plain ones. */
function dropOrder(node: Node): Node {
  const changed = node.withChildren(node.children.map((child) => (child.data ? dropOrder(child) : child)));
  const { plan, children } = changed;
  if (plan instanceof SortPreservingMergeExec) {
    return new PlanContext<boolean>(new CoalescePartitionsExec(plan.input, plan.fetch), changed.data, children);
  }
  if (plan instanceof RepartitionExec && plan.preserveOrder) {
    return new PlanContext<boolean>(new RepartitionExec(plan.partitioning, plan.input), changed.data, children);
  }
  return changed;
}
