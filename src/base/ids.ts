declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

export type QueryId = Branded<string, 'QueryId'>;
/** Number of a stage, from 1; 0 is the head stage. */
export type StageId = Branded<number, 'StageId'>;

export function queryId(text: string): QueryId {
  return text as QueryId;
}

export function stageId(value: number): StageId {
  return value as StageId;
}

export const HEAD_STAGE: StageId = stageId(0);
