import type { MetricValue } from '../base/metrics.js';
import type { TaskMetricsStore } from '../distributed/task-metrics.js';

/** Metrics to print beside the nodes of a plan. */
export interface PlanMetrics {
  readonly store: TaskMetricsStore;
  /** One value per metric, or one per task and metric. */
  readonly format: 'aggregated' | 'per_task';
  /** What the coordinator measured about the query itself. */
  readonly root: readonly MetricValue[];
}
