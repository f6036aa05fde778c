import type { PhysicalExpr, PhysicalSortExpr } from './physical-expr.js';
import type { Schema } from '../columnar/schema.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { DataType } from '../columnar/data-type.js';

/**
 * A value of the structured tree that plans are written as; binary frames and JSON are two encodings of it (`distributed/`
 * has neither: they stand in `cluster/protocol` and `planfile`). bigint, −0, NaN, ±Infinity and bytes are legal and kept exactly.
 */
export type EncodedValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly EncodedValue[]
  | { readonly [key: string]: EncodedValue };

/** One encoded node: its kind (an operator's, source's or expression's name) and its fields. */
export interface EncodedNode {
  readonly kind: string;
  readonly [key: string]: EncodedValue;
}

/** Writes and reads the parts that operators have in common. Functions travel by name and are looked up in the registry. */
export interface ExprCodec {
  expr(expr: PhysicalExpr): EncodedValue;
  decodeExpr(encoded: EncodedValue): PhysicalExpr;
  sortExprs(exprs: readonly PhysicalSortExpr[]): EncodedValue;
  decodeSortExprs(encoded: EncodedValue): PhysicalSortExpr[];
  schema(schema: Schema): EncodedValue;
  decodeSchema(encoded: EncodedValue): Schema;
  type(type: DataType): EncodedValue;
  decodeType(encoded: EncodedValue): DataType;
  scalar(value: ScalarValue): EncodedValue;
  decodeScalar(encoded: EncodedValue): ScalarValue;
}
