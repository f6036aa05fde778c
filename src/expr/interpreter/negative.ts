import { DistqError } from '../../base/errors.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { isFloating, typeName } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import { displayPhysicalExpr } from '../physical-expr-display.js';
import type { PhysicalNegative } from '../physical-expr.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';

/** `- x`: the smallest integer has no negative (`execution`); −0 is kept for floats. */
export function compileNegative(expr: PhysicalNegative, inner: EvalNode): EvalNode {
  const type = expr.type;
  return (context, rows) => {
    const column = inner(context, rows);
    const reader = new ColumnReader(column);
    if (isFloating(type)) {
      return strictColumn(context, rows, [column], type, (row, out) => {
        out.setFloat(row, -reader.float(row));
      });
    }
    if (type.kind === 'Interval') {
      return strictColumn(context, rows, [column], type, (row, out) => {
        const { months, days, nanos } = reader.interval(row);
        out.setInterval(row, { months: -months, days: -days, nanos: -nanos });
      });
    }
    return strictColumn(
      context,
      rows,
      [column],
      type,
      (row, out) => {
        const value = reader.integer(row);
        // Durations and narrow decimals lie in 64 bits.
        const fits = fitsInteger(type, -value) && (column.layout !== 'i64' || BigInt.asIntN(64, -value) === -value);
        if (!fits) {
          throw new DistqError(
            'execution',
            `the negative of ${value} is out of range of ${typeName(type)} in ${displayPhysicalExpr(expr)}`,
          );
        }
        out.setInteger(row, -value);
      },
      column.layout === 'null' ? undefined : column.layout,
    );
  };
}
