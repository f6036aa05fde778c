import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { compact } from '../../columnar/flatten.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { RowField } from '../../columnar/rows/row-layout.js';
import type { RowSortKey } from '../../columnar/rows/row-sorter.js';
import type { Schema } from '../../columnar/schema.js';
import type { ExpressionCompiler, ProjectionEvaluator } from '../../expr/evaluator.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';

/** Dense columns of a batch: those of its schema, then the sort keys that are no plain columns. */
export class SortColumns {
  /** Fields of the rows to sort: the schema's columns and the computed keys. */
  readonly fields: readonly RowField[];
  readonly keys: readonly RowSortKey[];
  readonly #evaluator: ProjectionEvaluator | undefined;

  constructor(schema: Schema, exprs: readonly PhysicalSortExpr[], compiler: ExpressionCompiler) {
    const computed: PhysicalExpr[] = [];
    this.keys = exprs.map(({ expr, descending, nullsFirst }) => ({
      column: expr.kind === 'column' ? expr.index : schema.length + computed.push(expr) - 1,
      descending,
      nullsFirst,
    }));
    this.fields = [...schema.fields, ...computed.map(({ type, nullable }) => ({ type, nullable }))];
    this.#evaluator = computed.length === 0 ? undefined : compiler.projection(computed);
  }

  /** The columns of `batch.numRows` rows; what is not passed on as a view lies in `scratch`. */
  of(batch: RecordBatch, scratch: Arena): readonly Column[] {
    const dense = compact(batch, scratch);
    if (this.#evaluator === undefined) return dense.columns;
    return [...dense.columns, ...this.#evaluator.evaluate(dense, scratch)];
  }
}
