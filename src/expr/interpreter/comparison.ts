import { alignLayouts } from '../../columnar/align-layouts.js';
import type { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import { compareValues } from '../../columnar/value-order.js';
import type { ComparisonOperator } from '../expr.js';
import type { EvalContext, EvalNode } from './eval-node.js';
import { forEachRow, type Rows } from './rows.js';
import { strictColumn } from './strict.js';

/** `= != < <= > >=` and the two null-safe tests, on operands of one type: ±0 equal, NaN equal to itself and above all numbers. */
export function compileComparison(op: ComparisonOperator, left: EvalNode, right: EvalNode): EvalNode {
  if (op === 'IS DISTINCT FROM' || op === 'IS NOT DISTINCT FROM') {
    const equalWanted = op === 'IS NOT DISTINCT FROM';
    return (context, rows) => distinctness(context, rows, left(context, rows), right(context, rows), equalWanted);
  }
  const test = orderTest(op);
  return (context, rows) => {
    const [a, b] = aligned(left(context, rows), right(context, rows), context);
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    return strictColumn(context, rows, [a, b], BOOLEAN, (row, out) => {
      out.setBoolean(row, test(compareValues(a.layout, readA.address(row), readB.address(row))));
    });
  };
}

/** The operands in one layout: a decimal may come narrow on one side and wide on the other. */
function aligned(left: Column, right: Column, context: EvalContext): [Column, Column] {
  const [a, b] = alignLayouts([left, right], left.type.kind === 'Null' ? right.type : left.type, context.arena);
  return [a!, b!];
}

function orderTest(
  op: Exclude<ComparisonOperator, 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM'>,
): (o: number) => boolean {
  switch (op) {
    case '=':
      return (order) => order === 0;
    case '!=':
      return (order) => order !== 0;
    case '<':
      return (order) => order < 0;
    case '<=':
      return (order) => order <= 0;
    case '>':
      return (order) => order > 0;
    case '>=':
      return (order) => order >= 0;
  }
}

/** Null-safe (in)equality: never null, null equals null. */
function distinctness(context: EvalContext, rows: Rows, left: Column, right: Column, equalWanted: boolean): Column {
  const [a, b] = aligned(left, right, context);
  const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
  const out = new ColumnBuilder(BOOLEAN, rows.capacity, context.arena);
  forEachRow(rows, (row) => {
    const nullA = readA.isNull(row);
    const nullB = readB.isNull(row);
    const equal =
      nullA || nullB ? nullA === nullB : compareValues(a.layout, readA.address(row), readB.address(row)) === 0;
    out.setBoolean(row, equal === equalWanted);
  });
  return out.finish();
}
