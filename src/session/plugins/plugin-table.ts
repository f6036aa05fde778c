import type { ScanRequest } from '../../catalog/data-source.js';
import { inexact, type Statistics, unknownStatistics } from '../../catalog/statistics.js';
import { DistqError, type ErrorKind } from '../../base/errors.js';
import { Schema } from '../../columnar/schema.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { LeafTable } from '../../physical/leaf/leaf-table.js';
import { OperatorBase } from '../../physical/operator-base.js';
import type { PluginTable } from './plugin-api.js';
import { guarded, pluginFault } from './plugin-fault.js';
import type { PluginIdentity } from './plugin-set.js';

/** A table of a plug-in as the binder and the planner see it. */
export class PluginTableProvider implements LeafTable {
  readonly schema: Schema;
  readonly viewSql: null = null;
  readonly #plugin: PluginIdentity;
  /** `table urls`, for messages. */
  readonly #what: string;
  readonly #table: PluginTable;

  /** An error of that kind for something that is no table. */
  constructor(plugin: PluginIdentity, what: string, table: unknown, kind: ErrorKind) {
    if (!isTable(table)) {
      throw pluginFault(kind, plugin, `${what} has no schema or no scan function`, {
        hint: 'give { schema: new distq.Schema([…]), scan: (request) => new MyLeafExec(…) }',
      });
    }
    this.schema = table.schema;
    this.#plugin = plugin;
    this.#what = what;
    this.#table = table;
  }

  statistics(): Statistics {
    const { rows, bytes } = this.#table.statistics ?? {};
    return {
      ...unknownStatistics(this.schema.length),
      ...(rows === undefined ? {} : { numRows: inexact(rows) }),
      ...(bytes === undefined ? {} : { totalByteSize: inexact(bytes) }),
    };
  }

  scan(): never {
    throw new DistqError('internal', `${this.#what} is read by a leaf of its own`);
  }

  scanLeaf({ projection, limit: fetch, isFiltered, targetPartitions }: ScanRequest): ExecutionPlan {
    const wanted = this.schema.project(projection);
    const columns = wanted.fields.map(({ name }) => name);
    const part = `scan of ${this.#what}`;
    // The filter stands above the leaf: which rows will be enough, the leaf cannot know.
    const limit = isFiltered ? null : fetch;
    const leaf: unknown = guarded('plan', this.#plugin, part, () =>
      this.#table.scan({ columns, limit, targetPartitions }),
    );
    if (!(leaf instanceof OperatorBase) || leaf.children.length > 0) {
      throw pluginFault(
        'plan',
        this.#plugin,
        `${part} gives something that is no leaf made with the classes it was given`,
        {
          hint: 'return an instance of a class that extends distq.LeafExec',
        },
      );
    }
    if (!leaf.schema.equals(wanted) && !leaf.schema.equals(this.schema)) {
      throw pluginFault(
        'plan',
        this.#plugin,
        `${part} gives (${String(leaf.schema)}) where (${String(wanted)}) is wanted`,
        { hint: "give the wanted columns in their order, or all of the table's" },
      );
    }
    return leaf;
  }
}

function isTable(value: unknown): value is PluginTable {
  if (typeof value !== 'object' || value === null || !('schema' in value) || !('scan' in value)) return false;
  return value.schema instanceof Schema && typeof value.scan === 'function';
}
