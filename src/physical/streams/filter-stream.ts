import { Arena } from '../../columnar/arena.js';
import { sliceRows } from '../../columnar/slice-rows.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { coalesceBatches } from './coalesce-batches.js';
import { DynamicPredicate } from './dynamic-predicate.js';

/** What the stream of a FilterExec needs of its node. */
export interface FilterSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly predicate: PhysicalExpr;
  /** Input positions to put out, in that order; null = all. */
  readonly projection: readonly number[] | null;
  readonly fetch: number | null;
}

/**
 * The rows for which the predicate is true: views of the input batch with a selection while many pass, copied together while few do.
 */
export function filterStream(spec: FilterSpec, partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
  return coalesceBatches(spec, passingRows(spec, partition, context), context);
}

async function* passingRows(
  spec: FilterSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const memory = context.memory(spec);
  const predicate = new DynamicPredicate(spec.predicate, context, memory);
  const arena = new Arena(memory);
  let remaining = spec.fetch ?? Number.POSITIVE_INFINITY;
  try {
    if (remaining === 0) return;
    for await (const batch of context.execute(spec.input, partition)) {
      arena.reset();
      let passing = predicate.filter(batch, arena);
      if (passing.numRows === 0) continue;
      if (passing.numRows > remaining) passing = sliceRows(passing, 0, remaining, arena);
      remaining -= passing.numRows;
      yield spec.projection === null ? passing : passing.project(spec.projection, spec.schema);
      if (remaining === 0) return;
    }
  } finally {
    predicate.free();
    arena.free();
    memory.release();
  }
}
