import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column } from '../../columnar/column.js';
import { heap } from '../../columnar/heap.js';
import { defaultLayout, type Layout, layoutWidth } from '../../columnar/layout.js';
import { isDecimal } from '../../columnar/data-type.js';
import { compileNode } from '../interpreter/compile.js';
import type { EvalContext, EvalNode } from '../interpreter/eval-node.js';
import { TruthTables } from '../interpreter/over-dictionary.js';
import type { Rows } from '../interpreter/rows.js';
import { collectPhysicalColumns, physicalExprKey } from '../physical-expr-transform.js';
import type { PhysicalExpr } from '../physical-expr.js';
import { typeName } from '../../columnar/data-type.js';
import type { InputShape, Slot, UnitShape } from './emit-context.js';
import { emitFilterModule, emitProjectionModule, FAILED } from './emit-module.js';
import { type EmitPlan, FIRST_HOISTED, planEmission, tableCandidates } from './emit-plan.js';
import { cachedModule, type CompiledModule } from './module-cache.js';
import { memoryTypeOf } from './value.js';

/** After this many failed batches in a row a unit leaves some batches to the interpreter at once. */
const PATIENCE = 3;
const PAUSE_BATCHES = 64;

interface Bound {
  readonly columns: ReadonlyMap<number, Column>;
  /** Per table in use: its bytes. */
  readonly tables: readonly Uint8Array[];
  /** How inputs lie, which parts are look-ups, whether rows are selected. */
  readonly signature: string;
  readonly shape: Omit<UnitShape, 'precise'>;
}

/** Expressions that run together in one emitted loop, with what it needs at run time. Holds no buffers. */
export class EmittedUnit {
  readonly #kind: 'filter' | 'projection';
  readonly #plan: EmitPlan;
  readonly #hoisted: readonly EvalNode[];
  readonly #inputs: readonly number[];
  readonly #candidates: readonly { readonly key: string; readonly column: number; readonly tables: TruthTables }[];
  readonly #fingerprint: string;
  /** By shape of the inputs, so that the process-wide look-up is done once. */
  readonly #modules = new Map<string, CompiledModule>();
  #failures = 0;
  /** Batches that the interpreter takes without trying. */
  #paused = 0;
  /** Batches that go to the precise code without trying the other. */
  #precise = 0;

  /** `filter`: the expressions are conjuncts. `lookUps`: boolean parts over a dictionary column may become truth tables. */
  constructor(kind: 'filter' | 'projection', exprs: readonly PhysicalExpr[], lookUps = true) {
    this.#kind = kind;
    this.#plan = planEmission(exprs);
    this.#hoisted = this.#plan.hoisted.map(compileNode);
    const columns = collectPhysicalColumns(this.#plan.exprs);
    this.#inputs = columns.map((column) => column.index);
    this.#candidates = (lookUps ? tableCandidates(this.#plan.exprs) : []).map(({ expr, key, column }) => ({
      key,
      column,
      tables: new TruthTables(emittedFirst(expr)),
    }));
    const types = columns.map((column) => typeName(column.type)).join(',');
    this.#fingerprint = `${kind}|${this.#plan.exprs.map(physicalExprKey).join(';')}|${types}`;
  }

  /**
   * The rows where every conjunct is true, into `selection` (room for `rows.count` u32): their number. Undefined: this batch is the
   * interpreter's.
   */
  filter(context: EvalContext, rows: Rows, selection: number): number | undefined {
    const bound = this.#bind(context, rows);
    if (bound === undefined) return undefined;
    const result = this.#run(context.arena, rows, bound, (slot) =>
      slot.kind === 'outSelection' ? selection : undefined,
    );
    return result === FAILED ? undefined : result;
  }

  /** One column per expression. Undefined: this batch is the interpreter's. */
  project(context: EvalContext, rows: Rows): Column[] | undefined {
    const bound = this.#bind(context, rows);
    if (bound === undefined) return undefined;
    const { arena } = context;
    const { capacity } = rows;
    const nulls = arena.allocZeroed(this.#plan.exprs.length * 4);
    const outputs = this.#plan.exprs.map(({ type }) => {
      const layout: Layout = isDecimal(type) ? 'i64' : defaultLayout(type);
      const bytes = capacity * layoutWidth(layout);
      // String slots of rows that are not selected must be safe to read.
      const sparse = layout === 'view' && rows.selection !== 0;
      return { type, layout, values: sparse ? arena.allocZeroed(bytes) : arena.alloc(bytes), validity: 0 };
    });
    const result = this.#run(arena, rows, bound, (slot) => {
      if (slot.kind === 'outValues') return outputs[slot.output]!.values;
      if (slot.kind === 'outNulls') return nulls + slot.output * 4;
      if (slot.kind !== 'outValidity') return undefined;
      const output = outputs[slot.output]!;
      output.validity = arena.alloc(bitmapBytes(capacity));
      heap.u8.fill(0xff, output.validity, output.validity + bitmapBytes(capacity));
      return output.validity;
    });
    if (result === FAILED) return undefined;
    return outputs.map(({ type, layout, values, validity }, i) =>
      Column.flat(type, layout, capacity, values, heap.u32[(nulls >>> 2) + i] === 0 ? 0 : validity),
    );
  }

  /** Computes hoisted parts, looks at how the inputs lie and finds the code for that. */
  #bind(context: EvalContext, rows: Rows): Bound | undefined {
    if (this.#paused > 0) {
      this.#paused--;
      return undefined;
    }
    const columns = new Map<number, Column>();
    let signature = '';
    let varies = false;
    for (const index of this.#inputs) {
      const column =
        index < FIRST_HOISTED ? context.column(index) : this.#hoisted[index - FIRST_HOISTED]!(context, rows);
      if (column.layout !== 'view' && column.layout !== 'i128' && memoryTypeOf(column.layout) === undefined) {
        return undefined;
      }
      columns.set(index, column);
      varies ||= column.encoding !== 'constant';
      signature += `${column.layout}${column.encoding.charAt(0)}${column.validity === 0 ? '' : '?'},`;
    }
    // Constants in, constants out: the interpreter keeps them so.
    if (!varies) return undefined;
    const used = new Map<string, { readonly table: number; readonly column: number }>();
    const tables: Uint8Array[] = [];
    for (const candidate of this.#candidates) {
      const column = columns.get(candidate.column) ?? context.column(candidate.column);
      if (column.dictionary === null) continue;
      const table = candidate.tables.tableFor(column, column.dictionary, rows.count, context.arena);
      if (table === undefined) continue;
      used.set(candidate.key, { table: tables.push(table) - 1, column: candidate.column });
      signature += `T${candidate.key}`;
    }
    const inputs = new Map<number, InputShape>();
    for (const [index, { layout, encoding, validity }] of columns) {
      inputs.set(index, { layout, encoding, nulls: validity !== 0 });
    }
    const selected = rows.selection !== 0;
    if (selected) signature += 'S';
    return { columns, tables, signature, shape: { inputs, tables: used, selected } };
  }

  #module({ signature, shape }: Bound, precise: boolean): CompiledModule {
    const full = precise ? `${signature}P` : signature;
    let module = this.#modules.get(full);
    if (module === undefined) {
      const emit = this.#kind === 'filter' ? emitFilterModule : emitProjectionModule;
      module = cachedModule(`${this.#fingerprint}|${full}`, () => emit(this.#plan.exprs, { ...shape, precise }));
      this.#modules.set(full, module);
    }
    return module;
  }

  /** The code that bounds sums by the widths of their inputs first, the one that checks each sum when that says too much. */
  #run(arena: Arena, rows: Rows, bound: Bound, output: (slot: Slot) => number | undefined): number {
    let result = FAILED;
    if (this.#precise > 0) this.#precise--;
    else result = this.#call(this.#module(bound, false), arena, rows, bound, output);
    if (result === FAILED) {
      result = this.#call(this.#module(bound, true), arena, rows, bound, output);
      if (result !== FAILED && this.#precise === 0) this.#precise = PAUSE_BATCHES;
    }
    if (result !== FAILED) {
      this.#failures = 0;
    } else if (++this.#failures >= PATIENCE) {
      this.#failures = 0;
      this.#paused = PAUSE_BATCHES;
    }
    return result;
  }

  #call(
    module: CompiledModule,
    arena: Arena,
    rows: Rows,
    { columns, tables }: Bound,
    output: (slot: Slot) => number | undefined,
  ): number {
    const block = arena.alloc(module.slots.length * 4);
    for (const [i, slot] of module.slots.entries()) {
      heap.u32[(block >>> 2) + i] = output(slot) ?? inputAddress(slot, columns, tables, arena);
    }
    return module.run(block, rows.selection, rows.count);
  }
}

/** An expression over flat values: by emitted code, or by the interpreter where that gives up. */
function emittedFirst(expr: PhysicalExpr): EvalNode {
  const unit = new EmittedUnit('projection', [expr], false);
  const node = compileNode(expr);
  return (context, rows) => unit.project(context, rows)?.[0] ?? node(context, rows);
}

function inputAddress(
  slot: Slot,
  columns: ReadonlyMap<number, Column>,
  tables: readonly Uint8Array[],
  arena: Arena,
): number {
  switch (slot.kind) {
    case 'values':
      return columns.get(slot.input)!.values;
    case 'validity':
      return columns.get(slot.input)!.validity;
    case 'dictionary':
      return columns.get(slot.input)!.dictionary!.values;
    case 'bytes':
      return arena.copyBytes(slot.bytes);
    case 'table':
      return arena.copyBytes(tables[slot.table]!);
    case 'tableNull':
      // Not an address: the index of the entry for null.
      return tables[slot.table]!.length - 1;
    case 'outValues':
    case 'outValidity':
    case 'outNulls':
    case 'outSelection':
      return 0;
  }
}
