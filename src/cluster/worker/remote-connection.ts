import type { CancelScope } from '../../base/cancel-scope.js';
import { type Deferred, deferred } from '../../base/deferred.js';
import { asDistqError, DistqError, type TaskLocation } from '../../base/errors.js';
import type { MetricsRecorder } from '../../base/metrics.js';
import { Arena } from '../../columnar/arena.js';
import { heap } from '../../columnar/heap.js';
import { IpcBatchDecoder } from '../../columnar/ipc/batch-decoder.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { nowNs } from '../protocol/clock.js';
import { decodeError } from '../protocol/error-codec.js';
import { type FrameHeader, smallFrame } from '../protocol/frame.js';
import { decodeValue } from '../protocol/value-codec.js';
import { type ClientConnection, connectData } from '../transport/data-client.js';
import { FrameReader } from './frame-reader.js';
import { FrameStore, type StoredFrame } from './frame-store.js';
import type { ProducerConnection, ProducerPartition } from './producer-connection.js';

export interface RemoteConnectionOptions {
  readonly address: string;
  /** The hello's bytes; `closed` says that nobody will read. */
  readonly hello: (closed: boolean) => Uint8Array;
  readonly partitionCount: number;
  readonly schema: Schema;
  readonly producer: TaskLocation;
  readonly scope: CancelScope;
  readonly memory: MemoryConsumer;
  readonly metrics: MetricsRecorder;
}

/**
 * One socket to a producer task. It is opened by the first pull of any of its partitions (T4). Everything that arrives is taken off the
 * socket at once and sorted into the partitions' queues, so that a partition nobody pulls holds up no other (T2); what bounds the queues
 * are the producer's windows, since credit goes back only when a batch was passed.
 */
export class RemoteConnection implements ProducerConnection {
  readonly #options: RemoteConnectionOptions;
  readonly #partitions: RemotePartition[];
  readonly #reader: FrameReader;
  #socket: ClientConnection | null = null;
  #opened: Promise<void> | null = null;
  #failure: DistqError | null = null;
  #wishing = false;
  #errorText = new Uint8Array(0);
  #unfinished: number;

  constructor(options: RemoteConnectionOptions) {
    this.#options = options;
    this.#unfinished = options.partitionCount;
    this.#partitions = Array.from(
      { length: options.partitionCount },
      (_, offset) => new RemotePartition(this, offset, options),
    );
    this.#reader = new FrameReader({
      begin: (header) => this.#begin(header),
      complete: (header) => {
        this.#complete(header);
      },
    });
  }

  partition(offset: number): ProducerPartition | undefined {
    return this.#partitions[offset];
  }

  /** @internal */
  get wishing(): boolean {
    return this.#wishing;
  }

  withdrawWishes(): void {
    if (this.#wishing) this.setWishing(false);
  }

  setWishing(wishing: boolean): void {
    this.#wishing = wishing;
    for (const partition of this.#partitions) partition.tellWish();
  }

  /** Nobody reads any of it any more. */
  close(): void {
    for (const partition of this.#partitions) partition.close();
  }

  /** @internal Waits until frames can be asked for. */
  async open(): Promise<void> {
    this.#opened ??= this.#connect(false);
    await this.#options.scope.wait(this.#opened);
  }

  async #connect(closed: boolean): Promise<void> {
    const { address, hello, scope } = this.#options;
    const events = {
      data: (bytes: Uint8Array): void => {
        this.#receive(bytes);
      },
      closed: (failure: string | undefined): void => {
        this.#lost(failure);
      },
    };
    try {
      // An announcement goes out although the consumer's scope may be over by now; that it fails concerns nobody.
      this.#socket = await connectData(address, hello(closed), events, scope);
      if (closed) return;
      // What was closed while the connection came about.
      for (const partition of this.#partitions) partition.announceClosed();
      if (this.#unfinished === 0) this.#socket.destroy();
    } catch (error) {
      if (closed) return;
      this.fail(asDistqError(error).with({ task: this.#options.producer }));
    }
  }

  /** @internal */
  send(frame: Uint8Array): void {
    this.#socket?.write(frame);
  }

  /**
   * @internal A partition needs nothing more. After the last one the connection goes; one that was never opened is opened to say so:
   * the producer's fan-out would otherwise keep rows for this consumer (engine rule 2.7).
   */
  settled(): void {
    this.#unfinished--;
    if (this.#unfinished > 0) return;
    if (this.#opened === null) {
      this.#opened = this.#connect(true);
      this.#options.scope.drain(this.#opened);
    } else {
      this.#socket?.destroy();
    }
  }

  /** @internal Ends all partitions with the same error. */
  fail(error: DistqError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    for (const partition of this.#partitions) partition.fail(error);
    this.#socket?.destroy();
  }

  #receive(bytes: Uint8Array): void {
    if (this.#failure !== null) return;
    try {
      this.#reader.push(bytes);
    } catch (error) {
      this.fail(asDistqError(error).with({ task: this.#options.producer }));
    }
  }

  #begin(header: FrameHeader): Uint8Array | null {
    switch (header.kind) {
      case 'batch':
        return this.#known(header).begin(header);
      case 'error':
        this.#errorText = new Uint8Array(header.payloadBytes);
        return this.#errorText;
      case 'eos':
        return null;
      case 'credit':
      case 'want':
      case 'close':
        throw new DistqError('protocol', `a producer sent a ${header.kind} frame`);
    }
  }

  #complete(header: FrameHeader): void {
    switch (header.kind) {
      case 'batch':
        this.#known(header).complete(header);
        return;
      case 'eos':
        this.#known(header).end(header);
        return;
      case 'error':
        this.fail(decodeError(decodeValue(this.#errorText)));
        return;
      case 'credit':
      case 'want':
      case 'close':
        return;
    }
  }

  #known({ partition }: FrameHeader): RemotePartition {
    const found = this.#partitions[partition];
    if (found === undefined)
      throw new DistqError('protocol', `a frame of partition ${partition}, which was not asked for`);
    return found;
  }

  /** A killed producer looks like one that is done, so only a counted end of every partition is an end (engine rule 2.6). */
  #lost(failure: string | undefined): void {
    for (const partition of this.#partitions) partition.disconnected();
    if (this.#unfinished === 0 || this.#failure !== null) return;
    const { stage, task, worker } = this.#options.producer;
    const how = failure === undefined ? 'ended' : `broke (${failure})`;
    const where = this.#reader.atBorder ? '' : ' in the middle of a frame';
    this.fail(
      new DistqError(
        'worker_lost',
        `the connection to ${worker} ${how}${where} before task ${task} of stage ${stage} had sent all its rows`,
        { task: this.#options.producer },
      ),
    );
  }
}

interface QueuedFrame extends StoredFrame {
  readonly bytes: number;
}

class RemotePartition implements ProducerPartition {
  readonly #connection: RemoteConnection;
  readonly #offset: number;
  readonly #options: RemoteConnectionOptions;
  readonly #store: FrameStore;
  readonly #decoder: IpcBatchDecoder;
  readonly #arena: Arena;
  readonly #queue: QueuedFrame[] = [];
  #arriving: QueuedFrame | null = null;
  /** The frame behind the batch given out last. */
  #current: QueuedFrame | null = null;
  #waiter: Deferred<undefined> | null = null;
  #wishTold = false;
  #failure: DistqError | null = null;
  #state: 'open' | 'complete' | 'closed' = 'open';
  #rows = 0;
  #batches = 0;
  #taken = false;

  constructor(connection: RemoteConnection, offset: number, options: RemoteConnectionOptions) {
    this.#connection = connection;
    this.#offset = offset;
    this.#options = options;
    this.#store = new FrameStore(options.memory);
    this.#decoder = new IpcBatchDecoder(options.schema, options.memory);
    this.#arena = new Arena(options.memory);
  }

  take(): boolean {
    const first = !this.#taken;
    this.#taken = true;
    return first;
  }

  async next(scope: CancelScope): Promise<RecordBatch | null> {
    this.#passCurrent();
    await this.#connection.open();
    for (;;) {
      const frame = this.#queue.shift();
      if (frame !== undefined) {
        this.#current = frame;
        this.#arena.reset();
        return this.#decoder.decode(frame.address, frame.bytes, this.#arena);
      }
      if (this.#failure !== null) throw this.#failure;
      if (this.#state !== 'open') return null;
      this.#waiter ??= deferred();
      this.tellWish();
      await scope.wait(this.#waiter.promise);
    }
  }

  /** Tells the producer when it has become true, or no longer is, that somebody waits for this partition. */
  tellWish(): void {
    const wish = this.#waiter !== null && this.#connection.wishing;
    if (wish === this.#wishTold) return;
    this.#wishTold = wish;
    this.#connection.send(smallFrame('want', { partition: this.#offset, count: wish ? 1 : 0, batches: this.#batches }));
  }

  /** A batch was passed: its bytes are free here, and the producer may send as many more. */
  #passCurrent(): void {
    const frame = this.#current;
    if (frame === null) return;
    this.#current = null;
    this.#store.release(frame);
    if (this.#state === 'open') {
      this.#connection.send(smallFrame('credit', { partition: this.#offset, count: frame.bytes }));
    }
  }

  begin({ payloadBytes }: FrameHeader): Uint8Array | null {
    // What comes for a partition that was closed is thrown away; the others go on (T3).
    if (this.#state === 'closed') return null;
    if (this.#state === 'complete') throw new DistqError('protocol', 'a batch behind the end of its partition');
    const stored = this.#store.allocate(payloadBytes);
    this.#arriving = { ...stored, bytes: payloadBytes };
    return heap.u8.subarray(stored.address, stored.address + payloadBytes);
  }

  complete({ count, batches, payloadBytes, stampNs }: FrameHeader): void {
    const frame = this.#arriving;
    this.#arriving = null;
    if (frame === null) return;
    if (this.#state !== 'open') {
      // Closed while it arrived.
      this.#free();
      return;
    }
    if (batches !== this.#batches) {
      throw new DistqError('protocol', `batch ${batches} of a partition came where batch ${this.#batches} was due`);
    }
    this.#rows += count;
    this.#batches++;
    // The producer takes a batch it sends for the wish's fulfilment.
    this.#wishTold = false;
    const { metrics } = this.#options;
    metrics.add('bytes_transferred', payloadBytes, 'bytes');
    metrics.add('msg_count', 1);
    const latencyNs = Number(nowNs()) - stampNs;
    if (latencyNs >= 0) {
      metrics.add('network_latency_sum', latencyNs, 'time');
      metrics.add('network_latency_count', 1);
    }
    this.#queue.push(frame);
    metrics.add('max_mem_used', this.#store.heldBytes, 'gauge');
    this.#wake();
  }

  end({ count, batches }: FrameHeader): void {
    if (this.#state !== 'open') return;
    if (count !== this.#rows || batches !== this.#batches) {
      throw new DistqError(
        'protocol',
        `a partition ended after ${batches} batches of ${count} rows, of which ${this.#batches} of ${this.#rows} came`,
      );
    }
    this.#state = 'complete';
    this.#connection.settled();
    this.#wake();
  }

  fail(error: DistqError): void {
    if (this.#state !== 'open') return;
    this.#failure = error;
    this.#wake();
  }

  close(): void {
    const before = this.#state;
    this.#state = 'closed';
    if (before === 'open') {
      this.announceClosed();
      this.#connection.settled();
    }
    // A frame that is arriving is still written to: its memory goes when it is complete, or with the connection.
    if (this.#arriving === null) this.#free();
    this.#wake();
  }

  /** Nothing arrives any more, so a frame that was arriving never will. */
  disconnected(): void {
    this.#arriving = null;
    if (this.#state === 'closed') this.#free();
  }

  /** Tells the producer, when there is anybody to tell. */
  announceClosed(): void {
    if (this.#state === 'closed') this.#connection.send(smallFrame('close', { partition: this.#offset }));
  }

  #free(): void {
    this.#queue.length = 0;
    this.#current = null;
    this.#store.close();
    this.#decoder.close();
    this.#arena.free();
  }

  #wake(): void {
    this.#waiter?.resolve(undefined);
    this.#waiter = null;
  }
}
