const SLICE_MS = 8;

let sliceStartMs = performance.now();
let turn: Promise<void> | undefined;
let hook: (() => void) | undefined;

/**
 * Gives the event loop its turn (engine rule 3.1): a promise to await when this process has computed for 8 ms without one, else
 * undefined. Everybody who asks in the meantime waits for the same turn.
 */
export function pace(): Promise<void> | undefined {
  if (turn !== undefined) return turn;
  if (performance.now() - sliceStartMs < SLICE_MS) return undefined;
  hook?.();
  turn = new Promise((resolve) => {
    setImmediate(() => {
      sliceStartMs = performance.now();
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/** Called at each turn: how a worker notices that its parent is gone while it computes. */
export function onTurn(callback: () => void): void {
  hook = callback;
}
