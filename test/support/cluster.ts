/** Clusters for tests: the real pool, host and children, over registries that know the test operators too. */
import { existsSync, readdirSync } from 'node:fs';
import type { CancelScope } from '../../src/base/cancel-scope.js';
import { WorkerPool } from '../../src/cluster/coordinator/worker-pool.js';
import { QueryRun } from '../../src/cluster/coordinator/query-run.js';
import type { TaskProgress } from '../../src/cluster/protocol/messages.js';
import { processStart } from '../../src/cluster/transport/process-identity.js';
import type { WorkerServices } from '../../src/cluster/worker/services.js';
import type { RecordBatch } from '../../src/columnar/record-batch.js';
import type { ScalarValue } from '../../src/columnar/scalar-value.js';
import { SessionConfig } from '../../src/config/session-config.js';
import { DISTRIBUTED_TASK_CODECS } from '../../src/distributed/operators/index.js';
import type { ExpressionMode } from '../../src/expr/evaluator.js';
import { createExpressionCompiler } from '../../src/expr/expression-compiler.js';
import { createFunctionRegistry } from '../../src/functions/index.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { OPERATOR_CODECS } from '../../src/physical/operators/index.js';
import { PlanCodecImpl } from '../../src/physical/plan-codec-impl.js';
import { sourceCodecs } from '../../src/sources/index.js';
import { batchRows } from './random-batch.js';
import { rowsExecCodec } from './rows-exec.js';

export function testServices(): WorkerServices {
  return {
    codec: new PlanCodecImpl({
      functions: createFunctionRegistry(),
      operators: [...OPERATOR_CODECS, ...DISTRIBUTED_TASK_CODECS, rowsExecCodec],
      sources: sourceCodecs,
    }),
    compiler: (config) => createExpressionCompiler(config.get('debug.expressions') as ExpressionMode),
  };
}

const testWorkerUrl: URL = new URL('./cluster-worker.js', import.meta.url);

export type Row = ScalarValue['value'][];

export interface RunSettings {
  readonly settings?: Readonly<Record<string, string>>;
  readonly onProgress?: (tasks: readonly TaskProgress[]) => void;
  readonly scope?: CancelScope;
}

/** A pool, and queries on it. */
export class TestCluster {
  readonly services: WorkerServices = testServices();
  readonly pool: WorkerPool;

  constructor({ memoryBytes = 2 ** 30 }: { memoryBytes?: number } = {}) {
    this.pool = new WorkerPool({ services: this.services, workerUrl: testWorkerUrl, memoryBytes });
  }

  run(plan: ExecutionPlan, { settings = {}, ...others }: RunSettings = {}): QueryRun {
    return new QueryRun({
      pool: this.pool,
      codec: this.services.codec,
      plan,
      config: SessionConfig.fromEntries(Object.entries({ 'distq.workers': '2', ...settings })),
      ...others,
    });
  }
}

/** All rows of a query. `each` sees every batch while it lives. */
export async function collectRows(run: QueryRun, each?: (batch: RecordBatch) => void | Promise<void>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of run.batches()) {
    rows.push(...batchRows(batch));
    await each?.(batch);
  }
  return rows;
}

/** Rows as texts in an order of their own, for comparing sets of rows. */
export function sorted(rows: readonly Row[]): string[] {
  return rows.map((row) => row.map(String).join('|')).sort();
}

/** A process that does nothing any more; a zombie that nobody collects counts as gone. */
export function isGone(pid: number): boolean {
  return processStart(pid) === undefined;
}

/** Run directories of distq in the usual places. */
export function runDirectories(): string[] {
  const places = [process.env['XDG_RUNTIME_DIR'], process.env['TMPDIR'], '/tmp'];
  return places
    .filter((place) => place !== undefined && existsSync(place))
    .flatMap((place) => readdirSync(place ?? '/tmp').filter((name) => name.startsWith('dq-')));
}

/** Waits for a condition, at most `ms`; says whether it came true. */
export async function eventually(condition: () => boolean, ms = 5_000): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  return true;
}
