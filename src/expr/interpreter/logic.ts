import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import type { EvalContext, EvalNode } from './eval-node.js';
import { forEachRow, narrowRows, type Rows, TruthReader } from './rows.js';
import { strictColumn } from './strict.js';

/**
 * AND and OR with three-valued NULL. The right side is evaluated only for rows that the left side leaves open, so that
 * `b <> 0 AND a / b > 1` never divides by zero.
 */
export function compileLogical(op: 'AND' | 'OR', left: EvalNode, right: EvalNode): EvalNode {
  const and = op === 'AND';
  return (context, rows) => {
    const leftColumn = left(context, rows);
    const leftTruth = new TruthReader(leftColumn);
    const decided = (row: number): boolean => (and ? leftTruth.isFalse(row) : leftTruth.isTrue(row));
    const open = narrowRows(rows, context.arena, (row) => !decided(row));
    if (open.count === 0) return truthColumn(leftColumn, rows);
    const rightTruth = new TruthReader(right(context, open));
    const out = new ColumnBuilder(BOOLEAN, rows.capacity, context.arena);
    forEachRow(rows, (row) => {
      if (decided(row)) out.setBoolean(row, !and);
      else if (and ? rightTruth.isFalse(row) : rightTruth.isTrue(row)) out.setBoolean(row, !and);
      else if (leftTruth.isNull(row) || rightTruth.isNull(row)) out.setNull(row);
      else out.setBoolean(row, and);
    });
    return out.finish();
  };
}

export function compileNot(inner: EvalNode): EvalNode {
  return (context, rows) => {
    const column = inner(context, rows);
    const truth = new ColumnReader(column);
    return strictColumn(context, rows, [column], BOOLEAN, (row, out) => {
      out.setBoolean(row, !truth.boolean(row));
    });
  };
}

export function compileIsNull(inner: EvalNode, negated: boolean): EvalNode {
  return (context, rows) => isNullColumn(context, rows, inner(context, rows), negated);
}

function isNullColumn(context: EvalContext, rows: Rows, column: Column, negated: boolean): Column {
  const reader = new ColumnReader(column);
  const out = new ColumnBuilder(BOOLEAN, rows.capacity, context.arena);
  forEachRow(rows, (row) => {
    out.setBoolean(row, reader.isNull(row) !== negated);
  });
  return out.finish();
}

/** A boolean column as it is; an untyped null as null booleans. */
function truthColumn(column: Column, rows: Rows): Column {
  return column.layout === 'null' ? Column.nulls(BOOLEAN, 'bool', rows.capacity) : column;
}
