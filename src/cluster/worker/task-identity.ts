import { HEAD_STAGE, type QueryId, type StageId } from '../../base/ids.js';

export interface TaskIdentity {
  readonly query: QueryId;
  readonly stage: StageId;
  readonly task: number;
  readonly taskCount: number;
  /** Logical worker. */
  readonly worker: number;
}

/** How a worker is called in messages. */
export function workerName(worker: number): string {
  return `worker ${worker}`;
}

/** The head stage: task 0 of 1, in the coordinator, which is worker 0. */
export function headIdentity(query: QueryId): TaskIdentity {
  return { query, stage: HEAD_STAGE, task: 0, taskCount: 1, worker: 0 };
}
