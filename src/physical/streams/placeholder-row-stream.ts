import { Column } from '../../columnar/column.js';
import { defaultLayout } from '../../columnar/layout.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a PlaceholderRowExec needs of its node. */
export type PlaceholderRowSpec = ExecutionPlan;

/** One row of nulls (usually of no columns), for SELECT without FROM. */
export async function* placeholderRowStream(
  spec: PlaceholderRowSpec,
  _partition: number,
  _context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const columns = spec.schema.fields.map((field) => Column.nulls(field.type, defaultLayout(field.type), 1));
  yield new RecordBatch(spec.schema, columns, 1);
}
