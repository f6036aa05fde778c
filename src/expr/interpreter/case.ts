import { alignLayouts } from '../../columnar/align-layouts.js';
import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import type { DataType } from '../../columnar/data-type.js';
import { defaultLayout } from '../../columnar/layout.js';
import type { PhysicalCase } from '../physical-expr.js';
import { compileComparison } from './comparison.js';
import type { Compile, EvalContext, EvalNode } from './eval-node.js';
import { forEachRow, narrowRows, type Rows, TruthReader } from './rows.js';

/** A piece of a result: the values of `column` at `rows`. */
export interface Piece {
  readonly column: Column;
  readonly rows: Rows;
}

/**
 * CASE: a branch's condition is evaluated only where no earlier branch matched, its value only where it did. The operand of the
 * short form is evaluated once; null matches nothing.
 */
export function compileCase(expr: PhysicalCase, compile: Compile): EvalNode {
  const operand = expr.operand === null ? null : compile(expr.operand);
  const branches = expr.branches.map(({ when, then }) => ({ when: compile(when), then: compile(then) }));
  const otherwise = expr.otherwise === null ? null : compile(expr.otherwise);
  return (context, rows) => {
    const operandColumn = operand?.(context, rows);
    const pieces: Piece[] = [];
    let open = rows;
    for (const { when, then } of branches) {
      if (open.count === 0) break;
      const condition = operandColumn === undefined ? when : compileComparison('=', () => operandColumn, when);
      const truth = new TruthReader(condition(context, open));
      const matched = narrowRows(open, context.arena, (row) => truth.isTrue(row));
      open = narrowRows(open, context.arena, (row) => !truth.isTrue(row));
      if (matched.count > 0) pieces.push({ column: then(context, matched), rows: matched });
    }
    if (open.count > 0 && otherwise !== null) pieces.push({ column: otherwise(context, open), rows: open });
    return assemble(context, rows, pieces, expr.type);
  };
}

/** One column from pieces over disjoint rows; rows that no piece covers are null. */
export function assemble(context: EvalContext, rows: Rows, pieces: readonly Piece[], type: DataType): Column {
  const whole = pieces.find((piece) => piece.rows === rows);
  if (whole !== undefined) return typedNulls(whole.column, type);
  if (pieces.length === 0) return Column.nulls(type, defaultLayout(type), rows.capacity);
  const columns = alignLayouts(
    pieces.map((piece) => piece.column),
    type,
    context.arena,
  );
  const layout = columns[0]!.layout;
  if (layout === 'null') return Column.nulls(type, layout, rows.capacity);
  const out = new ColumnBuilder(type, rows.capacity, context.arena, 0, layout);
  let covered = 0;
  for (const [index, piece] of pieces.entries()) {
    const reader = new ColumnReader(columns[index]!);
    covered += piece.rows.count;
    forEachRow(piece.rows, (row) => {
      if (reader.isNull(row)) out.setNull(row);
      else out.copyValue(row, reader.address(row));
    });
  }
  if (covered < rows.count) {
    const seen = new Uint8Array(rows.capacity);
    for (const piece of pieces) {
      forEachRow(piece.rows, (row) => {
        seen[row] = 1;
      });
    }
    forEachRow(rows, (row) => {
      if (seen[row] === 0) out.setNull(row);
    });
  }
  return out.finish();
}

function typedNulls(column: Column, type: DataType): Column {
  return column.layout === 'null' ? Column.nulls(type, defaultLayout(type), column.length) : column;
}
