import type { Arena } from '../columnar/arena.js';
import type { Column } from '../columnar/column.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { PhysicalExpr } from './physical-expr.js';

/** `wasm`: emitted code, the interpreter for what the emitter does not know; `both`: run both and compare each batch. */
export type ExpressionMode = 'wasm' | 'interpreter' | 'both';

/**
 * Evaluates a fixed list of expressions over batches of one schema. Compiled once, shared by streams: it holds no buffers, results
 * go to the arena given per call.
 */
export interface ProjectionEvaluator {
  /**
   * One column per expression. The result batch shares `batch`'s selection unless `dense` columns come back: columns have
   * `batch.capacity` rows and are defined at selected rows only (other slots hold garbage that is safe to read).
   * Plain columns are passed on as views.
   */
  evaluate(batch: RecordBatch, arena: Arena): Column[];
}

export interface FilterEvaluator {
  /**
   * The rows of `batch` for which the predicate is true (not null), as a batch over the same columns with a selection in `arena`,
   * or `batch` itself when all rows pass.
   */
  filter(batch: RecordBatch, arena: Arena): RecordBatch;
}

export interface ExpressionCompiler {
  projection(exprs: readonly PhysicalExpr[]): ProjectionEvaluator;
  filter(predicate: PhysicalExpr): FilterEvaluator;
}
