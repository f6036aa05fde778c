import type { DataType } from '../columnar/data-type.js';
import type { Expr } from '../expr/expr.js';
import { exprType } from '../expr/expr-schema.js';
import { columnsOf } from '../expr/expr-transform.js';
import type { DFSchema } from './df-schema.js';

/** `a = b` as (left key, right key) of a join, whichever way round it is written; undefined when a side reads from both, or none. */
export function equiJoinKeyPair(a: Expr, b: Expr, left: DFSchema, right: DFSchema): readonly [Expr, Expr] | undefined {
  const aColumns = columnsOf(a);
  const bColumns = columnsOf(b);
  if (aColumns.length === 0 || bColumns.length === 0) return undefined;
  const within = (columns: typeof aColumns, schema: DFSchema): boolean => columns.every((c) => schema.has(c));
  if (within(aColumns, left) && within(bColumns, right)) return [a, b];
  return within(bColumns, left) && within(aColumns, right) ? [b, a] : undefined;
}

/** Whether a key of this type can be hashed. */
function canHash(type: DataType): boolean {
  return type.kind !== 'Map';
}

export function canHashKey(key: Expr, schema: DFSchema): boolean {
  return canHash(exprType(key, schema));
}
