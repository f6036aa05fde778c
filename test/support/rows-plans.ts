/** Distributed plans over RowsExec, put together by hand. */
import { stageId } from '../../src/base/ids.js';
import type { NetworkBoundary } from '../../src/distributed/network-boundary.js';
import { DistributedExec } from '../../src/distributed/operators/distributed-exec.js';
import { NetworkCoalesceExec } from '../../src/distributed/operators/network-coalesce-exec.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../src/physical/operators/coalesce-partitions-exec.js';
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
