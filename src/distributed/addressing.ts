/**
 * Which partitions of which producer tasks a consumer task reads. All numbers are per network boundary: C consumer tasks, T producer
 * tasks, P partitions of the boundary in one consumer task.
 * Source: distributed runtime reference, 1.8.
 */
import type { DistributedTaskContext } from '../physical/task-context.js';

/** Consecutive partitions of one producer task: what one connection carries. */
export interface ProducerRange {
  readonly producerTask: number;
  readonly firstPartition: number;
  readonly partitionCount: number;
}

/**
 * Shuffle and broadcast: consumer c reads the partitions [P·c, P·c + P) of every producer task, and its partition p is the merge of
 * partition P·c + p over all of them.
 */
export function fanInRanges(
  partitionCount: number,
  producerTasks: number,
  consumer: DistributedTaskContext,
): ProducerRange[] {
  const firstPartition = partitionCount * consumer.taskIndex;
  return Array.from({ length: producerTasks }, (_, producerTask) => ({ producerTask, firstPartition, partitionCount }));
}

/** Coalesce: how many producer tasks the largest consumer group holds. */
export function coalesceGroupSize(producerTasks: number, consumerTasks: number): number {
  return Math.max(1, Math.ceil(producerTasks / consumerTasks));
}

/** Coalesce: the contiguous producer tasks that a consumer reads; the first `T mod C` consumers get one more than the others. */
export function coalesceGroup(
  producerTasks: number,
  consumer: DistributedTaskContext,
): { start: number; length: number } {
  const base = Math.floor(producerTasks / consumer.taskCount);
  const extra = producerTasks % consumer.taskCount;
  return {
    start: consumer.taskIndex * base + Math.min(consumer.taskIndex, extra),
    length: base + (consumer.taskIndex < extra ? 1 : 0),
  };
}

/**
 * Coalesce: the one producer partition behind a consumer's partition, or undefined where the consumer's group is shorter than the
 * largest and the slot stays empty. `producerPartitions` is the partition count of one producer task.
 */
export function coalesceSource(
  partition: number,
  producerPartitions: number,
  producerTasks: number,
  consumer: DistributedTaskContext,
): { producerTask: number; partition: number } | undefined {
  const group = coalesceGroup(producerTasks, consumer);
  const member = Math.floor(partition / producerPartitions);
  if (member >= group.length) return undefined;
  return { producerTask: group.start + member, partition: partition % producerPartitions };
}

export function coalesceRanges(
  producerPartitions: number,
  producerTasks: number,
  consumer: DistributedTaskContext,
): ProducerRange[] {
  const { start, length } = coalesceGroup(producerTasks, consumer);
  return Array.from({ length }, (_, member) => ({
    producerTask: start + member,
    firstPartition: 0,
    partitionCount: producerPartitions,
  }));
}
