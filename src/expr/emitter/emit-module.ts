import { DistqError } from '../../base/errors.js';
import type { PhysicalExpr } from '../physical-expr.js';
import { COUNT, EmitContext, SELECTION, type UnitShape } from './emit-context.js';
import { emitNode } from './emit-node.js';
import { pushTrue } from './logic.js';
import { type CompiledModule, instantiate } from './module-cache.js';
import { resultMemoryType, type Value } from './value.js';
import { type WasmSignature, wasmModule } from './wasm-code.js';

const SIGNATURE: WasmSignature = { parameters: ['i32', 'i32', 'i32'], result: 'i32' };

/** The result of `run` when a row overflowed or failed: the caller runs the batch again in the interpreter. */
export const FAILED = -1;

/**
 * Code that writes the rows where all conjuncts are true to the output selection and returns their number. Cheap conjuncts are
 * computed without branches, the others only where the earlier ones hold.
 */
export function emitFilterModule(conjuncts: readonly PhysicalExpr[], shape: UnitShape): CompiledModule {
  const context = new EmitContext(shape, emitNode);
  const { code } = context;
  const passed = code.local('i32');
  const kept = code.local('i32');
  const selection = context.slot({ kind: 'outSelection' });
  const cheap = conjuncts.map((conjunct) => context.isCheap(conjunct));
  emitLoop(context, shape.selected, () => {
    code.i32(1).set(passed);
    const from = (index: number): void => {
      const conjunct = conjuncts[index];
      if (conjunct === undefined) return;
      const test = (): void => {
        pushTrue(context, context.emit(conjunct));
        code.get(passed).op('i32.and').set(passed);
        from(index + 1);
      };
      if (index === 0 || cheap[index] === true) {
        test();
        return;
      }
      code.get(passed);
      code.if(() => {
        context.scoped(test);
      });
    };
    from(0);
    code.get(selection).get(kept).i32(2).op('i32.shl', 'i32.add').get(context.row).store('i32');
    code.get(kept).get(passed).op('i32.add').set(kept);
  });
  return finish(context, () => {
    code.get(kept);
  });
}

/**
 * Code that computes every expression for every row into its output: values, and where null, a cleared bit of the output's validity.
 * Returns 0; `outNulls` gets 1 when the output has a null.
 */
export function emitProjectionModule(exprs: readonly PhysicalExpr[], shape: UnitShape): CompiledModule {
  const context = new EmitContext(shape, emitNode);
  const { code } = context;
  const sawNull = exprs.map(() => code.local('i32'));
  emitLoop(context, shape.selected, () => {
    for (const [output, expr] of exprs.entries()) {
      const value = context.emit(expr);
      storeValue(context, output, expr, value);
      if (value.nul !== null) storeNull(context, output, value.nul, sawNull[output]!);
    }
  });
  return finish(context, () => {
    for (const [output, local] of sawNull.entries()) {
      code
        .get(context.slot({ kind: 'outNulls', output }))
        .get(local)
        .store('i32');
    }
    code.i32(0);
  });
}

/** `for (k = 0; k < count; k++) { row = selected ? selection[k] : k; body }` */
function emitLoop(context: EmitContext, selected: boolean, body: () => void): void {
  const { code, row } = context;
  const k = selected ? code.local('i32') : row;
  code.get(COUNT);
  code.if(() => {
    code.loop(() => {
      if (selected) code.get(SELECTION).get(k).i32(2).op('i32.shl', 'i32.add').load('i32').set(row);
      body();
      code.get(k).i32(1).op('i32.add').tee(k).get(COUNT).op('i32.lt_u').branchIf(0);
    });
  });
}

function finish(context: EmitContext, pushResult: () => void): CompiledModule {
  const { code } = context;
  const result = code.local('i32');
  pushResult();
  code.set(result);
  code.i32(FAILED).get(result);
  context.checks.pushFailed();
  code.op('select');
  const run = instantiate(wasmModule(context.imports, SIGNATURE, code.finish()), context.imports);
  return { run, slots: context.slots };
}

function storeValue(context: EmitContext, output: number, expr: PhysicalExpr, value: Value): void {
  const { code, row } = context;
  const values = context.slot({ kind: 'outValues', output });
  const at = code.local('i32');
  if (value.kind === 'string') {
    code.get(values).get(row).i32(3).op('i32.shl', 'i32.add').set(at);
    for (const [offset, local] of [
      [0, value.local],
      [4, value.length],
    ] as const) {
      code.get(at);
      // Nothing may be readable under a null but what is safe to read: an empty string.
      if (value.nul === null) code.get(local);
      else code.i32(0).get(local).get(value.nul).op('select');
      code.store('i32', offset);
    }
    return;
  }
  const memory = resultMemoryType(expr.type);
  if (memory === undefined) throw new DistqError('internal', `no storage for ${expr.type.kind} in emitted code`);
  const shift =
    memory === 'u8' || memory === 'i8' ? 0 : memory === 'u16' || memory === 'i16' ? 1 : is64(memory) ? 3 : 2;
  code.get(values).get(row);
  if (shift > 0) code.i32(shift).op('i32.shl');
  code.op('i32.add').get(value.local).store(memory);
}

function is64(memory: string): boolean {
  return memory === 'i64' || memory === 'f64';
}

/** Clears the row's bit in the (all ones) validity of the output. */
function storeNull(context: EmitContext, output: number, nul: number, sawNull: number): void {
  const { code, row } = context;
  const validity = context.slot({ kind: 'outValidity', output });
  code.get(nul);
  code.if(() => {
    const at = code.local('i32');
    code.get(validity).get(row).i32(3).op('i32.shr_u', 'i32.add').set(at);
    code.get(at).get(at).load('u8').i32(1).get(row).i32(7).op('i32.and', 'i32.shl').i32(-1).op('i32.xor', 'i32.and');
    code.store('u8');
    code.i32(1).set(sawNull);
  });
}
