import type { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError } from '../../base/errors.js';
import type { MetricsRecorder } from '../../base/metrics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { FaultInjector } from './fault-injector.js';
import { injectedError } from './fault-injector.js';
import type { ConnectionRole } from '../protocol/hello.js';
import type { ProducerConnection, ProducerPartition } from './producer-connection.js';
import type { Task, TaskPartition } from './task.js';

export interface LocalConnectionOptions {
  /** The producer task and the requested partitions, once its plan is here. */
  readonly request: () => Promise<{ readonly task: Task; readonly partitions: readonly TaskPartition[] }>;
  readonly partitionCount: number;
  readonly role: ConnectionRole;
  readonly scope: CancelScope;
  readonly metrics: MetricsRecorder;
  readonly faults: FaultInjector;
  /** Ends this process at once; null where it is the user's own. */
  readonly kill: (() => void) | null;
}

/**
 * A producer task of the same process, pulled directly: no frames, no copies, no windows. A batch is passed on as it is, which the
 * lifetime rule allows: the producer's stream feeds this consumer alone and is pulled inside its pull; where a stage fans out, its head
 * is a keeper and gives each output batches of its own (engine rule 1.1).
 */
export class LocalConnection implements ProducerConnection {
  readonly #options: LocalConnectionOptions;
  readonly #partitions: LocalPartition[];
  #used = false;
  #opened: ReturnType<LocalConnectionOptions['request']> | null = null;

  constructor(options: LocalConnectionOptions) {
    this.#options = options;
    this.#partitions = Array.from(
      { length: options.partitionCount },
      (_, offset) => new LocalPartition(this, offset, options),
    );
  }

  partition(offset: number): ProducerPartition | undefined {
    return this.#partitions[offset];
  }

  setWishing(wishing: boolean): void {
    for (const partition of this.#partitions) partition.setWishing(wishing);
  }

  withdrawWishes(): void {
    // `setWishing` follows soon enough for a producer that is pulled directly.
  }

  close(): void {
    for (const partition of this.#partitions) partition.close();
  }

  /** @internal Counts the connection once, when it is first read. */
  countUse(): void {
    if (!this.#used) this.#options.metrics.add('local_connections_used', 1);
    this.#used = true;
  }

  /** @internal The producer's partition; the first call claims all of the request. */
  async producer(offset: number): Promise<TaskPartition | undefined> {
    if (this.#opened === null) {
      this.#opened = this.#options.request();
      this.#opened.catch(() => undefined);
    }
    return (await this.#opened).partitions[offset];
  }
}

class LocalPartition implements ProducerPartition {
  readonly #connection: LocalConnection;
  readonly #offset: number;
  readonly #options: LocalConnectionOptions;
  #taken = false;
  #closed = false;
  #wishing = true;
  #producer: TaskPartition | undefined;

  constructor(connection: LocalConnection, offset: number, options: LocalConnectionOptions) {
    this.#connection = connection;
    this.#offset = offset;
    this.#options = options;
  }

  take(): boolean {
    const first = !this.#taken;
    this.#taken = true;
    return first;
  }

  async next(scope: CancelScope): Promise<RecordBatch | null> {
    if (this.#closed) return null;
    if (this.#producer === undefined) {
      this.#connection.countUse();
      this.#producer = await scope.wait(this.#connection.producer(this.#offset));
      if (this.#producer !== undefined) this.#producer.wanted = this.#wishing;
    }
    const producer = this.#producer;
    if (producer === undefined) return null;
    const batch = await scope.wait(producer.next());
    if (batch !== null) await this.#inject(scope);
    return batch;
  }

  setWishing(wishing: boolean): void {
    this.#wishing = wishing;
    if (this.#producer !== undefined) this.#producer.wanted = wishing;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Also where nothing was pulled: the producer's fan-out must not wait for this consumer.
    const settled = this.#connection.producer(this.#offset).then(
      (producer) => {
        producer?.close();
      },
      (error: unknown) => asDistqError(error),
    );
    this.#options.scope.drain(settled);
  }

  async #inject(scope: CancelScope): Promise<void> {
    switch (this.#options.faults.atLocal('frame', this.#options.role)) {
      case null:
        return;
      case 'kill':
        this.#options.kill?.();
        return;
      case 'throw':
        throw injectedError('a batch');
      case 'stall':
        await scope.wait(new Promise<never>(() => undefined));
    }
  }
}
