/**
 * `Partial`: raw rows → states. `PartialReduce`: states → states. `Final`, `FinalPartitioned`: states → results, over one partition or
 * over partitions hashed by the keys. `Single`, `SinglePartitioned`: raw rows → results, likewise.
 */
export type AggregateMode = 'Partial' | 'PartialReduce' | 'Final' | 'FinalPartitioned' | 'Single' | 'SinglePartitioned';

/** Whether the mode reads raw rows, as opposed to states. */
export function isFirstStage(mode: AggregateMode): boolean {
  return mode === 'Partial' || mode === 'Single' || mode === 'SinglePartitioned';
}

/** Whether the mode puts out states, as opposed to results. */
export function emitsStates(mode: AggregateMode): boolean {
  return mode === 'Partial' || mode === 'PartialReduce';
}
