import type { SessionConfig } from '../../config/session-config.js';
import type { ExprContext } from './expressions/expr-reader.js';
import type { LogicalFacts } from './logical/logical-facts.js';
import type { PlanLine } from './plan-line.js';
import type { ScanTables } from './scans/scan-tables.js';

/** Why a line may mean something else than what was made of it: such a plan is shown and not run. */
export interface Doubt {
  readonly line: PlanLine;
  readonly reason: string;
}

/** What the readers of all nodes need. */
export interface ReadContext extends ExprContext {
  readonly config: SessionConfig;
  /** What the logical plan tells, if it is there. */
  readonly logical: LogicalFacts;
  readonly tables: ScanTables;
  doubt(line: PlanLine, reason: string): void;
}
