import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExpressionCompiler, FilterEvaluator, ProjectionEvaluator } from '../evaluator.js';
import { compileNode } from '../interpreter/compile.js';
import type { EvalNode } from '../interpreter/eval-node.js';
import { contextOf, rowsOf } from '../interpreter/interpreter.js';
import { narrowRows, type Rows, TruthReader } from '../interpreter/rows.js';
import { collectPhysicalColumns, conjuncts } from '../physical-expr-transform.js';
import type { PhysicalExpr } from '../physical-expr.js';
import { EmittedUnit } from './emitted-unit.js';
import { FIRST_HOISTED, planEmission } from './emit-plan.js';

/** Emits WebAssembly for what it knows; everything else, and batches that overflow, go to the interpreter. */
export const wasmCompiler: ExpressionCompiler = {
  projection: (exprs) => new WasmProjection(exprs),
  filter: (predicate) => new WasmFilter(predicate),
};

/** Whether emitted code would do part of the work: not for plain columns, constants and what is hoisted as a whole. */
function isEmittable(expr: PhysicalExpr): boolean {
  if (expr.kind === 'column' || expr.kind === 'literal') return false;
  if (collectPhysicalColumns([expr]).length === 0) return false;
  const [planned] = planEmission([expr]).exprs;
  return planned !== undefined && !(planned.kind === 'column' && planned.index >= FIRST_HOISTED);
}

class WasmProjection implements ProjectionEvaluator {
  readonly #nodes: readonly EvalNode[];
  /** Per expression: its place in the unit, or -1. */
  readonly #places: readonly number[];
  readonly #unit: EmittedUnit | undefined;

  constructor(exprs: readonly PhysicalExpr[]) {
    this.#nodes = exprs.map(compileNode);
    const emitted: PhysicalExpr[] = [];
    this.#places = exprs.map((expr) => (isEmittable(expr) ? emitted.push(expr) - 1 : -1));
    this.#unit = emitted.length === 0 ? undefined : new EmittedUnit('projection', emitted);
  }

  evaluate(batch: RecordBatch, arena: Arena): Column[] {
    const context = contextOf(batch, arena);
    const rows = rowsOf(batch);
    const emitted = this.#unit?.project(context, rows);
    return this.#nodes.map((node, i) => {
      const place = this.#places[i]!;
      return (place < 0 ? undefined : emitted?.[place]) ?? node(context, rows);
    });
  }
}

/** Consecutive conjuncts that are emitted together, or one for the interpreter. */
interface Step {
  readonly unit: EmittedUnit | undefined;
  readonly nodes: readonly EvalNode[];
}

class WasmFilter implements FilterEvaluator {
  readonly #steps: readonly Step[];

  constructor(predicate: PhysicalExpr) {
    const steps: Step[] = [];
    let run: PhysicalExpr[] = [];
    const close = (): void => {
      if (run.length > 0) steps.push({ unit: new EmittedUnit('filter', run), nodes: run.map(compileNode) });
      run = [];
    };
    // Order is kept: a later conjunct may rely on an earlier one to keep it from failing.
    for (const conjunct of conjuncts(predicate)) {
      if (isEmittable(conjunct) || isBooleanColumn(conjunct)) {
        run.push(conjunct);
      } else {
        close();
        steps.push({ unit: undefined, nodes: [compileNode(conjunct)] });
      }
    }
    close();
    this.#steps = steps;
  }

  filter(batch: RecordBatch, arena: Arena): RecordBatch {
    const context = contextOf(batch, arena);
    const all = rowsOf(batch);
    let rows = all;
    for (const { unit, nodes } of this.#steps) {
      if (rows.count === 0) break;
      const selection = unit === undefined ? 0 : arena.alloc(rows.count * 4);
      const count = unit?.filter(context, rows, selection);
      if (count !== undefined) {
        if (count < rows.count) rows = { capacity: rows.capacity, count, selection };
        continue;
      }
      for (const node of nodes) {
        const truth = new TruthReader(node(context, rows));
        rows = narrowRows(rows, arena, (row) => truth.isTrue(row));
      }
    }
    return selected(batch, all, rows, arena);
  }
}

function isBooleanColumn(expr: PhysicalExpr): boolean {
  return expr.kind === 'column' && expr.type.kind === 'Boolean';
}

/** The batch with those rows; itself when they are all of its. No selection means all rows, so that an empty one needs an address. */
function selected(batch: RecordBatch, all: Rows, rows: Rows, arena: Arena): RecordBatch {
  if (rows === all) return batch;
  return batch.withSelection(rows.selection === 0 ? arena.alloc(4) : rows.selection, rows.count);
}
