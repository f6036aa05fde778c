import { DistqError } from '../../base/errors.js';
import { withSchema } from './with-schema.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a UnionExec needs of its node. */
export type UnionSpec = ExecutionPlan;

/** The children's partitions one after another: partition p belongs to the child whose range of partitions holds it. */
export function unionStream(spec: UnionSpec, partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
  let first = 0;
  for (const child of spec.children) {
    const { count } = child.properties.partitioning;
    if (partition < first + count) return withSchema(context.execute(child, partition - first), spec.schema);
    first += count;
  }
  throw new DistqError('internal', `partition ${partition} of a union of ${first}`);
}
