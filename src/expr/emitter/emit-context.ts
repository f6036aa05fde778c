import { DistqError } from '../../base/errors.js';
import type { Encoding } from '../../columnar/column.js';
import type { Layout } from '../../columnar/layout.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import { physicalExprKey } from '../physical-expr-transform.js';
import type { PhysicalColumn, PhysicalExpr } from '../physical-expr.js';
import { isCheap } from './cheapness.js';
import { OverflowChecks } from './overflow-checks.js';
import { kindOfType, memoryTypeOf, type Value, type ValueKind } from './value.js';
import { WasmCode, type WasmImport, type WasmSignature, type WasmType } from './wasm-code.js';

/** How an input column comes in the batches that a module is made for. */
export interface InputShape {
  readonly layout: Layout;
  readonly encoding: Encoding;
  readonly nulls: boolean;
}

/** What the caller writes into a slot of the parameter block before a call: an address, or for `input` parts of a column. */
export type Slot =
  | { readonly kind: 'values' | 'validity' | 'dictionary'; readonly input: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'table'; readonly table: number }
  | { readonly kind: 'tableNull'; readonly table: number }
  | { readonly kind: 'outValues' | 'outValidity' | 'outNulls'; readonly output: number }
  | { readonly kind: 'outSelection' };

/** What a module is made for, beside its expressions. */
export interface UnitShape {
  readonly inputs: ReadonlyMap<number, InputShape>;
  /** Expressions (by key) that are looked up in a truth table by the code of a dictionary column. */
  readonly tables: ReadonlyMap<string, { readonly table: number; readonly column: number }>;
  /** Rows come by a selection vector. */
  readonly selected: boolean;
  readonly precise: boolean;
}

/** Emits the code of a node whose children it emits through the context. */
export type EmitNode = (context: EmitContext, expr: PhysicalExpr) => Value;

/** Parameters of `run`: parameter block, selection (0 = all rows), number of rows. */
const BLOCK = 0;
export const SELECTION = 1;
export const COUNT = 2;
const PARAMETERS = 3;

/**
 * State while one module is emitted. Values are computed once per row and scope: a value made inside a conditional arm is not used
 * outside it. Overflow is noted, not trapped: the caller then runs the batch again in the interpreter.
 */
export class EmitContext {
  readonly code: WasmCode = new WasmCode(PARAMETERS);
  readonly imports: WasmImport[] = [];
  readonly slots: Slot[] = [];
  /** Physical row. */
  readonly row: number;
  readonly checks: OverflowChecks;
  readonly #inputs: ReadonlyMap<number, InputShape>;
  readonly #tables: ReadonlyMap<string, { readonly table: number; readonly column: number }>;
  readonly #emitNode: EmitNode;
  readonly #slotLocals = new Map<string, number>();
  readonly #scopes: Map<string, Value>[] = [new Map<string, Value>()];

  constructor(shape: UnitShape, emitNode: EmitNode) {
    this.#inputs = shape.inputs;
    this.#tables = shape.tables;
    this.#emitNode = emitNode;
    this.row = this.code.local('i32');
    this.checks = new OverflowChecks(this.code, shape.precise);
  }

  /** The value of an expression at the current row. */
  emit(expr: PhysicalExpr): Value {
    const key = physicalExprKey(expr);
    for (const scope of this.#scopes) {
      const known = scope.get(key);
      if (known !== undefined) return known;
    }
    const table = this.#tables.get(key);
    const value =
      table !== undefined
        ? this.#lookUp(table.table, table.column)
        : expr.kind === 'column'
          ? this.#loadColumn(expr)
          : expr.kind === 'literal'
            ? this.literal(expr.value)
            : this.#emitNode(this, expr);
    const lasting = expr.kind === 'literal' || (expr.kind === 'column' && this.#isConstant(expr.index));
    (lasting ? this.#scopes[0] : this.#scopes.at(-1))!.set(key, value);
    return value;
  }

  /** Whether computing the expression costs less than branching around it, and cannot fail. */
  isCheap(expr: PhysicalExpr): boolean {
    return isCheap(expr, (part) => this.#tables.has(physicalExprKey(part)));
  }

  /** Emits a conditional part: values made in it are forgotten after it. */
  scoped(body: () => void): void {
    this.#scopes.push(new Map());
    this.checks.scoped(body);
    this.#scopes.pop();
  }

  /** A constant's value, made before the loop. */
  literal({ type, value }: ScalarValue): Value {
    const kind = kindOfType(type);
    if (kind === undefined) throw new DistqError('internal', `a ${type.kind} constant in emitted code`);
    if (value === null) return this.#constantNull(kind);
    if (kind === 'string') {
      const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
      if (!(bytes instanceof Uint8Array)) throw new DistqError('internal', `a ${type.kind} constant without bytes`);
      return this.textConstant(bytes);
    }
    const local = this.code.local(kind);
    this.code.prologue(() => {
      this.#pushNumber(kind, value);
      this.code.set(local);
    });
    if (kind === 'i64' && typeof value === 'bigint') this.checks.setConstant(local, value);
    return { kind, local, length: -1, nul: null };
  }

  /** A string constant. */
  textConstant(bytes: Uint8Array): Value {
    const local = this.slot({ kind: 'bytes', bytes });
    const length = this.code.local('i32');
    this.code.prologue(() => {
      this.code.i32(bytes.length).set(length);
    });
    return { kind: 'string', local, length, nul: null };
  }

  #constantNull(kind: ValueKind): Value {
    const nul = this.code.local('i32');
    this.code.prologue(() => {
      this.code.i32(1).set(nul);
    });
    if (kind === 'string') {
      return { kind, local: this.code.local('i32'), length: this.code.local('i32'), nul };
    }
    return { kind, local: this.code.local(kind), length: -1, nul };
  }

  #pushNumber(kind: WasmType, value: Exclude<ScalarValue['value'], null>): void {
    if (kind === 'i64') this.code.i64(typeof value === 'bigint' ? value : BigInt(Number(value)));
    else if (kind === 'i32') this.code.i32(Number(value));
    else if (kind === 'f32') this.code.f32(Number(value));
    else this.code.f64(Number(value));
  }

  /** The local that holds a slot's address. */
  slot(slot: Slot): number {
    const key =
      slot.kind === 'bytes'
        ? `bytes ${Buffer.from(slot.bytes).toString('latin1')}`
        : `${slot.kind} ${'input' in slot ? slot.input : 'table' in slot ? slot.table : 'output' in slot ? slot.output : ''}`;
    const known = this.#slotLocals.get(key);
    if (known !== undefined) return known;
    const local = this.code.local('i32');
    const offset = this.slots.push(slot) * 4 - 4;
    this.code.prologue(() => {
      this.code.get(BLOCK).load('i32', offset).set(local);
    });
    this.#slotLocals.set(key, local);
    return local;
  }

  /** Index of an imported function. */
  import(module: 'kernels' | 'math', name: string, signature: WasmSignature): number {
    const known = this.imports.findIndex((entry) => entry.module === module && entry.name === name);
    return known >= 0 ? known : this.imports.push({ module, name, signature }) - 1;
  }

  /** A fresh value that is null when one of the operands is. */
  result(kind: ValueKind, ...operands: readonly Value[]): Value {
    const nul = this.anyNull(operands);
    if (kind === 'string') return { kind, local: this.code.local('i32'), length: this.code.local('i32'), nul };
    return { kind, local: this.code.local(kind), length: -1, nul };
  }

  /** The local that says whether an operand is null; null when none ever is. */
  anyNull(operands: readonly Value[]): number | null {
    const nuls = [...new Set(operands.flatMap(({ nul }) => (nul === null ? [] : [nul])))];
    if (nuls.length <= 1) return nuls[0] ?? null;
    const local = this.code.local('i32');
    this.code.get(nuls[0]!);
    for (const nul of nuls.slice(1)) this.code.get(nul).op('i32.or');
    this.code.set(local);
    return local;
  }

  /** Runs `body` only where no operand is null: for what may not see garbage. */
  whereValid(nul: number | null, body: () => void): void {
    if (nul === null) {
      body();
      return;
    }
    this.code.get(nul).op('i32.eqz');
    this.code.if(() => {
      this.scoped(body);
    });
  }

  #isConstant(input: number): boolean {
    return this.#inputs.get(input)?.encoding === 'constant';
  }

  #shape(input: number): InputShape {
    const shape = this.#inputs.get(input);
    if (shape === undefined)
      throw new DistqError('internal', `emitted code reads column ${input}, which it was not given`);
    return shape;
  }

  #loadColumn(column: PhysicalColumn): Value {
    const shape = this.#shape(column.index);
    if (shape.encoding !== 'constant') return this.#loadRow(column, shape);
    let value: Value | undefined;
    this.code.prologue(() => {
      value = this.#loadRow(column, shape);
    });
    return value!;
  }

  #loadRow({ index, type }: PhysicalColumn, shape: InputShape): Value {
    const { code } = this;
    const kind = kindOfType(type);
    if (kind === undefined) throw new DistqError('internal', `a ${type.kind} column in emitted code`);
    const nul = shape.nulls ? this.#loadNull(index, shape) : null;
    const value: Value =
      kind === 'string'
        ? { kind, local: code.local('i32'), length: code.local('i32'), nul }
        : { kind, local: code.local(kind), length: -1, nul };
    const at = code.local('i32');
    this.#pushValueAddress(index, shape);
    code.set(at);
    if (kind === 'string') {
      code.get(at).load('i32').set(value.local);
      code.get(at).load('i32', 4).set(value.length);
    } else if (shape.layout === 'i128') {
      code.get(at).load('i64').set(value.local);
      // Narrow when the high limb is only the sign of the low one.
      this.checks.noteFailure(nul, () => {
        code.get(at).load('i64', 8).get(value.local).i64(63n).op('i64.shr_s', 'i64.ne');
      });
    } else {
      const memory = memoryTypeOf(shape.layout);
      if (memory === undefined) throw new DistqError('internal', `layout ${shape.layout} in emitted code`);
      code.get(at).load(memory).set(value.local);
    }
    return value;
  }

  #pushValueAddress(index: number, { layout, encoding }: InputShape): void {
    const { code } = this;
    const shift = layout === 'i128' ? 4 : layout === 'view' ? 3 : widthShift(layout);
    if (encoding === 'constant') {
      code.get(this.slot({ kind: 'values', input: index }));
      return;
    }
    if (encoding === 'flat') {
      code.get(this.slot({ kind: 'values', input: index })).get(this.row);
    } else {
      code.get(this.slot({ kind: 'dictionary', input: index }));
      this.#pushCode(index);
    }
    if (shift > 0) code.i32(shift).op('i32.shl');
    code.op('i32.add');
  }

  #pushCode(index: number): void {
    const codes = this.slot({ kind: 'values', input: index });
    this.code.get(codes).get(this.row).i32(2).op('i32.shl', 'i32.add').load('i32');
  }

  /** Whether the row is null, as an i32 local. */
  #loadNull(index: number, { encoding }: InputShape): number {
    const { code } = this;
    const nul = code.local('i32');
    const validity = this.slot({ kind: 'validity', input: index });
    if (encoding === 'constant') {
      code.get(validity).load('u8').i32(1).op('i32.and').i32(1).op('i32.xor').set(nul);
      return nul;
    }
    code.get(validity).get(this.row).i32(3).op('i32.shr_u', 'i32.add').load('u8');
    code.get(this.row).i32(7).op('i32.and', 'i32.shr_u').i32(1).op('i32.and').i32(1).op('i32.xor').set(nul);
    return nul;
  }

  /** A truth table by the column's code: 0 false, 1 true, 2 null; the entry after the last code is for null. */
  #lookUp(table: number, column: number): Value {
    const { code } = this;
    const shape = this.#shape(column);
    const entry = code.local('i32');
    code.get(this.slot({ kind: 'table', table }));
    if (shape.nulls) {
      const nul = this.#loadNull(column, shape);
      code.get(this.slot({ kind: 'tableNull', table }));
      this.#pushCode(column);
      code.get(nul).op('select');
    } else {
      this.#pushCode(column);
    }
    code.op('i32.add').load('u8').set(entry);
    const value = code.local('i32');
    const nul = code.local('i32');
    code.get(entry).i32(1).op('i32.and').set(value);
    code.get(entry).i32(1).op('i32.shr_u').set(nul);
    return { kind: 'i32', local: value, length: -1, nul };
  }
}

function widthShift(layout: Layout): number {
  switch (layout) {
    case 'bool':
    case 'i8':
    case 'u8':
      return 0;
    case 'i16':
    case 'u16':
      return 1;
    case 'i32':
    case 'u32':
    case 'f32':
      return 2;
    case 'i64':
    case 'u64':
    case 'f64':
      return 3;
    case 'null':
    case 'i128':
    case 'view':
    case 'interval':
      throw new DistqError('internal', `layout ${layout} has no single width in emitted code`);
  }
}
