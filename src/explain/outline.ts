import { HEAD_STAGE, type StageId } from '../base/ids.js';
import { type BoundaryKind, NetworkBoundary } from '../distributed/network-boundary.js';
import { DistributedExec } from '../distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import { planStages } from '../distributed/plan-stages.js';
import { stagePartitionCount } from '../distributed/stage.js';
import type { NodeMetrics } from '../distributed/task-metrics.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { fileGroupsOf, hasLongList, shareOf, sharesOf, shareTexts, type TaskShare } from './leaf-files.js';
import { formatCount, formatDuration } from './metric-text.js';
import type { PlanMetrics } from './plan-metrics.js';

/** A plan as drawings see it: stages, their nodes in pre-order, what each boundary reads. */
export interface OutlineStage {
  readonly id: StageId;
  /** `Stage 3`, `Head`, or `Plan` where nothing is distributed. */
  readonly name: string;
  readonly tasks: number;
  /** `2 tasks · 4 partitions` */
  readonly shape: string;
  readonly nodes: readonly OutlineNode[];
}

export interface OutlineNode {
  /** In pre-order within the stage. */
  readonly position: number;
  /** Levels below the stage's top node. */
  readonly depth: number;
  /** Position of the node above, or null at the top. */
  readonly parent: number | null;
  readonly name: string;
  /** The text without the name; empty for nodes that say nothing else. */
  readonly detail: string;
  /** The one-line text of EXPLAIN, whole but for long lists of files. */
  readonly text: string;
  readonly reads: OutlineEdge | null;
  /** Leaves over files: what each task reads; one entry for a leaf that is not spread. */
  readonly shares: readonly TaskShare[] | null;
  /** `1.50 K rows, 12.00ms` after a run, over all tasks. */
  readonly measured: string | null;
}

export interface OutlineEdge {
  /** The stage below. */
  readonly stage: StageId;
  readonly kind: BoundaryKind;
  /** `2 × 4 → 2 × 2`: tasks × partitions of each, below and above. */
  readonly partitions: string;
}

export function outlinePlan(plan: ExecutionPlan, metrics?: PlanMetrics): OutlineStage[] {
  const distributed = plan instanceof DistributedExec;
  return planStages(plan).map((stage): OutlineStage => {
    const { id, tasks } = stage;
    return {
      id,
      name: id === HEAD_STAGE ? (distributed ? 'Head' : 'Plan') : `Stage ${id}`,
      tasks,
      shape: `${counted(tasks, 'task')} · ${counted(stage.partitions, 'partition')}`,
      nodes: outlineNodes(stage.plan, tasks, metrics?.store.byNode(id, stage.plan, tasks)),
    };
  });
}

function outlineNodes(root: ExecutionPlan, tasks: number, byNode: readonly NodeMetrics[] | undefined): OutlineNode[] {
  const nodes: OutlineNode[] = [];
  const add = (node: ExecutionPlan, depth: number, parent: number | null): void => {
    const position = nodes.length;
    const text = node.describe({ full: !hasLongList(node) }).trim();
    nodes.push({
      position,
      depth,
      parent,
      ...nameAndDetail(node),
      text,
      reads: node instanceof NetworkBoundary ? edgeOf(node, tasks) : null,
      shares: leafShares(node),
      measured: byNode === undefined ? null : measuredText(byNode[position]),
    });
    if (node instanceof NetworkBoundary) return;
    for (const child of node.children) add(child, depth + 1, position);
  };
  add(root, 0, null);
  return nodes;
}

function edgeOf({ inputStage, kind, properties }: NetworkBoundary, tasks: number): OutlineEdge {
  const below = `${inputStage.tasks} × ${stagePartitionCount(inputStage)}`;
  return { stage: inputStage.id, kind, partitions: `${below} → ${tasks} × ${properties.partitioning.count}` };
}

function leafShares(node: ExecutionPlan): readonly TaskShare[] | null {
  if (node instanceof DistributedLeafExec) return sharesOf(node.variants);
  const groups = fileGroupsOf(node);
  return groups === null ? null : [shareOf(groups)];
}

function nameAndDetail(node: ExecutionPlan): { name: string; detail: string } {
  if (node instanceof DistributedLeafExec) return nameAndDetail(node.original);
  const text = node.describe({ full: false }).trim();
  const match = /^(?:\[Stage \d+\] => )?(\w+)(?:: ?(.*))?$/s.exec(text);
  if (match === null) return { name: node.name, detail: text };
  return { name: match[1] ?? node.name, detail: (match[2] ?? '').replaceAll(/\s+/g, ' ') };
}

function measuredText(measured: NodeMetrics | undefined): string {
  const total = (name: string): number =>
    [...(measured?.values() ?? [])]
      .flat()
      .reduce((sum, metric) => (metric.name === name ? sum + metric.value : sum), 0);
  return `${formatCount(total('output_rows'))} rows, ${formatDuration(total('elapsed_compute'))}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first characters of a text, with … where it was cut; never half of a character. */
export function cutText(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}

/** What a box says: the name, the detail (cut) or what tasks read, and what was measured. */
export function nodeLines(
  { name, detail, shares, measured }: OutlineNode,
  most: { readonly detail: number; readonly shares: number },
): string[] {
  const lines = [name];
  if (detail !== '' && shares === null) lines.push(cutText(detail, most.detail));
  const texts = shareTexts(shares ?? []);
  lines.push(...texts.slice(0, most.shares));
  if (texts.length > most.shares) lines.push(`… ${texts.length - most.shares} more`);
  if (measured !== null) lines.push(measured);
  return lines;
}
