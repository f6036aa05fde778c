const SLICE_MS = 8;

let sliceStart = performance.now();
let turn: Promise<void> | undefined;

/**
 * A promise to await when this process has computed for 8 ms without giving the event loop its turn (engine rule 3.1), else undefined.
 * All who ask meanwhile share one turn.
 */
export function pace(): Promise<void> | undefined {
  if (turn !== undefined) return turn;
  if (performance.now() - sliceStart < SLICE_MS) return undefined;
  turn = new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      sliceStart = performance.now();
      resolve();
    });
  });
  return turn;
}
