import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { coalesceBatches } from './coalesce-batches.js';
import { CollectedLeft, rowAsConstants } from './collected-left.js';

/** What the stream of a CrossJoinExec needs of its node. */
export interface CrossJoinSpec extends ExecutionPlan {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
}

/** Every left row beside every right row of the partition. */
export function crossJoinStream(
  spec: CrossJoinSpec,
  partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  return coalesceBatches(spec, crossPartition(spec, partition, context), context);
}

async function* crossPartition(
  spec: CrossJoinSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const partitions = spec.right.properties.partitioning.count;
  const left = context.shared(spec, 'left', () => new CollectedLeft(spec, spec.left, partitions, context));
  const right = context.execute(spec.right, partition);
  try {
    await left.collected(context);
    if (left.numRows === 0) return;
    for await (const batch of right) {
      // The shorter side is walked row by row, as constants beside views of the longer one: nothing is copied.
      for (const { batch: kept } of left.batches) {
        if (kept.numRows <= batch.numRows) {
          for (let row = 0; row < kept.numRows; row++) {
            yield batch.withColumns(spec.schema, [...rowAsConstants(kept, row, batch.capacity), ...batch.columns]);
          }
        } else {
          for (let row = 0; row < batch.numRows; row++) {
            yield kept.withColumns(spec.schema, [...kept.columns, ...rowAsConstants(batch, row, kept.capacity)]);
          }
        }
      }
    }
  } finally {
    await right.return();
    left.close();
  }
}
