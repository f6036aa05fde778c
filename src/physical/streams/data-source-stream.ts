import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { DataSource } from '../../catalog/data-source.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a DataSourceExec needs of its node. */
export interface DataSourceSpec extends ExecutionPlan {
  readonly source: DataSource;
}

export function dataSourceStream(
  _spec: DataSourceSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing DataSourceExec');
}
