import { HEAD_STAGE, type StageId } from '../base/ids.js';
import { boundariesOf, NetworkBoundary } from '../distributed/network-boundary.js';
import { DistributedExec } from '../distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import { headerPartitions, type Stage } from '../distributed/stage.js';
import type { NodeMetrics, TaskTimes } from '../distributed/task-metrics.js';
import { taskNodes } from '../distributed/task-nodes.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { ANNOTATION_MARK, Annotator } from './annotations.js';
import { collapsedLeaf } from './collapsed-leaf.js';
import { renderIndent } from './indent.js';
import { expectedText, readsStatisticsOnly } from './expected-sizes.js';
import { aggregatedText, formatDuration, perTaskText } from './metric-text.js';
import { rowSkew } from './metrics-table.js';
import type { PlanMetrics } from './plan-metrics.js';

/** `variants`: a line per task below each leaf; `ranges`: the partitions of each task in the titles, leaves as planned for one node. */
export type TaskView = 'variants' | 'ranges';

export interface TreeOptions {
  readonly metrics?: PlanMetrics | undefined;
  readonly taskView?: TaskView;
  /** Leaves whose variants differ only in their files take one line with the counts and bytes of each task. */
  readonly collapse?: boolean;
  /** A sentence above the first node of each kind. */
  readonly annotate?: boolean;
}

/**
 * The stage tree of a distributed plan: a box per stage, each stage's inputs below it, two columns further right. File lists are
 * whole. A plan that is not distributed prints as DataFusion's indented text. Ends with a newline. Where a table has statistics only,
 * each stage's title tells the rows and bytes that are expected of it, and what its tasks read.
 *
 * Source: distributed planner reference, section 7; the earlier look of `ranges`: its section 10.
 */
export function renderTree(plan: ExecutionPlan, options: TreeOptions = {}): string {
  if (!(plan instanceof DistributedExec)) return renderIndent(plan, { full: true, ...options });
  const lines: string[] = [];
  const ranges = options.taskView === 'ranges' ? ` ── ${taskRanges(plan.input, 1)}` : '';
  const expected = readsStatisticsOnly(plan);
  const sizes = expected ? expectedText(plan.input, 1) : '';
  const title = `┌───── DistributedExec${ranges}${headMetrics(options.metrics)}${sizes}`;
  const annotator = options.annotate === true ? new Annotator() : null;
  writeStage({ lines, options, annotator, expected }, { title, id: HEAD_STAGE, tasks: 1, plan: plan.input, depth: 0 });
  return `${lines.join('\n')}\n`;
}

interface Printing {
  readonly lines: string[];
  readonly options: TreeOptions;
  readonly annotator: Annotator | null;
  /** Whether titles tell the expected sizes. */
  readonly expected: boolean;
}

interface PrintedStage {
  readonly title: string;
  readonly id: StageId;
  readonly tasks: number;
  readonly plan: ExecutionPlan;
  /** Nesting level of the stage's box. */
  readonly depth: number;
}

function writeStage(printing: Printing, stage: PrintedStage): void {
  const { lines, options, annotator } = printing;
  const indent = '  '.repeat(stage.depth);
  lines.push(`${indent}${stage.title}`);
  const suffixes = suffixesOf(stage, options.metrics);
  let next = 0;
  const writeNode = (node: ExecutionPlan, depth: number): void => {
    const prefix = `${indent}│ ${'  '.repeat(depth)}`;
    const position = next++;
    const sentence = annotator?.first(node) ?? null;
    if (sentence !== null) lines.push(`${prefix}${ANNOTATION_MARK}${sentence}`);
    const line = node instanceof DistributedLeafExec ? oneLine(node, options) : nodeText(node);
    if (line !== null) {
      lines.push(`${prefix}${line}${suffixes.node(position)}`);
    } else if (node instanceof DistributedLeafExec) {
      lines.push(`${prefix}DistributedLeafExec:${suffixes.leaf(position)}`);
      for (const [task, variant] of node.variants.entries()) {
        lines.push(`${prefix}  t${task}: ${nodeText(variant)}${suffixes.variant(position, task)}`);
      }
    }
    if (node instanceof NetworkBoundary) return;
    for (const child of node.children) writeNode(child, depth + 1);
  };
  writeNode(stage.plan, 0);
  lines.push(`${indent}└${'─'.repeat(50)}`);
  for (const { inputStage } of boundariesOf(stage.plan)) writeInput(printing, inputStage, stage.depth + 1);
}

/** A leaf as one line, or null where it takes a line per variant. */
function oneLine(leaf: DistributedLeafExec, { taskView, collapse }: TreeOptions): string | null {
  if (collapse === true) return collapsedLeaf(leaf);
  return taskView === 'ranges' ? nodeText(leaf) : null;
}

function writeInput(printing: Printing, stage: Stage, depth: number): void {
  if (stage.state === 'remote') {
    printing.lines.push(`${'  '.repeat(depth)}StageExec: encoded input plan`);
    return;
  }
  const { id, tasks, plan } = stage;
  const { taskView, metrics } = printing.options;
  const sizes = printing.expected ? expectedText(plan, tasks) : '';
  const shape =
    taskView === 'ranges' ? taskRanges(plan, tasks) : `tasks=${tasks}, partitions=${headerPartitions(stage)}`;
  const title = `┌───── Stage ${id} ── ${shape}${stageMetrics(id, tasks, metrics)}${sizes}`;
  writeStage(printing, { title, id, tasks, plan, depth });
}

/** `Tasks: t0:[p0..p2] t1:[p3..p5]`: tasks that are hash partitioned share one set of buckets. */
function taskRanges(plan: ExecutionPlan, tasks: number): string {
  const { kind, count } = plan.properties.partitioning;
  const ranges = Array.from({ length: tasks }, (_, task) => {
    const first = kind === 'hash' ? 0 : task * count;
    return count === 1 ? `t${task}:[p${first}]` : `t${task}:[p${first}..p${first + count - 1}]`;
  });
  return `Tasks: ${ranges.join(' ')}`;
}

function nodeText(node: ExecutionPlan): string {
  return node.describe({ full: true }).trimEnd();
}

/** What follows a node's text: nothing, or its metrics. */
interface Suffixes {
  node(position: number): string;
  leaf(position: number): string;
  variant(position: number, variant: number): string;
}

const NO_METRICS: NodeMetrics = new Map();

function suffixesOf(stage: PrintedStage, metrics: PlanMetrics | undefined): Suffixes {
  if (metrics === undefined) return { node: () => '', leaf: () => '', variant: () => '' };
  const byNode = metrics.store.byNode(stage.id, stage.plan, stage.tasks);
  const at = (position: number): NodeMetrics => byNode[position] ?? NO_METRICS;
  if (metrics.format === 'aggregated') {
    const text = (position: number): string => `, metrics=[${aggregatedText(at(position))}]`;
    return { node: text, leaf: text, variant: () => '' };
  }
  const taskOf = variantTasks(stage);
  return {
    node: (position) => `, metrics=[${perTaskText(at(position))}]`,
    leaf: () => '',
    variant: (position, variant) => {
      const task = taskOf.get(`${position}/${variant}`) ?? -1;
      const values = at(position).get(task);
      return `, metrics=[${perTaskText(values === undefined ? NO_METRICS : new Map([[task, values]]))}]`;
    },
  };
}

/** Position and variant → the stage's task that runs it: in a union's child, not the variant's own number. */
function variantTasks({ plan, tasks }: PrintedStage): Map<string, number> {
  const taskOf = new Map<string, number>();
  for (let taskIndex = 0; taskIndex < tasks; taskIndex++) {
    for (const { node, position, task } of taskNodes(plan, { taskIndex, taskCount: tasks })) {
      if (node instanceof DistributedLeafExec) taskOf.set(`${position}/${task.taskIndex}`, taskIndex);
    }
  }
  return taskOf;
}

function headMetrics(metrics: PlanMetrics | undefined): string {
  if (metrics === undefined) return '';
  return ` ── ${aggregatedText(new Map([[0, metrics.root]]))}`;
}

const TIMES: readonly (readonly [name: string, of: keyof TaskTimes])[] = [
  ['plan_added_at', 'planAddedNs'],
  ['plan_executed_at', 'planExecutedNs'],
  ['plan_finished_at', 'planFinishedNs'],
];

/**
 * ` plan_added_at={0:1.20ms, 1:1.31ms}, …, row_skew=1.02`: per task in both formats; a task that told nothing is left out. `row_skew` is
 * the busiest task's rows over the median's.
 */
function stageMetrics(stage: StageId, tasks: number, metrics: PlanMetrics | undefined): string {
  if (metrics === undefined) return '';
  const lists = TIMES.flatMap(([name, of]) => {
    const values: string[] = [];
    for (let task = 0; task < tasks; task++) {
      const ns = metrics.store.get(stage, task)?.times[of] ?? null;
      if (ns !== null) values.push(`${task}:${formatDuration(ns)}`);
    }
    return values.length === 0 ? [] : [`${name}={${values.join(', ')}}`];
  });
  const skew = rowSkew(outputRows(stage, tasks, metrics));
  if (skew !== null) lists.push(`row_skew=${skew.toFixed(2)}`);
  return ` ${lists.join(', ')}`;
}

/** What the top node gave in each task that told. */
function outputRows(stage: StageId, tasks: number, { store }: PlanMetrics): number[] {
  return Array.from({ length: tasks }, (_, task) => store.get(stage, task)?.nodes[0]).flatMap((top) =>
    top === undefined ? [] : [top.find(({ name }) => name === 'output_rows')?.value ?? 0],
  );
}
