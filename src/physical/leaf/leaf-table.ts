import type { ScanRequest, TableProvider } from '../../catalog/data-source.js';
import type { ExecutionPlan } from '../execution-plan.js';

/** A table that is read by a leaf of its own instead of a DataSourceExec. */
export interface LeafTable extends TableProvider {
  /** Gives the asked columns in their order, or all of the table's. The limit is a hint. */
  scanLeaf(request: ScanRequest): ExecutionPlan;
}

export function isLeafTable(table: TableProvider): table is LeafTable {
  return 'scanLeaf' in table;
}
