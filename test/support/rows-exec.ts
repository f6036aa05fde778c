/** A leaf that makes rows out of nothing and can travel to a worker: exchange tests know exactly what must arrive. */
import { type Statistics, unknownStatistics } from '../../src/catalog/statistics.js';
import { Arena } from '../../src/columnar/arena.js';
import { field, INT32, INT64, UTF8 } from '../../src/columnar/data-type.js';
import { batchFromRows } from '../../src/columnar/from-values.js';
import type { RecordBatch } from '../../src/columnar/record-batch.js';
import { Schema } from '../../src/columnar/schema.js';
import { DistqError } from '../../src/base/errors.js';
import { choiceField, countField } from '../../src/physical/encoded-fields.js';
import { plainProperties } from '../../src/physical/equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../../src/physical/execution-plan.js';
import { OperatorBase } from '../../src/physical/operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../../src/physical/plan-properties.js';
import type { TaskContext } from '../../src/physical/task-context.js';

const ROWS_SCHEMA: Schema = new Schema([
  field('task', INT32),
  field('partition', INT32),
  field('number', INT64),
  field('text', UTF8),
]);

const ENDINGS = ['end', 'fail', 'block', 'spin'] as const;

export interface RowsOptions {
  readonly partitions: number;
  /** Batches of each partition. */
  readonly batches: number;
  readonly rowsPerBatch: number;
  /** Bytes of each row's text. */
  readonly textBytes: number;
  /** What comes after the last batch: the end, an error, a wait for ever, or a loop that only paces. */
  readonly ending: (typeof ENDINGS)[number];
}

/** What one row says: which task and partition made it, and its number there. */
export function rowOf(
  task: number,
  partition: number,
  number: number,
  textBytes: number,
): [number, number, bigint, string] {
  return [task, partition, BigInt(number), `${number}`.padEnd(textBytes, 'x')];
}

export class RowsExec extends OperatorBase {
  readonly name = 'RowsExec';
  readonly schema: Schema = ROWS_SCHEMA;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];
  readonly options: RowsOptions;

  constructor(options: Partial<RowsOptions> = {}) {
    super();
    this.options = { partitions: 2, batches: 3, rowsPerBatch: 10, textBytes: 8, ending: 'end', ...options };
    this.properties = plainProperties(unknownPartitioning(this.options.partitions));
  }

  withNewChildren(): ExecutionPlan {
    return this;
  }

  protected computeStatistics(): Statistics {
    return unknownStatistics(this.schema.length);
  }

  describe(): string {
    return `RowsExec: partitions=${this.options.partitions}`;
  }

  async *execute(partition: number, context: TaskContext): AsyncGenerator<RecordBatch, void, undefined> {
    const { batches, rowsPerBatch, textBytes, ending } = this.options;
    const memory = context.memory(this);
    const arena = new Arena(memory);
    try {
      for (let batch = 0; batch < batches; batch++) {
        arena.reset();
        const rows = Array.from({ length: rowsPerBatch }, (_, row) =>
          rowOf(context.task.taskIndex, partition, batch * rowsPerBatch + row, textBytes),
        );
        yield batchFromRows(this.schema, rows, arena);
      }
      switch (ending) {
        case 'end':
          return;
        case 'fail':
          throw new DistqError('execution', `row ${batches * rowsPerBatch} cannot be made`, { hint: 'ask for fewer' });
        case 'block':
          await context.scope.wait(new Promise<never>(() => undefined));
          return;
        case 'spin':
          for (;;) {
            context.scope.throwIfCancelled();
            await context.pace();
          }
      }
    } finally {
      arena.free();
      memory.release();
    }
  }
}

export const rowsExecCodec: OperatorCodec<RowsExec> = {
  kind: 'RowsExec',
  is: (plan) => plan instanceof RowsExec,
  encode: (plan) => ({ ...plan.options }),
  decode: (fields) =>
    new RowsExec({
      partitions: countField(fields, 'partitions'),
      batches: countField(fields, 'batches'),
      rowsPerBatch: countField(fields, 'rowsPerBatch'),
      textBytes: countField(fields, 'textBytes'),
      ending: choiceField(fields, 'ending', ENDINGS),
    }),
};
