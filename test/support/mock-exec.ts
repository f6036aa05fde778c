import { CancelScope } from '../../src/base/cancel-scope.js';
import { queryId, stageId } from '../../src/base/ids.js';
import { type Statistics, unknownStatistics } from '../../src/catalog/statistics.js';
import { MemoryPool } from '../../src/columnar/memory-pool.js';
import type { RecordBatch } from '../../src/columnar/record-batch.js';
import type { Schema } from '../../src/columnar/schema.js';
import { SessionConfig } from '../../src/config/session-config.js';
import type { ExpressionCompiler } from '../../src/expr/evaluator.js';
import { plainProperties } from '../../src/physical/equivalence.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { RowBounds } from '../../src/physical/row-bounds.js';
import { KeyFilters } from '../../src/physical/key-filters.js';
import { LocalTaskContext } from '../../src/physical/local-task-context.js';
import { OperatorBase } from '../../src/physical/operator-base.js';
import { unknownPartitioning, type PlanProperties } from '../../src/physical/plan-properties.js';
import type { DistributedTaskContext, Exchange, TaskContext } from '../../src/physical/task-context.js';

/** One step of a mock stream: a batch to give, a failure, or a wait that only a cancel ends. */
export type MockStep = RecordBatch | Error | 'block';

/** What happened to the streams of a MockExec. */
export interface MockLog {
  started: number;
  pulls: number;
  closed: number;
}

/** A leaf whose partitions give prepared steps, with a turn of the event loop before each. */
export class MockExec extends OperatorBase {
  readonly name = 'MockExec';
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];
  readonly steps: readonly (readonly MockStep[])[];
  readonly log: MockLog = { started: 0, pulls: 0, closed: 0 };

  constructor(schema: Schema, steps: readonly (readonly MockStep[])[]) {
    super();
    this.schema = schema;
    this.steps = steps;
    this.properties = plainProperties(unknownPartitioning(steps.length));
  }

  withNewChildren(): ExecutionPlan {
    return this;
  }

  protected computeStatistics(): Statistics {
    return unknownStatistics(this.schema.length);
  }

  describe(): string {
    return 'MockExec';
  }

  async *execute(partition: number, context: TaskContext): AsyncGenerator<RecordBatch, void, undefined> {
    this.log.started++;
    try {
      for (const step of this.steps[partition] ?? []) {
        this.log.pulls++;
        await new Promise<void>((resolve) => {
          setImmediate(resolve);
        });
        if (step === 'block') await context.scope.wait(new Promise<never>(() => undefined));
        else if (step instanceof Error) throw step;
        else yield step;
      }
    } finally {
      this.log.closed++;
    }
  }
}

export interface TestTask {
  readonly context: LocalTaskContext;
  readonly scope: CancelScope;
  readonly pool: MemoryPool;
}

/** A task of its own, for running plans in tests. `compiler` is only needed by plans with expressions. */
export function testTask(
  options: {
    compiler?: ExpressionCompiler;
    settings?: Readonly<Record<string, string>>;
    limitBytes?: number;
    exchange?: Exchange;
    task?: DistributedTaskContext;
  } = {},
): TestTask {
  const scope = new CancelScope();
  const pool = new MemoryPool(options.limitBytes ?? 256 * 2 ** 20);
  const unavailable = (): never => {
    throw new Error('this test gave no expression compiler');
  };
  const context = LocalTaskContext.create({
    queryId: queryId('test'),
    stageId: stageId(0),
    task: options.task ?? { taskIndex: 0, taskCount: 1 },
    config: SessionConfig.fromEntries(Object.entries(options.settings ?? {})),
    scope,
    pool,
    keyFilters: new KeyFilters(),
    rowBounds: new RowBounds(),
    compiler: options.compiler ?? { projection: unavailable, filter: unavailable },
    exchange: options.exchange ?? {
      connect() {
        throw new Error('this test has no exchange');
      },
    },
  });
  return { context, scope, pool };
}
