import type { SessionConfig } from '../../config/session-config.js';
import type { FunctionRegistry } from '../../expr/function.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { differingLines } from './check-lines.js';
import { planSections } from './frame.js';
import { tellLimits } from './limits-of-aggregates.js';
import { linkDynamicFilters } from './link-dynamic-filters.js';
import { LogicalFacts } from './logical/logical-facts.js';
import type { Doubt, ReadContext } from './read-context.js';
import { readNode } from './read-node.js';
import { type FileTables, ScanTables } from './scans/scan-tables.js';
import { targetPartitions } from './target-partitions.js';
import { treeOf } from './tree.js';

export interface PlanTextContext {
  readonly functions: FunctionRegistry;
  readonly config: SessionConfig;
  readonly files: FileTables;
}

/** A physical plan that EXPLAIN printed, as nodes. */
export interface PlanOfText {
  readonly plan: ExecutionPlan;
  /** The settings it was made under, as far as its text tells. */
  readonly config: SessionConfig;
  /** Where the text may mean something else: the plan can be shown and not run. */
  readonly doubts: readonly Doubt[];
}

/**
 * Reads the text of DataFusion's EXPLAIN (indent format) back into the plan it prints. What cannot be read is a `parse` error with its
 * place, files that are not there a `data_source` error.
 */
export async function readPlanText(
  text: string,
  { functions, config: given, files }: PlanTextContext,
): Promise<PlanOfText> {
  const sections = planSections(text);
  const root = treeOf(sections.physical);
  const config = targetPartitions(root, given);
  const tables = await ScanTables.open(root, files, config);
  const logical = new LogicalFacts(sections.logical);
  const doubts: Doubt[] = [];
  const context: ReadContext = {
    functions,
    config,
    tables,
    logical,
    constants: logical.constants,
    doubt(line, reason) {
      doubts.push({ line, reason });
    },
  };
  const read = readNode(root, context);
  const plan = linkDynamicFilters(tellLimits(read, config), config);
  return { plan, config, doubts: [...doubts, ...differingLines(root, plan)] };
}
