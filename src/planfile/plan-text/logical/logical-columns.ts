import type { Schema } from '../../../columnar/schema.js';
import type { LogicalColumns } from './logical-dialect.js';
import type { LogicalFacts } from './logical-facts.js';

/** The columns of a physical input as expressions of the logical plan mean them. */
export function logicalColumns(schema: Schema, { commonNames }: LogicalFacts): LogicalColumns {
  return { schema, commonNames };
}
