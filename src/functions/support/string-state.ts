import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput } from '../../expr/function.js';

/** Pieces in which string bytes are adopted, below the arena's limit for one allocation. */
const ADOPT_BYTES = 32 * 1024 * 1024;

/** Copies the strings that a kernel left pending into the aggregate's arena; the batch they lie in goes. */
export function adoptPending(pending: number, marked: number, input: AccumulatorInput): void {
  // One allocation for all of them, or one each when together they would be too large for a block.
  const bytes = kernels.pendingBytes(pending, marked);
  if (bytes <= ADOPT_BYTES) {
    kernels.adoptStrings(pending, marked, input.arena.allocBytes(bytes));
    return;
  }
  for (let i = 0; i < marked; i++) {
    const entry = pending + i * 8;
    kernels.adoptStrings(entry, 1, input.arena.allocBytes(kernels.pendingBytes(entry, 1)));
  }
}
