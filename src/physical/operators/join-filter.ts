import { Schema } from '../../columnar/schema.js';
import type { EncodedNode, EncodedValue } from '../../expr/expr-codec.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { choiceField, countField, listField, nodeOf, valueField } from '../encoded-fields.js';
import type { PlanCodec } from '../plan-codec.js';

export type JoinSide = 'left' | 'right';

export interface JoinColumn {
  readonly side: JoinSide;
  /** Position in that side's schema. */
  readonly index: number;
}

/**
 * The non-equality condition of a join. `expr` is over an intermediate schema made of just the columns it needs, `columns` telling where
 * each comes from (the planner lists the left side's first; a join whose sides were exchanged keeps the schema as it was).
 */
export interface JoinFilter {
  readonly expr: PhysicalExpr;
  readonly columns: readonly JoinColumn[];
  readonly schema: Schema;
}

/** The intermediate schema of the given columns. */
export function joinFilterSchema(columns: readonly JoinColumn[], left: Schema, right: Schema): Schema {
  return new Schema(columns.map(({ side, index }) => (side === 'left' ? left : right).field(index)));
}

export function encodeJoinFilter(filter: JoinFilter | null, codec: PlanCodec): EncodedValue {
  if (filter === null) return null;
  return {
    expr: codec.expr(filter.expr),
    columns: filter.columns.map(({ side, index }) => ({ side, index })),
    schema: codec.schema(filter.schema),
  };
}

export function joinFilterField(node: EncodedNode, field: string, codec: PlanCodec): JoinFilter | null {
  const value = valueField(node, field);
  if (value === null) return null;
  const fields = nodeOf(node, value, field);
  return {
    expr: codec.decodeExpr(valueField(fields, 'expr')),
    columns: listField(fields, 'columns').map((entry) => {
      const column = nodeOf(node, entry, 'columns');
      return { side: choiceField(column, 'side', ['left', 'right']), index: countField(column, 'index') };
    }),
    schema: codec.decodeSchema(valueField(fields, 'schema')),
  };
}
