declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

export type QueryId = Branded<string, 'QueryId'>;
/** Number of a stage, from 1; 0 is the head stage. */
export type StageId = Branded<number, 'StageId'>;
/** 0-based index of a task in its stage. */
export type TaskNumber = Branded<number, 'TaskNumber'>;

export interface TaskKey {
  readonly queryId: QueryId;
  readonly stageId: StageId;
  readonly taskNumber: TaskNumber;
}

export function queryId(text: string): QueryId {
  return text as QueryId;
}

export function stageId(value: number): StageId {
  return value as StageId;
}

export function taskNumber(value: number): TaskNumber {
  return value as TaskNumber;
}

export const HEAD_STAGE: StageId = stageId(0);
