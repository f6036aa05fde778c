/**
 * Metrics as EXPLAIN ANALYZE prints them.
 * Source: MetricValue in apache/datafusion, physical-plan/src/metrics; distributed runtime reference, 2.1 and 3.3.
 */
import { unreachable } from '../base/errors.js';
import type { MetricUnit, MetricValue } from '../base/metrics.js';
import type { NodeMetrics } from '../distributed/task-metrics.js';

/** `999`, `1.53 K`, `123.5 M` */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  let scaled = count / 1000;
  let suffix = 'K';
  for (const next of ['M', 'B', 'T']) {
    if (scaled < 1000) break;
    scaled /= 1000;
    suffix = next;
  }
  return `${scaled.toFixed(scaled < 100 ? 2 : 1)} ${suffix}`;
}

/** `1023.0 B`, `2.0 KB`: the next unit only from twice its size. */
export function formatBytes(bytes: number): string {
  const units = ['TB', 'GB', 'MB', 'KB'];
  for (const [index, unit] of units.entries()) {
    const size = 1024 ** (units.length - index);
    if (bytes >= 2 * size) return `${(bytes / size).toFixed(1)} ${unit}`;
  }
  return `${bytes.toFixed(1)} B`;
}

/** `870ns`, `1.04µs`, `11.30ms`, `1.23s` */
export function formatDuration(ns: number): string {
  if (ns >= 1e9) return `${(ns / 1e9).toFixed(2)}s`;
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(2)}ms`;
  if (ns >= 1e3) return `${(ns / 1e3).toFixed(2)}µs`;
  return `${Math.round(ns)}ns`;
}

function formatMetric(unit: MetricUnit, value: number): string {
  switch (unit) {
    case 'count':
    case 'gauge':
      return formatCount(value);
    case 'bytes':
      return formatBytes(value);
    case 'time':
      return value === 0 ? 'NOT RECORDED' : formatDuration(value);
  }
}

const FIRST: readonly string[] = ['output_rows', 'elapsed_compute', 'output_bytes', 'output_batches'];
const PRUNING: readonly string[] = [
  'files_ranges_pruned_statistics',
  'row_groups_pruned_statistics',
  'row_groups_pruned_bloom_filter',
  'page_index_pages_pruned',
  'page_index_rows_pruned',
];
const SPILL: readonly string[] = ['spill_count', 'spilled_bytes', 'spilled_rows'];

/** Where a metric stands among those of its node; metrics of one rank go by name. */
function displayRank({ name, unit }: MetricValue): number {
  const first = FIRST.indexOf(name);
  if (first >= 0) return first;
  const pruning = PRUNING.indexOf(name);
  if (pruning >= 0) return 4 + pruning;
  if (name.includes('_pruned')) return 9;
  const spill = SPILL.indexOf(name);
  if (spill >= 0) return 10 + spill;
  if (unit === 'bytes' && name.includes('mem')) return 13;
  switch (unit) {
    case 'count':
      return 14;
    case 'gauge':
      return 15;
    case 'time':
      return 16;
    case 'bytes':
      return 20;
    default:
      return unreachable(unit, 'unit of a metric');
  }
}

function byDisplayOrder(a: MetricValue, b: MetricValue): number {
  return displayRank(a) - displayRank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** One value per name over all tasks, in display order: peaks are compared, everything else adds up. */
function aggregateMetrics(metrics: NodeMetrics): MetricValue[] {
  const totals = new Map<string, MetricValue>();
  for (const metric of [...metrics.values()].flat()) {
    const known = totals.get(metric.name);
    if (known === undefined) {
      totals.set(metric.name, metric);
      continue;
    }
    const value = metric.unit === 'gauge' ? Math.max(known.value, metric.value) : known.value + metric.value;
    totals.set(metric.name, { ...known, value });
  }
  return [...totals.values()].sort(byDisplayOrder);
}

/** `output_rows=218, elapsed_compute=1.04µs` */
export function aggregatedText(metrics: NodeMetrics): string {
  return aggregateMetrics(metrics)
    .map(({ name, unit, value }) => `${name}=${formatMetric(unit, value)}`)
    .join(', ');
}

/** `output_rows={0:120, 1:98}`; a task that has no such metric is left out. */
export function perTaskText(metrics: NodeMetrics): string {
  const tasks = [...metrics.keys()].sort((a, b) => a - b);
  return aggregateMetrics(metrics)
    .map(({ name, unit }) => {
      const values = tasks.flatMap((task) => {
        const own = metrics.get(task)?.find((metric) => metric.name === name);
        return own === undefined ? [] : [`${task}:${formatMetric(unit, own.value)}`];
      });
      return `${name}={${values.join(', ')}}`;
    })
    .join(', ');
}
