import type { Value } from './value.js';
import type { WasmCode } from './wasm-code.js';

/** Results of at most 2^62 are surely inside 63 bits and a sign. */
const MAX_BITS = 62n;

/** How wide values are, in bits: known, gathered while the loop runs, or following from the operands of a sum or product. */
type Width =
  | { readonly kind: 'constant'; readonly bits: number }
  | { readonly kind: 'gathered'; readonly local: number }
  | { readonly kind: 'sum' | 'product'; readonly a: Width; readonly b: Width };

/** Least bits with |x| ≤ 2^bits. */
function constantWidth(value: bigint): Width {
  const magnitude = value < 0n ? -value : value;
  return { kind: 'constant', bits: magnitude <= 1n ? 0 : (magnitude - 1n).toString(2).length };
}

/**
 * What emitted code notes when a row fails or an integer leaves its 64 bits. Nothing traps: after the loop the code says whether anything
 * was noted, and the batch is run again where it is done exactly.
 */
export class OverflowChecks {
  /** Check every sum by itself instead of bounding it by the widths of its inputs. */
  readonly precise: boolean;
  readonly #code: WasmCode;
  /** Bit 63 is set once an addition overflowed. */
  readonly #sticky: number;
  /** Not 0 once something failed. */
  readonly #failed: number;
  /** Per value local: the i64 local that gathers the bits of its magnitudes. */
  readonly #magnitudes = new Map<number, number>();
  readonly #gathered: Set<number>[] = [new Set<number>()];
  /** Per value local: how wide its values can be. */
  readonly #widths = new Map<number, Width>();
  /** Widths that must stay within MAX_BITS. */
  readonly #bounded: Width[] = [];

  constructor(code: WasmCode, precise: boolean) {
    this.#code = code;
    this.precise = precise;
    this.#sticky = code.local('i64');
    this.#failed = code.local('i32');
  }

  /** What is gathered in `body` happens only where its condition holds, so that it says nothing outside. */
  scoped(body: () => void): void {
    this.#gathered.push(new Set());
    body();
    this.#gathered.pop();
  }

  /** Says that the values of this local are the constant. */
  setConstant(local: number, value: bigint): void {
    this.#widths.set(local, constantWidth(value));
  }

  /** Notes an overflow when bit 63 of the i64 that `push` leaves is set, unless the row is null. */
  noteOverflow(nul: number | null, push: () => void): void {
    push();
    if (nul !== null) this.#code.i64(0n).get(nul).op('i32.eqz', 'select');
    this.#code.get(this.#sticky).op('i64.or').set(this.#sticky);
  }

  /** Notes a failure when the i32 that `push` leaves is not 0, unless the row is null. */
  noteFailure(nul: number | null, push: () => void): void {
    push();
    if (nul !== null) this.#code.get(nul).op('i32.eqz', 'i32.and');
    this.#code.get(this.#failed).op('i32.or').set(this.#failed);
  }

  /**
   * Promises that an i64 product is checked. The bits of the inputs' magnitudes are gathered over all rows, which costs little per row;
   * from them follows after the loop how wide sums and products can have been, and what may have passed 63 bits counts as overflown.
   */
  boundProduct(a: Value, b: Value | bigint, result: Value): void {
    this.#bound(result, {
      kind: 'product',
      a: this.#widthOf(a),
      b: typeof b === 'bigint' ? constantWidth(b) : this.#widthOf(b),
    });
  }

  /** Promises that an i64 sum or difference is checked, in the same way. */
  boundSum(a: Value, b: Value, result: Value): void {
    this.#bound(result, { kind: 'sum', a: this.#widthOf(a), b: this.#widthOf(b) });
  }

  /** Says that values of this local have at most so many bits: then they need not be gathered. */
  setWidth(value: Value, bits: number): void {
    this.#widths.set(value.local, { kind: 'constant', bits });
  }

  #bound(result: Value, width: Width): void {
    this.#bounded.push(width);
    // In precise code a result's own bits are gathered where they matter: they are narrower than the bound.
    if (!this.precise) this.#widths.set(result.local, width);
  }

  #widthOf(value: Value): Width {
    const known = this.#widths.get(value.local);
    if (known !== undefined) return known;
    let gathered = this.#magnitudes.get(value.local);
    if (gathered === undefined) {
      gathered = this.#code.local('i64');
      this.#magnitudes.set(value.local, gathered);
    }
    if (!this.#gathered.some((scope) => scope.has(value.local))) {
      this.#gathered.at(-1)!.add(value.local);
      // The bits of x, or of −x − 1 when x is negative.
      this.#code.get(value.local).get(value.local).i64(63n).op('i64.shr_s', 'i64.xor');
      if (value.nul !== null) this.#code.i64(0n).get(value.nul).op('i32.eqz', 'select');
      this.#code.get(gathered).op('i64.or').set(gathered);
    }
    return { kind: 'gathered', local: gathered };
  }

  /** Leaves an i32 that is not 0 when any row overflowed or failed. */
  pushFailed(): void {
    const code = this.#code;
    code.get(this.#failed);
    code.get(this.#sticky).i64(0n).op('i64.lt_s', 'i32.or');
    for (const width of this.#bounded) {
      this.#pushWidth(width);
      code.i64(MAX_BITS).op('i64.gt_s', 'i32.or');
    }
  }

  /** Leaves the bits (i64) that values of this width may take: |x| ≤ 2^bits. */
  #pushWidth(width: Width): void {
    const code = this.#code;
    switch (width.kind) {
      case 'constant':
        code.i64(BigInt(width.bits));
        return;
      case 'gathered':
        code.i64(64n).get(width.local).op('i64.clz', 'i64.sub');
        return;
      case 'product':
        this.#pushWidth(width.a);
        this.#pushWidth(width.b);
        code.op('i64.add');
        return;
      case 'sum': {
        const [a, b] = [code.local('i64'), code.local('i64')];
        this.#pushWidth(width.a);
        code.set(a);
        this.#pushWidth(width.b);
        code.set(b);
        code.get(a).get(b).get(a).get(b).op('i64.gt_s', 'select').i64(1n).op('i64.add');
        return;
      }
    }
  }
}
