/**
 * Reads the kernel module instruction by instruction and rejects what the engine's one memory cannot bear: an import that the
 * loader does not give, a memory of its own or one that could not link, a start function, memory.grow, data outside
 * [1024, 65536), no names for stack traces. An opcode it does not know is an error, never a guess.
 *
 * Alone: `node .config/check-wasm.mjs <file.wasm>`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DATA_START_BYTES = 1024;
const DATA_END_BYTES = 65_536;
const MAXIMUM_PAGES = 65_535;

/** Host functions that the kernel loader provides: V8's own Math, so that kernels and the interpreter agree bit for bit. */
const ALLOWED_FUNCTIONS = new Set(
  [
    ...['acos', 'acosh', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'cbrt', 'cos', 'cosh', 'exp', 'expm1', 'log'],
    ...['log10', 'log1p', 'log2', 'pow', 'sin', 'sinh', 'tan', 'tanh'],
  ].map((name) => `env.Math.${name}`),
);

/** Throws an Error with one sentence when the module breaks a rule. */
export function checkKernels(bytes) {
  const reader = new Reader(bytes);
  if (reader.u32le() !== 0x6d736100 || reader.u32le() !== 1) throw new Error('kernels: not a WebAssembly 1 module');
  let hasMemory = false;
  let hasNames = false;
  while (!reader.done) {
    const id = reader.u8();
    const size = reader.leb();
    const end = reader.at + size;
    const section = reader.until(end);
    if (id === 0) hasNames ||= section.name() === 'name';
    else if (id === 2) hasMemory = checkImports(section);
    else if (id === 5) throw new Error('kernels: the module has a memory of its own, it must import env.memory');
    else if (id === 8)
      throw new Error('kernels: the module has a start function (a `new` or an array literal outside a function?)');
    else if (id === 10) checkCode(section);
    else if (id === 11) checkData(section);
    else if (![1, 3, 4, 6, 7, 9, 12].includes(id)) throw new Error(`kernels: unknown section ${id}`);
    reader.at = end;
  }
  if (!hasMemory) throw new Error('kernels: the module does not import env.memory');
  if (!hasNames) throw new Error('kernels: the name section is missing (--debug)');
}

function checkImports(section) {
  let hasMemory = false;
  for (let count = section.leb(); count > 0; count--) {
    const name = `${section.name()}.${section.name()}`;
    const kind = section.u8();
    if (kind === 0) {
      section.leb();
      if (!ALLOWED_FUNCTIONS.has(name)) throw new Error(`kernels: import ${name} is not on the list`);
    } else if (kind === 2) {
      if (name !== 'env.memory') throw new Error(`kernels: memory import ${name}, expected env.memory`);
      const flags = section.u8();
      const minimum = section.leb();
      const maximum = (flags & 1) === 1 ? section.leb() : Number.NaN;
      if ((flags & ~3) !== 0 || minimum > 1 || maximum !== MAXIMUM_PAGES) {
        throw new Error(`kernels: memory limits ${minimum}..${maximum} (flags ${flags}), expected 1..${MAXIMUM_PAGES}`);
      }
      hasMemory = true;
    } else {
      throw new Error(`kernels: import ${name} of kind ${kind}`);
    }
  }
  return hasMemory;
}

function checkData(section) {
  for (let count = section.leb(), index = 0; index < count; index++) {
    const flags = section.leb();
    if (flags !== 0)
      throw new Error(`kernels: data segment ${index} is passive or for another memory (flags ${flags})`);
    if (section.u8() !== 0x41) throw new Error(`kernels: data segment ${index} has no constant offset`);
    const start = section.leb();
    if (section.u8() !== 0x0b) throw new Error(`kernels: data segment ${index} has no plain constant offset`);
    const size = section.leb();
    if (start < DATA_START_BYTES || start + size > DATA_END_BYTES) {
      throw new Error(
        `kernels: data [${start}, ${start + size}) lies outside [${DATA_START_BYTES}, ${DATA_END_BYTES})`,
      );
    }
    section.at += size;
  }
}

function checkCode(section) {
  for (let count = section.leb(), index = 0; index < count; index++) {
    const size = section.leb();
    const end = section.at + size;
    const body = section.until(end);
    for (let locals = body.leb(); locals > 0; locals--) {
      body.leb();
      body.u8();
    }
    while (!body.done) skipInstruction(body, index);
    section.at = end;
  }
}

/** Moves past one instruction; what its immediates are is the WebAssembly 2 table, in opcode order. */
function skipInstruction(body, functionIndex) {
  const opcode = body.u8();
  if (opcode === 0x00 || opcode === 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f) return;
  if (opcode >= 0x02 && opcode <= 0x04) return body.leb(); // a block type is a signed LEB, as long as an unsigned one
  if (opcode === 0x0c || opcode === 0x0d) return body.leb();
  if (opcode === 0x0e) return body.lebs(body.leb() + 1);
  if (opcode === 0x10 || opcode === 0x12) return body.leb();
  if (opcode === 0x11 || opcode === 0x13) return body.lebs(2);
  if (opcode === 0x1a || opcode === 0x1b) return;
  if (opcode === 0x1c) return body.lebs(body.leb());
  if (opcode >= 0x20 && opcode <= 0x26) return body.leb();
  if (opcode >= 0x28 && opcode <= 0x3e) return body.memoryArgument();
  if (opcode === 0x3f) return body.leb();
  if (opcode === 0x40) throw new Error(`kernels: function ${functionIndex} uses memory.grow`);
  if (opcode === 0x41 || opcode === 0x42) return body.leb();
  if (opcode === 0x43) return body.skip(4);
  if (opcode === 0x44) return body.skip(8);
  if (opcode >= 0x45 && opcode <= 0xc4) return;
  if (opcode === 0xd0 || opcode === 0xd2) return body.leb();
  if (opcode === 0xd1) return;
  if (opcode === 0xfc) return skipMiscellaneous(body, functionIndex);
  if (opcode === 0xfd) return skipVector(body, functionIndex);
  throw new Error(`kernels: function ${functionIndex} has the unknown opcode 0x${opcode.toString(16)}`);
}

function skipMiscellaneous(body, functionIndex) {
  const opcode = body.leb();
  if (opcode <= 7) return;
  if (opcode === 8 || opcode === 10 || opcode === 12 || opcode === 14) return body.lebs(2);
  if (opcode <= 17) return body.leb();
  throw new Error(`kernels: function ${functionIndex} has the unknown opcode 0xfc ${opcode}`);
}

function skipVector(body, functionIndex) {
  const opcode = body.leb();
  if (opcode <= 11 || opcode === 92 || opcode === 93) return body.memoryArgument();
  if (opcode === 12 || opcode === 13) return body.skip(16);
  if (opcode >= 21 && opcode <= 34) return body.skip(1);
  if (opcode >= 84 && opcode <= 91) {
    body.memoryArgument();
    return body.skip(1);
  }
  if (opcode <= 0xff) return;
  throw new Error(`kernels: function ${functionIndex} has the unknown opcode 0xfd ${opcode}`);
}

class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get done() {
    return this.at >= this.end;
  }

  until(end) {
    if (end > this.end) throw new Error('kernels: a part reaches past its end');
    return new Reader(this.bytes, this.at, end);
  }

  skip(count) {
    if (this.at + count > this.end) throw new Error('kernels: the module is truncated');
    this.at += count;
  }

  u8() {
    this.skip(1);
    return this.bytes[this.at - 1];
  }

  u32le() {
    this.skip(4);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at - 4, 4).getUint32(0, true);
  }

  /** An unsigned LEB128; of 64-bit and signed constants only the length is right, which is all that is asked of them. */
  leb() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      if (shift > 63) throw new Error('kernels: a number has no end');
    }
  }

  lebs(count) {
    for (let left = count; left > 0; left--) this.leb();
  }

  /** Alignment, then the memory's index when bit 6 says so, then the offset. */
  memoryArgument() {
    this.lebs((this.leb() & 0x40) === 0 ? 1 : 2);
  }

  name() {
    const size = this.leb();
    this.skip(size);
    return new TextDecoder().decode(this.bytes.subarray(this.at - size, this.at));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    checkKernels(readFileSync(process.argv[2] ?? 'dist/assets/kernels.wasm'));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
