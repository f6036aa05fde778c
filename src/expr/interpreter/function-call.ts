import type { Column } from '../../columnar/column.js';
import { Column as Columns } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { takeColumn } from '../../columnar/flatten.js';
import { asDistqError, DistqError } from '../../base/errors.js';
import { heap } from '../../columnar/heap.js';
import { displayPhysicalExpr } from '../physical-expr-display.js';
import type { PhysicalScalarFunction } from '../physical-expr.js';
import { assemble, type Piece } from './case.js';
import type { Compile, EvalContext, EvalNode } from './eval-node.js';
import { narrowRows, type Rows } from './rows.js';

/** A scalar function over dense arguments: selected rows are gathered, and the result is spread to their places. */
export function compileFunction(expr: PhysicalScalarFunction, compile: Compile): EvalNode {
  const args = expr.args.map(compile);
  if (expr.func.name === 'coalesce') return (context, rows) => coalesce(context, rows, args, expr);
  return (context, rows) => {
    if (rows.selection === 0) {
      return call(
        expr,
        args.map((arg) => arg(context, rows)),
        rows.count,
        context,
      );
    }
    const dense = args.map((arg) => takeColumn(arg(context, rows), rows.selection, rows.count, context.arena));
    return spread(call(expr, dense, rows.count, context), rows, context);
  };
}

function call(expr: PhysicalScalarFunction, args: Column[], numRows: number, context: EvalContext): Column {
  try {
    return expr.func.evaluate({ args, numRows, returnType: expr.type, arena: context.arena });
  } catch (error) {
    const typed = asDistqError(error);
    if (typed.kind !== 'execution') throw typed;
    throw new DistqError('execution', `${typed.message}, in ${displayPhysicalExpr(expr)}`, { cause: error });
  }
}

/** Each argument is evaluated only for the rows that are still null. */
function coalesce(context: EvalContext, rows: Rows, args: readonly EvalNode[], expr: PhysicalScalarFunction): Column {
  const pieces: Piece[] = [];
  let open = rows;
  for (const [index, arg] of args.entries()) {
    if (open.count === 0) break;
    const column = arg(context, open);
    const reader = new ColumnReader(column);
    const last = index === args.length - 1;
    const filled = last ? open : narrowRows(open, context.arena, (row) => !reader.isNull(row));
    if (filled.count > 0) pieces.push({ column, rows: filled });
    if (last || filled === open) break;
    open = narrowRows(open, context.arena, (row) => reader.isNull(row));
  }
  return assemble(context, rows, pieces, expr.type);
}

/** Row i of a dense column to the i-th selected place of a column of `capacity` rows. */
function spread(dense: Column, rows: Rows, context: EvalContext): Column {
  if (dense.encoding === 'constant') {
    return dense.isAllNull
      ? Columns.nulls(dense.type, dense.layout, rows.capacity)
      : Columns.constant(dense.type, dense.layout, rows.capacity, dense.values);
  }
  const reader = new ColumnReader(dense);
  const out = new ColumnBuilder(dense.type, rows.capacity, context.arena, 0, dense.layout);
  for (let i = 0; i < rows.count; i++) {
    const row = heap.u32[(rows.selection >>> 2) + i]!;
    if (reader.isNull(i)) out.setNull(row);
    else out.copyValue(row, reader.address(i));
  }
  return out.finish();
}
