import { randomUUID } from 'node:crypto';
import { TaskMetricsStore, snapshotTaskMetrics } from '../distributed/task-metrics.js';
import type { MetricValue } from '../base/metrics.js';
import type { CancelScope } from '../base/cancel-scope.js';
import { asDistqError, type DistqError } from '../base/errors.js';
import { HEAD_STAGE, queryId } from '../base/ids.js';
import { MemoryPool } from '../columnar/memory-pool.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { SessionConfig } from '../config/session-config.js';
import { interpreterCompiler } from '../expr/interpreter/interpreter.js';
import { LocalTaskContext } from '../physical/local-task-context.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import type { Registries } from './registries.js';

export interface QueryMetrics {
  readonly store: TaskMetricsStore;
  readonly root: readonly MetricValue[];
}

export interface RunningQuery {
  readonly batches: AsyncIterable<RecordBatch>;
  readonly error: DistqError | undefined;
  metrics(): Promise<QueryMetrics>;
}

export class Runner {
  constructor(_registries: Registries) {}
  run(plan: ExecutionPlan, config: SessionConfig, scope: CancelScope): RunningQuery {
    const context = LocalTaskContext.create({
      queryId: queryId(randomUUID()),
      stageId: HEAD_STAGE,
      task: { taskIndex: 0, taskCount: 1 },
      config,
      scope,
      compiler: interpreterCompiler,
      exchange: {
        connect() {
          throw new Error('no exchange');
        },
      },
      pool: new MemoryPool(2 ** 31),
    });
    let error: DistqError | undefined;
    async function* run(): AsyncGenerator<RecordBatch, void, undefined> {
      try {
        for (let p = 0; p < plan.properties.partitioning.count; p++) yield* context.execute(plan, p);
      } catch (e) {
        error = asDistqError(e);
        throw error;
      }
    }
    return {
      batches: run(),
      get error() {
        return error;
      },
      metrics: () => {
        const store = new TaskMetricsStore();
        store.put(HEAD_STAGE, 0, 0, {
          state: 'finished',
          times: { planAddedNs: null, planExecutedNs: null, planFinishedNs: null },
          nodes: snapshotTaskMetrics(plan, { taskIndex: 0, taskCount: 1 }, (n) => context.recorderOf(n)),
        });
        return Promise.resolve({ store, root: [] });
      },
    };
  }

  kill(): void {}
  async close(): Promise<void> {}
}
