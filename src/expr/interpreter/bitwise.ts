import { ColumnReader } from '../../columnar/column-reader.js';
import { isUnsignedInteger } from '../../columnar/data-type.js';
import { defaultLayout, layoutWidth } from '../../columnar/layout.js';
import type { BitwiseOperator } from '../expr.js';
import type { PhysicalBinary } from '../physical-expr.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';

/** `& | BIT_XOR << >>` on integers; shift distances count modulo the width, bits that leave the type are lost. */
export function compileBitwise(expr: PhysicalBinary, op: BitwiseOperator, left: EvalNode, right: EvalNode): EvalNode {
  const bits = layoutWidth(defaultLayout(expr.type)) * 8;
  const unsigned = isUnsignedInteger(expr.type);
  const fit = (value: bigint): bigint => (unsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value));
  return (context, rows) => {
    const [a, b] = [left(context, rows), right(context, rows)];
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    return strictColumn(context, rows, [a, b], expr.type, (row, out) => {
      out.setInteger(row, fit(bitwise(op, readA.integer(row), readB.integer(row), bits)));
    });
  };
}

function bitwise(op: BitwiseOperator, x: bigint, y: bigint, bits: number): bigint {
  switch (op) {
    case '&':
      return x & y;
    case '|':
      return x | y;
    case 'BIT_XOR':
      return x ^ y;
    case '<<':
      return x << distance(y, bits);
    case '>>':
      return x >> distance(y, bits);
  }
}

function distance(y: bigint, bits: number): bigint {
  return BigInt.asUintN(64, y) % BigInt(bits);
}
