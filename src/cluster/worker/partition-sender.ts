import type { CancelScope } from '../../base/cancel-scope.js';
import { type Deferred, deferred } from '../../base/deferred.js';
import { asDistqError, DistqError } from '../../base/errors.js';
import { Job } from '../../base/job.js';
import { Arena } from '../../columnar/arena.js';
import { heap } from '../../columnar/heap.js';
import { IpcBatchEncoder, type IpcPiece } from '../../columnar/ipc/batch-encoder.js';
import { END_OF_STREAM, heapView } from '../../columnar/ipc/message.js';
import { nowNs } from '../protocol/clock.js';
import { encodeError } from '../protocol/error-codec.js';
import { FRAME_HEADER_BYTES, type FrameHeader, smallFrame, writeFrameHeader } from '../protocol/frame.js';
import type { PartitionRequest } from '../protocol/hello.js';
import { encodeValue } from '../protocol/value-codec.js';
import type { ServerConnection } from '../transport/data-server.js';
import { type FaultAction, type FaultInjector, injectedError } from './fault-injector.js';
import type { Task, TaskPartition } from './task.js';

export interface SenderOptions {
  readonly connection: ServerConnection;
  readonly request: PartitionRequest;
  readonly task: Task;
  readonly partitions: readonly TaskPartition[];
  /** Ends with the query or the connection, whichever goes first. */
  readonly scope: CancelScope;
  readonly maxFrameBytes: number;
  readonly faults: FaultInjector;
  /** Ends this process at once; null where it is the user's own. */
  readonly kill: (() => void) | null;
}

/**
 * Serves one request: a driver per partition pulls the task's stream and sends what it gives, as long as the partition's window is
 * open. Partitions do not wait for one another; one whose window is used up is just not pulled (engine rule 2.2). What lies above a
 * fan-out goes on filling by the fan-out's own rule.
 */
export class PartitionSender {
  readonly #options: SenderOptions;
  readonly #windows: Window[];
  readonly #closedByConsumer = new Set<number>();
  /** Batches sent of each partition. */
  readonly #sent: number[];
  #open: number;
  #over = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#windows = options.partitions.map(() => new Window(options.request.windowBytes));
    this.#open = options.partitions.length;
    this.#sent = options.partitions.map(() => 0);
    // Until the consumer says that it waits.
    for (const partition of options.partitions) partition.wanted = false;
  }

  start(): void {
    for (const [offset, partition] of this.#options.partitions.entries()) {
      Job.start(() => this.#drive(offset, partition), this.#options.scope);
    }
    if (this.#open === 0) this.#end();
  }

  /** A frame of the consumer. */
  receive({ kind, partition: offset, count, batches }: FrameHeader): void {
    const window = this.#windows[offset];
    const partition = this.#options.partitions[offset];
    if (window === undefined || partition === undefined) return;
    switch (kind) {
      case 'credit':
        window.give(count);
        return;
      case 'want':
        // One that crossed a batch on the way has been granted already.
        if (batches === this.#sent[offset]) partition.wanted = count > 0;
        return;
      case 'close':
        this.#closedByConsumer.add(offset);
        partition.close();
        window.wake();
        return;
      case 'batch':
      case 'eos':
      case 'error':
        return;
    }
  }

  /** The consumer is gone: nobody reads these partitions any more. */
  abandon(): void {
    this.#over = true;
    for (const partition of this.#options.partitions) partition.close();
    for (const window of this.#windows) window.wake();
  }

  async #drive(offset: number, partition: TaskPartition): Promise<void> {
    const { task, maxFrameBytes } = this.#options;
    const encoder = new IpcBatchEncoder(task.plan.schema, { maxBytes: maxFrameBytes });
    const scratch = new Arena(task.memory);
    const allocate = (bytes: number): number => this.#allocate(bytes);
    let frames = 0;
    try {
      while (await this.#admitted(offset, partition)) {
        const batch = await partition.next();
        if (batch === null) break;
        let open = true;
        for (const piece of encoder.encode(batch, scratch, allocate)) {
          let written = false;
          try {
            open = await this.#admitted(offset, partition);
            if (open) {
              await this.#send(offset, frames, piece);
              written = true;
            }
          } finally {
            if (!written) this.#release(piece.address);
          }
          if (!open) break;
          frames++;
        }
        scratch.reset();
        if (!open) break;
      }
      if (partition.state === 'finished') await this.#sendEnd(offset, frames, partition.rows);
      // Ended here and not by the consumer: a connection that just ended would look to it like a lost worker.
      else if (!this.#closedByConsumer.has(offset)) throw new DistqError('cancelled', 'the task was stopped');
      this.#open--;
      if (this.#open === 0) this.#end();
    } catch (error) {
      this.#fail(asDistqError(error));
    } finally {
      scratch.free();
    }
  }

  /** Waits until a frame of the partition may go; false when it was closed. */
  async #admitted(offset: number, partition: TaskPartition): Promise<boolean> {
    const window = this.#windows[offset];
    while (window !== undefined && !window.open && partition.state !== 'closed' && !this.#over) {
      await this.#options.scope.wait(window.wait());
    }
    return partition.state !== 'closed' && !this.#over;
  }

  async #send(offset: number, sequence: number, piece: IpcPiece): Promise<void> {
    const { connection, request, partitions } = this.#options;
    const header: FrameHeader = {
      kind: 'batch',
      partition: offset,
      payloadBytes: piece.bytes,
      count: piece.rows,
      batches: sequence,
      stampNs: Number(nowNs()),
    };
    const start = piece.address - FRAME_HEADER_BYTES;
    writeFrameHeader(header, heapView, start);
    const fault = this.#options.faults.at('frame', request.role);
    if (fault !== null) await this.#inject(fault, heap.u8.subarray(start, piece.address + piece.bytes));
    this.#windows[offset]?.take(piece.bytes);
    this.#sent[offset] = sequence + 1;
    const partition = partitions[offset];
    if (partition !== undefined) partition.wanted = false;
    connection.write(heap.u8.subarray(start, piece.address + piece.bytes), () => {
      this.#release(piece.address);
    });
  }

  async #sendEnd(offset: number, frames: number, rows: number): Promise<void> {
    // The marker makes what the partition sent a complete Arrow stream.
    const frame = smallFrame('eos', { partition: offset, count: rows, batches: frames, payload: END_OF_STREAM });
    const fault = this.#options.faults.at('eos');
    if (fault !== null) await this.#inject(fault, frame);
    this.#options.connection.write(frame, () => undefined);
  }

  async #inject(fault: FaultAction, frame: Uint8Array): Promise<void> {
    const { connection, kill, scope } = this.#options;
    switch (fault) {
      case 'throw':
        throw this.#options.task.fail(injectedError('a frame'));
      case 'kill':
        kill?.();
        break;
      case 'close':
        connection.destroy();
        break;
      case 'truncate':
        connection.write(frame.slice(0, frame.length / 2), () => undefined);
        connection.end();
        break;
      case 'stall':
        break;
    }
    await scope.wait(new Promise<never>(() => undefined));
  }

  /** The connection owns a frame's bytes until the system has them: writing does not copy (engine rule 1.8). */
  #allocate(bytes: number): number {
    const block = heap.allocateBlock(bytes + FRAME_HEADER_BYTES);
    try {
      this.#options.task.memory.grow(heap.blockBytes(block));
    } catch (error) {
      heap.releaseBlock(block);
      throw error;
    }
    return block + FRAME_HEADER_BYTES;
  }

  #release(address: number): void {
    const block = address - FRAME_HEADER_BYTES;
    this.#options.task.memory.shrink(heap.blockBytes(block));
    heap.releaseBlock(block);
  }

  /** One failed partition ends the request: its consumer hears why. */
  #fail(error: DistqError): void {
    if (this.#over) return;
    this.abandon();
    this.#options.connection.write(smallFrame('error', { payload: encodeValue(encodeError(error)) }), () => undefined);
    this.#options.connection.end();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.connection.end();
  }
}

/** What one partition has on the way to its consumer, in bytes. */
class Window {
  readonly #limitBytes: number;
  #outstanding = 0;
  #waiter: Deferred<undefined> | null = null;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** One frame is always admitted, so that a frame larger than the window is no deadlock. */
  get open(): boolean {
    return this.#outstanding === 0 || this.#outstanding < this.#limitBytes;
  }

  take(bytes: number): void {
    this.#outstanding += bytes;
  }

  give(bytes: number): void {
    this.#outstanding = Math.max(0, this.#outstanding - bytes);
    if (this.open) this.wake();
  }

  wake(): void {
    this.#waiter?.resolve(undefined);
    this.#waiter = null;
  }

  wait(): Promise<undefined> {
    this.#waiter ??= deferred();
    return this.#waiter.promise;
  }
}
