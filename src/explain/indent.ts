import { HEAD_STAGE, type StageId } from '../base/ids.js';
import { NetworkBoundary } from '../distributed/network-boundary.js';
import { DistributedExec } from '../distributed/operators/distributed-exec.js';
import type { NodeMetrics } from '../distributed/task-metrics.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { ANNOTATION_MARK, Annotator } from './annotations.js';
import { aggregatedText, perTaskText } from './metric-text.js';
import type { PlanMetrics } from './plan-metrics.js';

export interface IndentOptions {
  /** Whole file lists; otherwise they are cut as DataFusion cuts them. */
  readonly full?: boolean;
  readonly metrics?: PlanMetrics | undefined;
  /** A sentence above the first node of each kind. */
  readonly annotate?: boolean;
}

/**
 * DataFusion's indented text: a line per node, two spaces per level. Ends with a newline. Of a distributed plan it shows the stages in
 * place, each below the boundary that reads it.
 */
export function renderIndent(
  plan: ExecutionPlan,
  { full = false, metrics, annotate = false }: IndentOptions = {},
): string {
  const lines: string[] = [];
  const annotator = annotate ? new Annotator() : null;
  const writeLine = (node: ExecutionPlan, depth: number, measured: NodeMetrics | undefined): void => {
    const sentence = annotator?.first(node) ?? null;
    if (sentence !== null) lines.push(`${'  '.repeat(depth)}${ANNOTATION_MARK}${sentence}`);
    const text = '  '.repeat(depth) + node.describe({ full });
    lines.push(metrics === undefined ? text : `${text}, metrics=[${metricsText(measured ?? new Map(), metrics)}]`);
  };
  const writeStage = (root: ExecutionPlan, id: StageId, tasks: number, indent: number): void => {
    const byNode = metrics?.store.byNode(id, root, tasks);
    let next = 0;
    const write = (node: ExecutionPlan, depth: number): void => {
      writeLine(node, depth, byNode?.[next++]);
      if (!(node instanceof NetworkBoundary)) {
        for (const child of node.children) write(child, depth + 1);
      } else if (node.inputStage.state === 'local') {
        writeStage(node.inputStage.plan, node.inputStage.id, node.inputStage.tasks, depth + 1);
      }
    };
    write(root, indent);
  };
  if (plan instanceof DistributedExec) {
    writeLine(plan, 0, new Map([[0, metrics?.root ?? []]]));
    writeStage(plan.input, HEAD_STAGE, 1, 1);
  } else {
    writeStage(plan, HEAD_STAGE, 1, 0);
  }
  return `${lines.join('\n')}\n`;
}

function metricsText(measured: NodeMetrics, { format }: PlanMetrics): string {
  return format === 'per_task' ? perTaskText(measured) : aggregatedText(measured);
}
