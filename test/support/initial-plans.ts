/** What DataFusion's SqlToRel makes of queries: its plans before any rule, over empty files of given schemas. */
import { dataFusionStages } from './logical-stages.js';
import type { SchemaTexts } from './schema-tables.js';

export { skipWithoutDataFusion } from './logical-stages.js';

/** One plan (or `error: …`) per query; a query is a list of statements, of which CREATE and DROP are only run. */
export function initialPlans(schemas: SchemaTexts, queries: readonly (readonly string[])[]): readonly string[] {
  return dataFusionStages(schemas, queries).map((stages) => stages[0]?.text ?? '');
}
