import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { assetUrl } from '../../../src/base/assets.js';

/** The kernel module links to any memory whose maximum is 65,535 pages. */
function instantiate(): { memory: WebAssembly.Memory; countSetBits: (address: number, bitCount: number) => number } {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65_535 });
  const module = new WebAssembly.Module(readFileSync(assetUrl('kernels.wasm')));
  const math = Object.fromEntries(
    WebAssembly.Module.imports(module)
      .filter((entry) => entry.kind === 'function')
      .map((entry) => [entry.name, () => 0]),
  );
  const { exports } = new WebAssembly.Instance(module, { env: { memory, ...math } });
  const { countSetBits } = exports;
  assert.equal(typeof countSetBits, 'function');
  return { memory, countSetBits: countSetBits as (address: number, bitCount: number) => number };
}

test('countSetBits equals a loop over the bits, at every alignment and length', () => {
  const { memory, countSetBits } = instantiate();
  const bytes = new Uint8Array(memory.buffer);
  const anyBitmap = fc.record({
    data: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    shift: fc.nat(15),
    short: fc.nat(15),
  });
  fc.assert(
    fc.property(anyBitmap, ({ data, shift, short }) => {
      const address = 65_536 + shift;
      bytes.fill(0xff, 65_536, 65_536 + 512); // bits outside the range must not count
      bytes.set(data, address);
      const bitCount = Math.max(data.length * 8 - short, 0);
      let expected = 0;
      for (let bit = 0; bit < bitCount; bit++) expected += ((data[bit >> 3] ?? 0) >> (bit & 7)) & 1;
      assert.equal(countSetBits(address, bitCount), expected);
    }),
    { numRuns: 1000 },
  );
});
