import { FileRangeQueue } from '../../catalog/file-range-queue.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { DataSource } from '../../catalog/data-source.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a DataSourceExec needs of its node. */
export interface DataSourceSpec extends ExecutionPlan {
  readonly source: DataSource;
}

/**
 * One partition of a source. The partitions of a task share one queue of file ranges; an idle one takes from the busy ones unless the
 * scan promised an order or a layout.
 */
export async function* dataSourceStream(
  spec: DataSourceSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const scan = spec.source.fileScan;
  const queue = context.shared(spec, 'file ranges', () => {
    const mayMove = scan === null || (scan.outputOrderings.length === 0 && scan.hashKeys === undefined);
    const stealing = mayMove && context.config.get('execution.enable_file_stream_work_stealing');
    return new FileRangeQueue(scan?.fileGroups ?? [], { stealing });
  });
  const memory = context.memory(spec);
  try {
    yield* spec.source.open(partition, {
      scope: context.scope,
      memory,
      metrics: context.metrics(spec),
      batchSize: context.config.get('execution.batch_size'),
      queue,
      compiler: context.compiler,
      dynamicFilter: (id) => context.dynamicFilter(id),
      keySets: (id) => context.keyFilters.keySets(id),
      rowBounds: (id) => context.rowBounds(id),
      pace: () => context.pace(),
    });
  } finally {
    memory.release();
  }
}
