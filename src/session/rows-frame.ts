import { field, UTF8 } from '../columnar/data-type.js';
import { Schema } from '../columnar/schema.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import { MemorySource } from '../sources/memory/memory-source.js';

/** A plan over rows of text, for what statements answer (SHOW, DESCRIBE, EXPLAIN). */
export function textRows(
  columns: readonly { readonly name: string; readonly nullable?: boolean }[],
  rows: readonly (readonly (string | null)[])[],
): ExecutionPlan {
  const schema = new Schema(columns.map(({ name, nullable }) => field(name, UTF8, nullable ?? false)));
  return new DataSourceExec(MemorySource.fromRows(schema, rows));
}
