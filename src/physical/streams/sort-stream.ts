import { Arena } from '../../columnar/arena.js';
import { MAX_BATCH_BYTES } from '../../columnar/batch-builder.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import { RowSorter } from '../../columnar/rows/row-sorter.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { SortColumns } from './sort-columns.js';

/** What the stream of a SortExec needs of its node. */
export interface SortSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly exprs: readonly PhysicalSortExpr[];
  readonly preservePartitioning: boolean;
  readonly fetch: number | null;
  readonly commonSortPrefix: readonly PhysicalSortExpr[];
  readonly dynamicFilter: number | null;
}

/** One input partition in order, or with a fetch the first rows of the order; equal rows keep the order in which they came. */
export async function* sortStream(
  spec: SortSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  if (spec.fetch === 0) return;
  const memory = context.memory(spec);
  const columns = new SortColumns(spec.schema, spec.exprs, context.compiler);
  const scratch = new Arena(memory);
  const sorter = new RowSorter(columns.fields, columns.keys, {
    ...(spec.fetch === null ? {} : { fetch: spec.fetch }),
    consumer: memory,
  });
  try {
    for await (const batch of context.execute(spec.input, partition)) {
      scratch.reset();
      sorter.append(columns.of(batch, scratch), batch.numRows);
      if (spec.dynamicFilter !== null) publishBound(spec.dynamicFilter, spec.exprs, sorter, context);
    }
    await context.pace();
    sorter.finish();
    const limit = rowsPerBatch(context.config.get('execution.batch_size'), sorter);
    while (true) {
      scratch.reset();
      const { rows, count } = sorter.next(limit, scratch);
      if (count === 0) return;
      const sorted = spec.schema.fields.map((_, index) => sorter.column(index, rows, count, scratch));
      yield new RecordBatch(spec.schema, sorted, count);
    }
  } finally {
    sorter.free();
    scratch.free();
    memory.release();
  }
}

/** Tells the scans below from where on rows cannot be among the first any more. */
function publishBound(id: number, exprs: readonly PhysicalSortExpr[], sorter: RowSorter, context: TaskContext): void {
  const values = sorter.takeBound();
  if (values === null) return;
  const keys = exprs.map(({ descending, nullsFirst }, child) => ({
    child,
    descending,
    nullsFirst,
    value: values[child]!,
  }));
  context.publishRowBounds(id, [{ keys, inclusive: false }]);
}

/** Fewer rows where long strings would make batches of the usual count too large. */
function rowsPerBatch(batchSize: number, sorter: RowSorter): number {
  const bytesPerRow = sorter.heldBytes / Math.max(1, sorter.numRows);
  return Math.max(1, Math.min(batchSize, Math.floor(MAX_BATCH_BYTES / Math.max(1, bytesPerRow))));
}
