import type { CancelScope } from '../../base/cancel-scope.js';
import type { RecordBatch } from '../../columnar/record-batch.js';

/**
 * One partition of a producer task as its consumer sees it, wherever the producer runs.
 * Everything above this interface is the same in one process and over sockets (engine rule 9).
 */
export interface ProducerPartition {
  /** True for the first who takes it: a partition is read at most once. */
  take(): boolean;
  /** The next batch, valid until the next call or `close`; null at the end. */
  next(scope: CancelScope): Promise<RecordBatch | null>;
  close(): void;
}

/** What one consumer task reads of one producer task. */
export interface ProducerConnection {
  partition(offset: number): ProducerPartition | undefined;
  /** Whether somebody has been waiting for the consumer task for a while: only then are its pulls wishes (engine rule 2.1). */
  setWishing(wishing: boolean): void;
  /** Nobody waits for the consumer task any more. */
  withdrawWishes(): void;
  /** Closes what is still open. Where nothing was ever pulled the producer is told that nobody will (engine rule 2.7). */
  close(): void;
}
