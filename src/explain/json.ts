import type { MetricValue } from '../base/metrics.js';
import { boundariesOf, NetworkBoundary } from '../distributed/network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../distributed/operators/children-isolator-union-exec.js';
import { DistributedExec } from '../distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import { planStages } from '../distributed/plan-stages.js';
import type { NodeMetrics } from '../distributed/task-metrics.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import type { Partitioning } from '../physical/plan-properties.js';
import { type ExpectedSizes, expectedSizes, readsStatisticsOnly } from './expected-sizes.js';
import type { Finding } from './lint/finding.js';
import type { PlanMetrics } from './plan-metrics.js';

/** What `explain --format json` prints. Fields are only ever added within a version. */
export interface PlanDocument {
  readonly kind: 'distq.plan';
  readonly version: 1;
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
  /** Scans that are not spread over tasks: one list of files per partition. */
  readonly files?: readonly (readonly FileDocument[])[];
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
  readonly files?: readonly (readonly FileDocument[])[];
}

/** A file or the bytes [start, end) of it. */
export interface FileDocument {
  readonly path: string;
  readonly size: number;
  readonly start: number;
  readonly end: number;
}

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
    version: 1,
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
  const text = JSON.stringify(planDocument(plan, options), null, 2);
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
      text: node.describe({ full: true }).trimEnd(),
      partitions: count,
      partitioning: kind,
      ...details(node),
      ...(byNode === undefined ? {} : { metrics: metricsDocument(byNode[position]) }),
      children: node instanceof NetworkBoundary ? [] : node.children.map(write),
    };
  };
  return write(root);
}

type Details = Pick<NodeDocument, 'inputStage' | 'tasks' | 'variants' | 'files'>;

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
    return {
      variants: node.variants.map((variant, task) => ({
        task,
        text: variant.describe({ full: true }).trimEnd(),
        ...filesOf(variant),
      })),
    };
  }
  return filesOf(node);
}

function filesOf(node: ExecutionPlan): Pick<NodeDocument, 'files'> {
  if (!(node instanceof DataSourceExec) || node.source.fileScan === null) return {};
  return {
    files: node.source.fileScan.fileGroups.map((group) =>
      group.map(({ path, size, range }) => ({ path, size, start: range?.start ?? 0, end: range?.end ?? size })),
    ),
  };
}

function metricsDocument(metrics: NodeMetrics | undefined): TaskMetricsDocument[] {
  return [...(metrics ?? [])].map(([task, values]) => ({ task, values }));
}
