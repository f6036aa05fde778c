import { Arena } from '../../columnar/arena.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ProjectedExpr } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a ProjectionExec needs of its node. */
export interface ProjectionSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly exprs: readonly ProjectedExpr[];
}

/** The expressions' values, row by row; plain columns are passed on as views, the selection stays the input's. */
export async function* projectionStream(
  spec: ProjectionSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const evaluator = context.compiler.projection(spec.exprs.map(({ expr }) => expr));
  const memory = context.memory(spec);
  const arena = new Arena(memory);
  try {
    for await (const batch of context.execute(spec.input, partition)) {
      arena.reset();
      yield batch.withColumns(spec.schema, evaluator.evaluate(batch, arena));
    }
  } finally {
    arena.free();
    memory.release();
  }
}
