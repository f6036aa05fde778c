import type { DataType } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { Schema } from '../columnar/schema.js';
import type { BinaryOperator } from './expr.js';
import type { ScalarFunction } from './function.js';

/**
 * Physical expressions: columns are positions in the input schema. Frozen data, told apart by `kind`; every node carries its result
 * type and nullability, so that nobody needs the schema to type it. Operands have been coerced: a comparison has equal types on both
 * sides, arithmetic the operand types of its kernel.
 *
 * Text (`physical-expr-display.ts`), structural equality, remapping of columns, codec, interpreter (`interpreter/`) and emitter
 * (`emitter/`) are functions over this union.
 */
export type PhysicalExpr =
  | PhysicalColumn
  | PhysicalLiteral
  | PhysicalBinary
  | PhysicalNot
  | PhysicalNegative
  | PhysicalIsNull
  | PhysicalLike
  | PhysicalCase
  | PhysicalCast
  | PhysicalInList
  | PhysicalScalarFunction
  | PhysicalDynamicFilter;

interface Typed {
  readonly type: DataType;
  readonly nullable: boolean;
}

export interface PhysicalColumn extends Typed {
  readonly kind: 'column';
  readonly name: string;
  readonly index: number;
}

export interface PhysicalLiteral extends Typed {
  readonly kind: 'literal';
  readonly value: ScalarValue;
}

export interface PhysicalBinary extends Typed {
  readonly kind: 'binary';
  readonly left: PhysicalExpr;
  readonly op: BinaryOperator;
  readonly right: PhysicalExpr;
}

export interface PhysicalNot extends Typed {
  readonly kind: 'not';
  readonly expr: PhysicalExpr;
}

export interface PhysicalNegative extends Typed {
  readonly kind: 'negative';
  readonly expr: PhysicalExpr;
}

export interface PhysicalIsNull extends Typed {
  readonly kind: 'is_null';
  readonly expr: PhysicalExpr;
  readonly negated: boolean;
}

export interface PhysicalLike extends Typed {
  readonly kind: 'like';
  readonly expr: PhysicalExpr;
  readonly pattern: PhysicalExpr;
  readonly negated: boolean;
  readonly caseInsensitive: boolean;
  /** The escape character; `\` when the query names none. */
  readonly escape: string;
}

export interface PhysicalCase extends Typed {
  readonly kind: 'case';
  readonly operand: PhysicalExpr | null;
  readonly branches: readonly { readonly when: PhysicalExpr; readonly then: PhysicalExpr }[];
  readonly otherwise: PhysicalExpr | null;
}

export interface PhysicalCast extends Typed {
  readonly kind: 'cast';
  readonly expr: PhysicalExpr;
  /** TRY_CAST: failures become null. */
  readonly safe: boolean;
}

export interface PhysicalInList extends Typed {
  readonly kind: 'in_list';
  readonly expr: PhysicalExpr;
  readonly list: readonly PhysicalExpr[];
  readonly negated: boolean;
}

export interface PhysicalScalarFunction extends Typed {
  readonly kind: 'scalar_function';
  readonly func: ScalarFunction;
  readonly args: readonly PhysicalExpr[];
}

/** Id of a dynamic filter that nobody ever tightens. */
export const INERT_FILTER: number = 2 ** 32 - 1;

/**
 * A predicate that an operator above (join build, TopK, min/max) tightens while the query runs. Prints `DynamicFilter [ empty ]`.
 * `id` identifies the producing operator's filter within the plan; the current predicate lives in the TaskContext.
 */
export interface PhysicalDynamicFilter extends Typed {
  readonly kind: 'dynamic_filter';
  readonly id: number;
  /** The expressions the filter is over, in terms of the schema where it is placed. */
  readonly children: readonly PhysicalExpr[];
}

export interface PhysicalSortExpr {
  readonly expr: PhysicalExpr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export function physicalColumn(schema: Schema, index: number): PhysicalColumn {
  const { name, type, nullable } = schema.field(index);
  return { kind: 'column', name, index, type, nullable };
}

export function physicalLiteral(value: ScalarValue): PhysicalLiteral {
  return { kind: 'literal', value, type: value.type, nullable: value.value === null };
}
