import type { MetricValue } from '../base/metrics.js';
import type { PartitionedFile } from '../catalog/file-scan.js';
import { boundariesOf, NetworkBoundary } from '../distributed/network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../distributed/operators/children-isolator-union-exec.js';
import { DistributedExec } from '../distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import { planStages } from '../distributed/plan-stages.js';
import type { NodeMetrics } from '../distributed/task-metrics.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import type { Partitioning } from '../physical/plan-properties.js';
import { type ExpectedSizes, expectedSizes, readsStatisticsOnly } from './expected-sizes.js';
import { jsonLines } from './json-lines.js';
import { fileGroupsOf } from './leaf-files.js';
import type { Finding } from './lint/finding.js';
import type { PlanMetrics } from './plan-metrics.js';

/** What `explain --format json` prints. Fields are only ever added within a version. */
export interface PlanDocument {
  readonly kind: 'distq.plan';
  readonly version: 2;
  readonly distributed: boolean;
  /** The head, stage 0, first; then as the tree shows them: each stage before its inputs. */
  readonly stages: readonly StageDocument[];
  /** Only when they were asked for. */
  readonly findings?: readonly Finding[];
}

export interface StageDocument {
  readonly stage: number;
  readonly tasks: number;
  /** The count in the stage's title: shared buckets when the top node is hash partitioned, else those of all tasks. */
  readonly partitions: number;
  readonly inputs: readonly number[];
  /** Where a table has statistics only. */
  readonly expected?: ExpectedSizes;
  readonly plan: NodeDocument;
}

export interface NodeDocument {
  /** Position in pre-order within the stage: the key of its metrics. */
  readonly node: number;
  readonly operator: string;
  /** File lists in it are cut as DataFusion cuts them; `files` and `groups` have them whole. */
  readonly text: string;
  /** Of one task. */
  readonly partitions: number;
  readonly partitioning: Partitioning['kind'];
  /** Boundaries: the stage they read. */
  readonly inputStage?: number;
  /** Unions spread over tasks: per task, the children it runs and each one's share. */
  readonly tasks?: readonly (readonly UnionShareDocument[])[];
  /** Leaves: what each task reads. */
  readonly variants?: readonly VariantDocument[];
  /** Scans of files: each file once, for `groups` here and in the variants. */
  readonly files?: readonly FileDocument[];
  /** Scans of files: what each partition reads when one node runs the plan. */
  readonly groups?: FileGroupsDocument;
  readonly metrics?: readonly TaskMetricsDocument[];
  readonly children: readonly NodeDocument[];
}

export interface UnionShareDocument {
  readonly child: number;
  readonly index: number;
  readonly count: number;
}

export interface VariantDocument {
  readonly task: number;
  readonly text: string;
  /** What each partition reads in that task. */
  readonly groups?: FileGroupsDocument;
}

export type FileDocument = readonly [path: string, size: number];

/** One list per partition of files, as positions in the leaf's `files`: a whole file, or its bytes [start, end). */
export type FileGroupsDocument = readonly (readonly PieceDocument[])[];

export type PieceDocument = readonly [file: number] | readonly [file: number, start: number, end: number];

export interface TaskMetricsDocument {
  readonly task: number;
  readonly values: readonly MetricValue[];
}

export interface JsonOptions {
  readonly metrics?: PlanMetrics | undefined;
  readonly findings?: readonly Finding[] | undefined;
  /** What `stored` holds, a JSON value. */
  readonly stored?: unknown;
}

export function planDocument(plan: ExecutionPlan, { metrics, findings }: JsonOptions = {}): PlanDocument {
  const sized = readsStatisticsOnly(plan);
  return {
    kind: 'distq.plan',
    version: 2,
    distributed: plan instanceof DistributedExec,
    stages: planStages(plan).map((stage): StageDocument => {
      const byNode = metrics?.store.byNode(stage.id, stage.plan, stage.tasks);
      return {
        stage: stage.id,
        tasks: stage.tasks,
        partitions: stage.partitions,
        ...(sized ? { expected: expectedSizes(stage.plan, stage.tasks) } : {}),
        inputs: boundariesOf(stage.plan).map(({ inputStage }) => inputStage.id),
        plan: nodeDocument(stage.plan, byNode),
      };
    }),
    ...(findings === undefined ? {} : { findings }),
  };
}

/** Indented by two spaces, with a newline at the end. */
export function renderJson(plan: ExecutionPlan, options: JsonOptions = {}): string {
  const text = jsonLines(planDocument(plan, options));
  if (options.stored === undefined) return `${text}\n`;
  // On one line: it is not for people.
  return `${text.slice(0, -2)},\n  "stored": ${JSON.stringify(options.stored)}\n}\n`;
}

function nodeDocument(root: ExecutionPlan, byNode: readonly NodeMetrics[] | undefined): NodeDocument {
  let next = 0;
  const write = (node: ExecutionPlan): NodeDocument => {
    const position = next++;
    const { kind, count } = node.properties.partitioning;
    return {
      node: position,
      operator: node.name,
      text: node.describe({ full: false }).trimEnd(),
      partitions: count,
      partitioning: kind,
      ...details(node),
      ...(byNode === undefined ? {} : { metrics: metricsDocument(byNode[position]) }),
      children: node instanceof NetworkBoundary ? [] : node.children.map(write),
    };
  };
  return write(root);
}

type Details = Pick<NodeDocument, 'inputStage' | 'tasks' | 'variants' | 'files' | 'groups'>;

/** What only some kinds of nodes have. */
function details(node: ExecutionPlan): Details {
  if (node instanceof NetworkBoundary) return { inputStage: node.inputStage.id };
  if (node instanceof ChildrenIsolatorUnionExec) {
    return {
      tasks: node.taskMap.map((shares) =>
        shares.map(({ child, context }) => ({ child, index: context.taskIndex, count: context.taskCount })),
      ),
    };
  }
  if (node instanceof DistributedLeafExec) {
    const files = new LeafFiles();
    const original = groupsOf(node.original, files);
    const variants = node.variants.map((variant, task) => ({
      task,
      text: variant.describe({ full: false }).trimEnd(),
      ...groupsOf(variant, files),
    }));
    return { ...(files.list.length === 0 ? {} : { files: files.list }), ...original, variants };
  }
  const files = new LeafFiles();
  const own = groupsOf(node, files);
  return own.groups === undefined ? {} : { files: files.list, ...own };
}

/** The files of a leaf in the order in which they first appear. */
class LeafFiles {
  readonly list: FileDocument[] = [];
  readonly #positions = new Map<string, number>();

  position({ path, size }: PartitionedFile): number {
    let position = this.#positions.get(path);
    if (position === undefined) {
      position = this.list.push([path, size]) - 1;
      this.#positions.set(path, position);
    }
    return position;
  }
}

function groupsOf(node: ExecutionPlan, files: LeafFiles): { readonly groups?: FileGroupsDocument } {
  const groups = fileGroupsOf(node);
  if (groups === null) return {};
  const piece = (file: PartitionedFile): PieceDocument => {
    const position = files.position(file);
    const { start, end } = file.range ?? { start: 0, end: file.size };
    return start === 0 && end === file.size ? [position] : [position, start, end];
  };
  return { groups: groups.map((group) => group.map(piece)) };
}

function metricsDocument(metrics: NodeMetrics | undefined): TaskMetricsDocument[] {
  return [...(metrics ?? [])].map(([task, values]) => ({ task, values }));
}
