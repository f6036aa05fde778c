import { groupsBytes } from '../catalog/file-scan.js';
import { type ColumnStatistics, known } from '../catalog/statistics.js';
import { primitiveWidth } from '../columnar/data-type.js';
import type { Schema } from '../columnar/schema.js';
import { NetworkBoundary } from '../distributed/network-boundary.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import { StatisticsSource } from '../sources/statistics/statistics-source.js';
import { formatBytes } from './metric-text.js';

/** What a stage is expected to do, from the statistics of its tables. Figures are null where the plan cannot tell. */
export interface ExpectedSizes {
  /** Rows and bytes that all tasks give out together. */
  readonly rows: number | null;
  readonly bytes: number | null;
  /** Bytes of files that each task reads, by task. */
  readonly readBytes: readonly number[];
}

/** Whether a plan reads a table that has statistics only: then sizes are what people look at it for. */
export function readsStatisticsOnly(plan: ExecutionPlan): boolean {
  if (plan instanceof DistributedLeafExec) return readsStatisticsOnly(plan.original);
  if (plan instanceof DataSourceExec) return plan.source instanceof StatisticsSource;
  return plan.children.some(readsStatisticsOnly);
}

export function expectedSizes(plan: ExecutionPlan, tasks: number): ExpectedSizes {
  const { numRows, totalByteSize, columns } = plan.statistics();
  const readBytes = Array.from({ length: tasks }, () => 0);
  addReads(plan, readBytes);
  const rows = known(numRows) ?? null;
  const bytes = known(totalByteSize) ?? (rows === null ? null : columnBytes(plan.schema, columns, rows));
  return { rows, bytes, readBytes };
}

/** What datafusion-distributed takes a text or another value without a fixed width for, where nothing is known of it. */
const USUAL_BYTES = 50;

/** Scans of files tell the bytes of their columns and not the sum; above aggregates and joins less is known. */
function columnBytes(schema: Schema, columns: readonly ColumnStatistics[], rows: number): number {
  return schema.fields.reduce((sum, { type }, index) => {
    const own = columns[index];
    const told = own === undefined ? undefined : known(own.byteSize);
    return sum + (told ?? rows * (primitiveWidth(type) ?? USUAL_BYTES));
  }, 0);
}

function addReads(plan: ExecutionPlan, readBytes: number[]): void {
  if (plan instanceof NetworkBoundary) return;
  if (plan instanceof DistributedLeafExec) {
    for (const [task, variant] of plan.variants.entries()) addBytes(readBytes, task, fileBytes(variant));
    return;
  }
  // A leaf that is not spread is read whole by every task.
  const bytes = fileBytes(plan);
  if (bytes > 0) for (const task of readBytes.keys()) addBytes(readBytes, task, bytes);
  for (const child of plan.children) addReads(child, readBytes);
}

function addBytes(readBytes: number[], task: number, bytes: number): void {
  readBytes[task] = (readBytes[task] ?? 0) + bytes;
}

function fileBytes(plan: ExecutionPlan): number {
  return plan instanceof DataSourceExec ? groupsBytes(plan.source.fileScan?.fileGroups ?? []) : 0;
}

/** ` ── expected rows=600 (6 a task), bytes=12 KiB (120 B a task), reads=10 GiB (102 MiB a task)`; figures unknown are left out. */
export function expectedText(plan: ExecutionPlan, tasks: number): string {
  const { rows, bytes, readBytes } = expectedSizes(plan, tasks);
  const each = (text: string): string => (tasks === 1 ? '' : ` (${text} a task)`);
  const parts: string[] = [];
  if (rows !== null) parts.push(`rows=${rows}${each(String(Math.ceil(rows / tasks)))}`);
  if (bytes !== null) parts.push(`bytes=${formatBytes(bytes)}${each(formatBytes(Math.ceil(bytes / tasks)))}`);
  const read = readBytes.reduce((sum, own) => sum + own, 0);
  if (read > 0) {
    const [least, most] = [Math.min(...readBytes), Math.max(...readBytes)];
    const range =
      formatBytes(least) === formatBytes(most) ? formatBytes(most) : `${formatBytes(least)} to ${formatBytes(most)}`;
    parts.push(`reads=${formatBytes(read)}${each(range)}`);
  }
  return parts.length === 0 ? '' : ` ── expected ${parts.join(', ')}`;
}
