import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExpressionCompiler, FilterEvaluator, ProjectionEvaluator } from '../evaluator.js';
import { conjuncts } from '../physical-expr-transform.js';
import type { PhysicalExpr } from '../physical-expr.js';
import { compileNode } from './compile.js';
import type { EvalContext } from './eval-node.js';
import { narrowRows, type Rows, TruthReader } from './rows.js';

/** Evaluates expressions by walking closures over columns: the fallback for what the emitter does not know, and its oracle. */
export const interpreterCompiler: ExpressionCompiler = {
  projection(exprs: readonly PhysicalExpr[]): ProjectionEvaluator {
    const nodes = exprs.map(compileNode);
    return {
      evaluate(batch: RecordBatch, arena: Arena): Column[] {
        const context = contextOf(batch, arena);
        const rows = rowsOf(batch);
        return nodes.map((node) => node(context, rows));
      },
    };
  },

  filter(predicate: PhysicalExpr): FilterEvaluator {
    // Conjunct by conjunct, so that later ones see only the rows that are left.
    const nodes = conjuncts(predicate).map(compileNode);
    return {
      filter(batch: RecordBatch, arena: Arena): RecordBatch {
        const context = contextOf(batch, arena);
        const all = rowsOf(batch);
        let rows = all;
        for (const node of nodes) {
          if (rows.count === 0) break;
          const truth = new TruthReader(node(context, rows));
          rows = narrowRows(rows, arena, (row) => truth.isTrue(row));
        }
        if (rows === all) return batch;
        // No selection means all rows, so that an empty one needs an address.
        return batch.withSelection(rows.selection === 0 ? arena.alloc(4) : rows.selection, rows.count);
      },
    };
  },
};

export function contextOf(batch: RecordBatch, arena: Arena): EvalContext {
  return { arena, column: (index) => batch.column(index) };
}

export function rowsOf(batch: RecordBatch): Rows {
  return { capacity: batch.capacity, count: batch.numRows, selection: batch.selection };
}
