import type { LogicalPlan } from '../../logical/plan.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { renderBoxes } from './boxes.js';
import { renderGraphviz } from './graphviz.js';
import { renderPgjson } from './pgjson.js';

export type StatementFormatName = 'tree' | 'pgjson' | 'graphviz';

/** Which plan a format shows, and how. */
type StatementFormat =
  | { readonly shows: 'physical_plan'; render(plan: ExecutionPlan): string }
  | { readonly shows: 'logical_plan'; render(plan: LogicalPlan): string };

/** The formats of SQL's EXPLAIN beside `indent`. */
export const STATEMENT_FORMATS: Readonly<Record<StatementFormatName, StatementFormat>> = {
  tree: { shows: 'physical_plan', render: renderBoxes },
  pgjson: { shows: 'logical_plan', render: renderPgjson },
  graphviz: { shows: 'logical_plan', render: renderGraphviz },
};

export function isStatementFormat(name: string): name is StatementFormatName {
  return Object.hasOwn(STATEMENT_FORMATS, name);
}
