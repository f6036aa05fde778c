/** Distributed plans over RowsExec, put together by hand. */
import { stageId } from '../../src/base/ids.js';
import type { NetworkBoundary } from '../../src/distributed/network-boundary.js';
import { DistributedExec } from '../../src/distributed/operators/distributed-exec.js';
import { NetworkCoalesceExec } from '../../src/distributed/operators/network-coalesce-exec.js';
import { NetworkShuffleExec } from '../../src/distributed/operators/network-shuffle-exec.js';
import { localStage } from '../../src/distributed/stage.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../src/physical/operators/coalesce-partitions-exec.js';
import { hashed, hashJoin } from './plan-builders.js';
import { RowsExec, rowOf, type RowsOptions } from './rows-exec.js';

/** The boundary over a stage with a number, as planning gives it. */
export function numbered(boundary: NetworkBoundary, stage: number): ExecutionPlan {
  return boundary.withInputStage({ ...boundary.inputStage, id: stageId(stage) });
}

/** Stage 1: tasks that make rows. Head: all of them. */
export function gathered(tasks: number, options: Partial<RowsOptions> = {}): ExecutionPlan {
  const boundary = NetworkCoalesceExec.over(new RowsExec(options), tasks, 1);
  return new DistributedExec(new CoalescePartitionsExec(numbered(boundary, 1)));
}

/** Stage 1: tasks that make rows. Stage 2: half as many tasks that pass them on. Head: all of them. */
export function relayed(tasks: number, options: Partial<RowsOptions> = {}): ExecutionPlan {
  const relays = Math.ceil(tasks / 2);
  const inner = NetworkCoalesceExec.over(new RowsExec(options), tasks, relays);
  const relay = new CoalescePartitionsExec(numbered(inner, 1));
  const outer = NetworkCoalesceExec.over(relay, relays, 1);
  return new DistributedExec(new CoalescePartitionsExec(numbered(outer, 2)));
}

/** A shuffle by one column: P partitions in each of so many consumer tasks, the producer's head widened to fit. */
export function shuffled(
  input: ExecutionPlan,
  stage: number,
  { key, producers, consumers, partitions }: { key: string; producers: number; consumers: number; partitions: number },
): ExecutionPlan {
  const boundary = NetworkShuffleExec.over(hashed(input, [key], partitions), producers);
  const { inputStage } = boundary;
  if (inputStage.state !== 'local') throw new Error('a new boundary has a local stage');
  const local = localStage(inputStage.plan, producers, stageId(stage));
  return boundary.withInputStage(boundary.withProducerHead(local, consumers));
}

/**
 * Stages 1 and 2: tasks that make rows, shuffled by number. Stage 3: joins each row of the one with those of the same number of the
 * other. Head: all of them.
 */
export function joined(tasks: number, options: Partial<RowsOptions> = {}): ExecutionPlan {
  const exchange = { key: 'number', producers: tasks, consumers: tasks, partitions: 2 };
  const build = shuffled(new RowsExec(options), 1, exchange);
  const probe = shuffled(new RowsExec(options), 2, exchange);
  const join = hashJoin(build, probe, [['number', 'number']], 'Inner', { mode: 'Partitioned' });
  const boundary = NetworkCoalesceExec.over(join, tasks, 1);
  return new DistributedExec(new CoalescePartitionsExec(numbered(boundary, 3)));
}

/** How many rows `joined` has: each number is in every partition of every task, on both sides. */
export function joinedRowCount(tasks: number, { partitions, batches, rowsPerBatch }: RowsOptions): number {
  return (tasks * partitions) ** 2 * batches * rowsPerBatch;
}

/** The rows of all tasks, as texts in order. */
export function expectedRows(tasks: number, { partitions, batches, rowsPerBatch, textBytes }: RowsOptions): string[] {
  const rows: string[] = [];
  for (let task = 0; task < tasks; task++) {
    for (let partition = 0; partition < partitions; partition++) {
      for (let number = 0; number < batches * rowsPerBatch; number++) {
        rows.push(rowOf(task, partition, number, textBytes).map(String).join('|'));
      }
    }
  }
  return rows.sort();
}
