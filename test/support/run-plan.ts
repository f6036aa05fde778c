import assert from 'node:assert/strict';
import type { Arena } from '../../src/columnar/arena.js';
import { heap } from '../../src/columnar/heap.js';
import type { Schema } from '../../src/columnar/schema.js';
import { createExpressionCompiler } from '../../src/expr/expression-compiler.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { batch, type Representation, type Row, rowsOf, type Value } from './batches.js';
import { MockExec, type MockStep, testTask } from './mock-exec.js';

export interface RunOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly limitBytes?: number;
}

/** The settings under which every operator's results are tested: plain, small batches, and the debug modes of the wrapper. */
export const RUN_MODES: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'execution.batch_size': '1' },
  { 'execution.batch_size': '3', 'debug.windows': 'tiny' },
  { 'execution.batch_size': '16', 'debug.poison': 'true', 'debug.interleave': '7' },
];

/** Rows of every partition, all pulled side by side. Afterwards nothing may be left: no bytes, no consumers. */
export async function runPlan(plan: ExecutionPlan, options: RunOptions = {}): Promise<Value[][][]> {
  const before = heap.usedBytes;
  const { context, pool } = testTask({ compiler: createExpressionCompiler('interpreter'), ...options });
  const batchSize = context.config.get('execution.batch_size');
  const count = plan.properties.partitioning.count;
  try {
    return await Promise.all(
      Array.from({ length: count }, async (_, partition) => {
        const rows: Value[][] = [];
        for await (const made of context.execute(plan, partition)) {
          assert.ok(made.schema.equals(plan.schema), `schema of ${plan.name}: ${made.schema.toString()}`);
          assert.ok(made.numRows <= Math.max(batchSize, 1) || made.selection !== 0 || isView(plan), 'batch too large');
          rows.push(...rowsOf(made));
        }
        return rows;
      }),
    );
  } finally {
    context.close();
    assert.deepEqual(pool.holders(), [], 'memory still accounted');
    assert.equal(pool.usedBytes, 0);
    assert.equal(heap.usedBytes, before, 'heap blocks leaked');
  }
}

/** Operators that pass on their input's batches, whatever their size. */
function isView(plan: ExecutionPlan): boolean {
  return plan.children.length > 0;
}

/** All partitions' rows in one list. */
export async function rowsOfPlan(plan: ExecutionPlan, options: RunOptions = {}): Promise<Value[][]> {
  return (await runPlan(plan, options)).flat();
}

const REPRESENTATIONS: readonly Representation[] = ['flat', 'dictionary', 'selected'];

/** A leaf over these rows per partition, in batches of `batchRows` that change their representation; some batches are empty. */
export function leaf(
  schema: Schema,
  partitions: readonly (readonly Row[])[],
  arena: Arena,
  { batchRows = 10 }: { batchRows?: number } = {},
): MockExec {
  return new MockExec(
    schema,
    partitions.map((rows, partition) => {
      const steps: MockStep[] = [batch(schema, [], arena)];
      for (let start = 0, step = partition; start < rows.length; start += batchRows, step++) {
        steps.push(batch(schema, rows.slice(start, start + batchRows), arena, REPRESENTATIONS[step % 3]));
      }
      return steps;
    }),
  );
}

/** Deals rows to partitions. */
export function deal<T>(rows: readonly T[], partitions: number): T[][] {
  const dealt: T[][] = Array.from({ length: partitions }, () => []);
  for (const [index, row] of rows.entries()) dealt[(index * 7 + (index >> 3)) % partitions]!.push(row);
  return dealt;
}
