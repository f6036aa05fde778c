/** Value types of WebAssembly, as their binary codes. */
export type WasmType = 'i32' | 'i64' | 'f32' | 'f64';

const TYPE_CODES: Readonly<Record<WasmType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c };

/** Instructions without immediates, by the names of the specification. */
const OPCODES = {
  'i32.eqz': 0x45,
  'i32.eq': 0x46,
  'i32.ne': 0x47,
  'i32.lt_s': 0x48,
  'i32.lt_u': 0x49,
  'i32.gt_s': 0x4a,
  'i32.gt_u': 0x4b,
  'i32.le_s': 0x4c,
  'i32.le_u': 0x4d,
  'i32.ge_s': 0x4e,
  'i32.ge_u': 0x4f,
  'i64.eqz': 0x50,
  'i64.eq': 0x51,
  'i64.ne': 0x52,
  'i64.lt_s': 0x53,
  'i64.lt_u': 0x54,
  'i64.gt_s': 0x55,
  'i64.gt_u': 0x56,
  'i64.le_s': 0x57,
  'i64.le_u': 0x58,
  'i64.ge_s': 0x59,
  'i64.ge_u': 0x5a,
  'f32.eq': 0x5b,
  'f32.ne': 0x5c,
  'f32.lt': 0x5d,
  'f32.gt': 0x5e,
  'f32.le': 0x5f,
  'f32.ge': 0x60,
  'f64.eq': 0x61,
  'f64.ne': 0x62,
  'f64.lt': 0x63,
  'f64.gt': 0x64,
  'f64.le': 0x65,
  'f64.ge': 0x66,
  'i32.add': 0x6a,
  'i32.sub': 0x6b,
  'i32.mul': 0x6c,
  'i32.and': 0x71,
  'i32.or': 0x72,
  'i32.xor': 0x73,
  'i32.shl': 0x74,
  'i32.shr_s': 0x75,
  'i32.shr_u': 0x76,
  'i64.clz': 0x79,
  'i64.add': 0x7c,
  'i64.sub': 0x7d,
  'i64.mul': 0x7e,
  'i64.div_s': 0x7f,
  'i64.rem_s': 0x81,
  'i64.and': 0x83,
  'i64.or': 0x84,
  'i64.xor': 0x85,
  'i64.shl': 0x86,
  'i64.shr_s': 0x87,
  'i64.shr_u': 0x88,
  'f32.abs': 0x8b,
  'f32.neg': 0x8c,
  'f32.add': 0x92,
  'f32.sub': 0x93,
  'f32.mul': 0x94,
  'f32.div': 0x95,
  'f64.abs': 0x99,
  'f64.neg': 0x9a,
  'f64.ceil': 0x9b,
  'f64.floor': 0x9c,
  'f64.trunc': 0x9d,
  'f64.sqrt': 0x9f,
  'f64.add': 0xa0,
  'f64.sub': 0xa1,
  'f64.mul': 0xa2,
  'f64.div': 0xa3,
  'f64.copysign': 0xa6,
  'i32.wrap_i64': 0xa7,
  'i64.extend_i32_s': 0xac,
  'i64.extend_i32_u': 0xad,
  'f32.demote_f64': 0xb6,
  'f64.convert_i64_s': 0xb9,
  'f64.convert_i64_u': 0xba,
  'f64.promote_f32': 0xbb,
  select: 0x1b,
  drop: 0x1a,
} as const;

export type Op = keyof typeof OPCODES;

/** Loads: type on the stack, opcode and log2 of the width. */
const LOADS = {
  i8: ['i32', 0x2c, 0],
  u8: ['i32', 0x2d, 0],
  i16: ['i32', 0x2e, 1],
  u16: ['i32', 0x2f, 1],
  i32: ['i32', 0x28, 2],
  i64: ['i64', 0x29, 3],
  f32: ['f32', 0x2a, 2],
  f64: ['f64', 0x2b, 3],
} as const;

export type MemoryType = keyof typeof LOADS;

const STORES: Readonly<Record<MemoryType, readonly [number, number]>> = {
  i8: [0x3a, 0],
  u8: [0x3a, 0],
  i16: [0x3b, 1],
  u16: [0x3b, 1],
  i32: [0x36, 2],
  i64: [0x37, 3],
  f32: [0x38, 2],
  f64: [0x39, 3],
};

/** A function's body under construction: locals and instructions, in order. */
export class WasmCode {
  readonly #prologue: number[] = [];
  readonly #body: number[] = [];
  readonly #locals: WasmType[] = [];
  readonly #parameters: number;
  /** Where instructions go now. */
  #target: number[] = this.#body;

  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  /** A fresh local; starts as zero when the function is entered. */
  local(type: WasmType): number {
    this.#locals.push(type);
    return this.#parameters + this.#locals.length - 1;
  }

  /** Puts what `emit` emits before everything else, after earlier prologues: values that do not change from row to row. */
  prologue(emit: () => void): void {
    const target = this.#target;
    this.#target = this.#prologue;
    emit();
    this.#target = target;
  }

  get(local: number): this {
    return this.#emit(0x20, ...leb(local));
  }

  set(local: number): this {
    return this.#emit(0x21, ...leb(local));
  }

  tee(local: number): this {
    return this.#emit(0x22, ...leb(local));
  }

  i32(value: number): this {
    return this.#emit(0x41, ...signedLeb(BigInt(value | 0)));
  }

  i64(value: bigint): this {
    return this.#emit(0x42, ...signedLeb(BigInt.asIntN(64, value)));
  }

  f32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return this.#emit(0x43, ...bytes);
  }

  f64(value: number): this {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return this.#emit(0x44, ...bytes);
  }

  op(...ops: readonly Op[]): this {
    for (const op of ops) this.#target.push(OPCODES[op]);
    return this;
  }

  /** Float → i64 towards zero, clamped; never traps. */
  truncSat(from: 'f32' | 'f64'): this {
    return this.#emit(0xfc, from === 'f32' ? 4 : 6);
  }

  /** Loads from the address on the stack plus `offset`; alignment is a hint only. */
  load(type: MemoryType, offset = 0): this {
    const [, opcode, align] = LOADS[type];
    return this.#emit(opcode, align, ...leb(offset));
  }

  store(type: MemoryType, offset = 0): this {
    const [opcode, align] = STORES[type];
    return this.#emit(opcode, align, ...leb(offset));
  }

  call(functionIndex: number): this {
    return this.#emit(0x10, ...leb(functionIndex));
  }

  block(body: () => void): this {
    this.#emit(0x02, 0x40);
    body();
    return this.#emit(0x0b);
  }

  /** A loop whose body runs while it branches to label 0. */
  loop(body: () => void): this {
    this.#emit(0x03, 0x40);
    body();
    return this.#emit(0x0b);
  }

  /** Takes the condition from the stack. */
  if(then: () => void, otherwise?: () => void): this {
    this.#emit(0x04, 0x40);
    then();
    if (otherwise !== undefined) {
      this.#emit(0x05);
      otherwise();
    }
    return this.#emit(0x0b);
  }

  branchIf(label: number): this {
    return this.#emit(0x0d, ...leb(label));
  }

  /** The body with its locals, as the code section holds it. */
  finish(): number[] {
    const runs: [number, WasmType][] = [];
    for (const type of this.#locals) {
      const last = runs.at(-1);
      if (last?.[1] === type) last[0]++;
      else runs.push([1, type]);
    }
    const locals = vector(runs.map(([count, type]) => [...leb(count), TYPE_CODES[type]]));
    const bytes = locals;
    for (const byte of this.#prologue) bytes.push(byte);
    for (const byte of this.#body) bytes.push(byte);
    bytes.push(0x0b);
    return bytes;
  }

  #emit(...bytes: number[]): this {
    for (const byte of bytes) this.#target.push(byte);
    return this;
  }
}

export interface WasmSignature {
  readonly parameters: readonly WasmType[];
  readonly result: WasmType | null;
}

export interface WasmImport {
  readonly module: string;
  readonly name: string;
  readonly signature: WasmSignature;
}

/**
 * A module of one exported function `run` that imports `env.memory` (maximum 65,535 pages, as the process's memory has) and the given
 * functions, which have the first function indexes.
 */
export function wasmModule(
  imports: readonly WasmImport[],
  signature: WasmSignature,
  body: readonly number[],
): Uint8Array<ArrayBuffer> {
  const types = [...imports.map((entry) => entry.signature), signature].map(({ parameters, result }) => [
    0x60,
    ...vector(parameters.map((type) => [TYPE_CODES[type]])),
    ...vector(result === null ? [] : [[TYPE_CODES[result]]]),
  ]);
  const memoryImport = [...text('env'), ...text('memory'), 0x02, 0x01, ...leb(1), ...leb(65_535)];
  const functionImports = imports.map((entry, i) => [...text(entry.module), ...text(entry.name), 0x00, ...leb(i)]);
  const index = imports.length;
  const bytes = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  section(bytes, 1, vector(types));
  section(bytes, 2, vector([memoryImport, ...functionImports]));
  section(bytes, 3, vector([leb(index)]));
  section(bytes, 7, vector([[...text('run'), 0x00, ...leb(index)]]));
  section(bytes, 10, [...leb(1), ...leb(body.length), ...body]);
  return Uint8Array.from(bytes);
}

function section(to: number[], id: number, content: readonly number[]): void {
  to.push(id, ...leb(content.length));
  for (const byte of content) to.push(byte);
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()];
}

function text(value: string): number[] {
  const bytes = [...Buffer.from(value, 'utf8')];
  return [...leb(bytes.length), ...bytes];
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signedLeb(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
      bytes.push(low);
      return bytes;
    }
    bytes.push(low | 0x80);
  }
}
