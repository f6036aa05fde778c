import type { FileScanConfig } from './file-scan.js';
import { projectionStatistics, statisticsToInexact } from './projection-statistics.js';
import type { Statistics } from './statistics.js';

/** What a file scan puts out, as the planner knows it: the table's statistics, projected. A predicate makes every figure inexact. */
export function fileScanStatistics(config: FileScanConfig): Statistics {
  const projected = projectionStatistics(config.tableStatistics, config.projection);
  return config.predicate === null ? projected : statisticsToInexact(projected);
}
