import { type FileGroup, pieceBytes, type PartitionedFile } from './file-scan.js';

/**
 * The file ranges of one leaf in one task, handed out at run time. Each partition takes its own pieces first, in order; with
 * stealing on, an idle partition then takes the last piece of the partition that has most bytes left. Never crosses tasks: a task's
 * variant holds only its own files.
 *
 * One object per (task, leaf node), shared by the partitions' streams; each piece is handed out exactly once.
 */
export class FileRangeQueue {
  readonly #queues: PartitionedFile[][];
  readonly #remaining: number[];
  readonly #stealing: boolean;
  #stolen = 0;

  constructor(groups: readonly FileGroup[], { stealing }: { stealing: boolean }) {
    this.#queues = groups.map((group) => [...group]);
    this.#remaining = groups.map((group) => group.reduce((sum, file) => sum + pieceBytes(file), 0));
    this.#stealing = stealing;
  }

  /** Pieces that were taken by another partition than their own. */
  get stolenCount(): number {
    return this.#stolen;
  }

  /** The next piece for a partition, or undefined when there is none left for it. */
  next(partition: number): PartitionedFile | undefined {
    const own = this.#queues[partition]?.shift();
    if (own !== undefined) {
      this.#take(partition, own);
      return own;
    }
    if (!this.#stealing) return undefined;
    let victim = -1;
    for (let i = 0; i < this.#queues.length; i++) {
      if (this.#queues[i]!.length === 0) continue;
      if (victim < 0 || this.#remaining[i]! > this.#remaining[victim]!) victim = i;
    }
    if (victim < 0) return undefined;
    const taken = this.#queues[victim]!.pop()!;
    this.#take(victim, taken);
    this.#stolen++;
    return taken;
  }

  #take(partition: number, piece: PartitionedFile): void {
    this.#remaining[partition] = this.#remaining[partition]! - pieceBytes(piece);
  }
}
