import type { CancelScope } from '../../base/cancel-scope.js';
import { DistqError, invariant } from '../../base/errors.js';
import { HEAD_STAGE, type StageId } from '../../base/ids.js';
import { MetricsRecorder } from '../../base/metrics.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { SessionConfig } from '../../config/session-config.js';
import { NetworkBoundary } from '../../distributed/network-boundary.js';
import { taskNodes } from '../../distributed/task-nodes.js';
import type { RemoteStage } from '../../distributed/stage.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type {
  DistributedTaskContext,
  Exchange,
  ExchangeConnection,
  ExchangeRequest,
  RecordBatchStream,
  TaskContext,
} from '../../physical/task-context.js';
import type { ConnectionRole, PartitionRequest } from '../protocol/hello.js';
import type { FaultInjector } from './fault-injector.js';
import { LocalConnection, type LocalConnectionOptions } from './local-connection.js';
import type { ProducerConnection, ProducerPartition } from './producer-connection.js';
import { RemoteConnection } from './remote-connection.js';
import { type TaskIdentity, workerName } from './task-identity.js';

const MEBIBYTE = 1024 * 1024;
const SMALLEST_WINDOW_BYTES = 64 * 1024;
const LARGEST_WINDOW_BYTES = 4 * MEBIBYTE;

/** How a process reaches the tasks of all processes. */
export interface Transport {
  /** Where a worker's process listens; null when it is this very process. */
  address(worker: number): string | null;
  /** The first bytes of a connection for the request. */
  hello(request: PartitionRequest): Uint8Array;
  /** The request served in this process. */
  local(request: PartitionRequest): ReturnType<LocalConnectionOptions['request']>;
}

export interface TaskExchangeOptions {
  readonly identity: TaskIdentity;
  readonly plan: ExecutionPlan;
  readonly config: SessionConfig;
  readonly scope: CancelScope;
  readonly memory: MemoryConsumer;
  readonly faults: FaultInjector;
  readonly kill: (() => void) | null;
  readonly transport: Transport;
}

/** A boundary of the task's plan: one stage it reads. A stage feeds one boundary, since plans are trees. */
interface TaskInput {
  readonly boundary: NetworkBoundary;
  readonly stage: RemoteStage;
  readonly task: DistributedTaskContext;
  readonly role: ConnectionRole;
}

/** What a task reads of other tasks: one connection for each producer task of each of its boundaries (engine rule 2.2). */
export class TaskExchange implements Exchange {
  readonly #options: TaskExchangeOptions;
  readonly #inputs: ReadonlyMap<StageId, TaskInput>;
  readonly #connections = new Map<string, ProducerConnection>();
  #closed = false;

  constructor(options: TaskExchangeOptions) {
    this.#options = options;
    const { task: taskIndex, taskCount } = options.identity;
    this.#inputs = taskInputs(options.plan, { taskIndex, taskCount }, options.identity.stage === HEAD_STAGE);
  }

  /** Opens nothing: the first pull of any partition does (T4). The same producer task again is the same connection. */
  connect(request: ExchangeRequest, context: TaskContext): ExchangeConnection {
    const connection = this.#connection(request, (boundary) => context.metrics(boundary));
    return {
      partition: (offset, scope) => {
        const partition = connection.partition(offset);
        if (partition === undefined) {
          throw new DistqError('internal', `partition ${offset} of ${request.partitionCount} requested ones was read`);
        }
        return new PartitionStream(partition, scope, `stage ${request.stage} task ${request.producerTask}`);
      },
    };
  }

  /**
   * The task needs no input any more. Connections that were opened are closed; producers that were never asked are told that nobody
   * will, or their fan-outs would wait for this task (engine rule 2.7).
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#options.scope.cancelled) {
      for (const { boundary, stage, task } of this.#inputs.values()) {
        for (const range of boundary.ranges(task)) {
          const worker = stage.workers[range.producerTask];
          if (worker === undefined) continue;
          const request = { ...range, stage: stage.id, worker, schema: boundary.schema };
          // A connection that is only announced has nothing to measure.
          this.#connection(request, () => new MetricsRecorder());
        }
      }
    }
    for (const connection of this.#connections.values()) connection.close();
  }

  /** Whether somebody waits for this task, for a while now; what it reads ahead of that is no wish of anybody (engine rule 2.1). */
  setWishing(wishing: boolean): void {
    for (const connection of this.#connections.values()) connection.setWishing(wishing);
  }

  /** Nobody waits any more: what was told to other processes is taken back at once. */
  withdrawWishes(): void {
    for (const connection of this.#connections.values()) connection.withdrawWishes();
  }

  #connection(request: ExchangeRequest, metrics: (boundary: ExecutionPlan) => MetricsRecorder): ProducerConnection {
    const key = `${request.stage}/${request.producerTask}`;
    let connection = this.#connections.get(key);
    if (connection === undefined) {
      connection = this.#open(request, metrics);
      this.#connections.set(key, connection);
    }
    return connection;
  }

  #open(request: ExchangeRequest, metricsOf: (boundary: ExecutionPlan) => MetricsRecorder): ProducerConnection {
    const { identity, transport, scope, memory, faults, kill } = this.#options;
    const input = this.#inputs.get(request.stage);
    invariant(input !== undefined, `the task has no boundary that reads stage ${request.stage}`);
    const { boundary, stage, role } = input;
    const metrics = metricsOf(boundary);
    const wanted = (closed: boolean): PartitionRequest => ({
      query: identity.query,
      stage: request.stage,
      task: request.producerTask,
      firstPartition: request.firstPartition,
      partitionCount: request.partitionCount,
      head: boundary.kind,
      stagePartitions: stage.partitionCount,
      role,
      windowBytes: this.#windowBytes(stage, request.partitionCount),
      closed,
    });
    const common = { partitionCount: request.partitionCount, scope, metrics };
    const address = transport.address(request.worker);
    if (address === null) {
      return new LocalConnection({ ...common, role, faults, kill, request: () => transport.local(wanted(false)) });
    }
    return new RemoteConnection({
      ...common,
      address,
      hello: (closed) => transport.hello(wanted(closed)),
      schema: request.schema,
      producer: { stage: request.stage, task: request.producerTask, worker: workerName(request.worker) },
      memory,
    });
  }

  /** The budget of what a consumer may have on the way, dealt out over all partitions it reads of one stage. */
  #windowBytes(stage: RemoteStage, partitionCount: number): number {
    const { config } = this.#options;
    if (config.get('debug.windows') === 'tiny') return 1;
    const budget = config.get('distributed.worker_connection_buffer_budget_bytes');
    const share = Math.floor(budget / Math.max(1, stage.tasks * partitionCount));
    return Math.min(LARGEST_WINDOW_BYTES, Math.max(SMALLEST_WINDOW_BYTES, share));
  }
}

function taskInputs(plan: ExecutionPlan, task: DistributedTaskContext, isHead: boolean): Map<StageId, TaskInput> {
  const builds = buildSides(plan);
  const inputs = new Map<StageId, TaskInput>();
  for (const { node, task: nodeTask } of taskNodes(plan, task)) {
    if (!(node instanceof NetworkBoundary) || node.inputStage.state !== 'remote') continue;
    const stage = node.inputStage;
    invariant(!inputs.has(stage.id), `two boundaries of one task read stage ${stage.id}`);
    const role = builds.has(node) ? 'build' : isHead ? 'head' : 'exchange';
    inputs.set(stage.id, { boundary: node, stage, task: nodeTask, role });
  }
  return inputs;
}

/** Boundaries below the collected side of a join, which is its first child. */
function buildSides(plan: ExecutionPlan): Set<ExecutionPlan> {
  const found = new Set<ExecutionPlan>();
  const visit = (node: ExecutionPlan, isBuild: boolean): void => {
    if (node instanceof NetworkBoundary) {
      if (isBuild) found.add(node);
      return;
    }
    const isJoin = node.name.endsWith('JoinExec');
    for (const [index, child] of node.children.entries()) visit(child, isJoin ? index === 0 : isBuild);
  };
  visit(plan, false);
  return found;
}

/** A producer partition as a stream of the consumer's plan. */
class PartitionStream implements RecordBatchStream {
  readonly #partition: ProducerPartition;
  readonly #scope: CancelScope;
  readonly #name: string;
  #state: 'new' | 'open' | 'done' = 'new';

  constructor(partition: ProducerPartition, scope: CancelScope, name: string) {
    this.#partition = partition;
    this.#scope = scope;
    this.#name = name;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RecordBatch>> {
    if (this.#state === 'new') {
      if (!this.#partition.take())
        throw new DistqError('internal', `a partition of ${this.#name} was consumed already`);
      this.#state = 'open';
    }
    if (this.#state === 'open') {
      const batch = await this.#partition.next(this.#scope);
      if (batch !== null) return { done: false, value: batch };
      this.#close();
    }
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<RecordBatch>> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  #close(): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#partition.close();
  }
}
