/**
 * SQL to physical plans over a folder of Parquet tables, without a session: what the tests of planning need.
 *
 *     const session = await PlanningSession.open(tableFolders(folder), { 'execution.target_partitions': '3' });
 *     const [plan] = await session.plan('select …');
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog, TableProvider } from '../../src/catalog/data-source.js';
import { Schema } from '../../src/columnar/schema.js';
import { SessionConfig } from '../../src/config/session-config.js';
import { evaluateConstant } from '../../src/expr/constant-evaluator.js';
import type { FunctionRegistry } from '../../src/expr/function.js';
import { analyze } from '../../src/logical/analyzer.js';
import { displayPlan } from '../../src/logical/display.js';
import { optimize } from '../../src/logical/optimizer.js';
import { createPhysicalPlan } from '../../src/physical/create-physical-plan.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { ParquetTable } from '../../src/sources/parquet/parquet-table.js';
import { bindQuery } from '../../src/sql/binder/bind-query.js';
import { parseStatements } from '../../src/sql/parser/parse-statements.js';
import { planningFunctions } from './planning-functions.js';

export interface PlannedQuery {
  readonly logical: string;
  readonly physical: ExecutionPlan;
  /** The plan after each step of physical planning, by DataFusion's names. */
  readonly steps: readonly { readonly step: string; readonly plan: ExecutionPlan }[];
}

export class PlanningSession {
  readonly #tables: ReadonlyMap<string, TableProvider>;
  readonly #config: SessionConfig;
  readonly #functions: FunctionRegistry = planningFunctions();

  private constructor(tables: ReadonlyMap<string, TableProvider>, config: SessionConfig) {
    this.#tables = tables;
    this.#config = config;
  }

  static async open(
    tables: Readonly<Record<string, string>>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<PlanningSession> {
    const config = SessionConfig.fromEntries(Object.entries(settings));
    const opened = await Promise.all(
      Object.entries(tables).map(async ([name, folder]) => [name, await ParquetTable.open(folder, config)] as const),
    );
    return new PlanningSession(new Map(opened), config);
  }

  /** The plans of the queries in the text, in order. Views that it creates are known to the statements after them. */
  async plan(sql: string): Promise<PlannedQuery[]> {
    const views = new Map<string, TableProvider>();
    const catalog: Catalog = {
      table: async (name) => views.get(name) ?? this.#tables.get(name),
      tableFromPath: (path) => ParquetTable.open(path, this.#config),
      tableNames: () => [...this.#tables.keys(), ...views.keys()],
    };
    const planned: PlannedQuery[] = [];
    for (const statement of parseStatements(sql)) {
      if (statement.kind === 'create_view') {
        const name = statement.name.map(({ value }) => value.toLowerCase()).join('.');
        views.set(name, viewTable(statement.text));
      } else if (statement.kind === 'query') {
        planned.push(await this.#planQuery(statement.query, catalog));
      }
    }
    return planned;
  }

  async #planQuery(query: Parameters<typeof bindQuery>[0], catalog: Catalog): Promise<PlannedQuery> {
    const config = this.#config;
    const functions = this.#functions;
    const bound = await bindQuery(query, { catalog, functions, config });
    const constants = { evaluate: evaluateConstant };
    const logical = optimize(analyze(bound), { config, constants, functions });
    const steps: { step: string; plan: ExecutionPlan }[] = [];
    const onPlan = (step: string, plan: ExecutionPlan): void => {
      steps.push({ step, plan });
    };
    const physical = createPhysicalPlan(logical, { config, onPlan });
    return { logical: displayPlan(logical), physical, steps };
  }
}

/** Table name → folder: every sub-folder is a table. */
export function tableFolders(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}

function viewTable(viewSql: string): TableProvider {
  return {
    schema: new Schema([]),
    viewSql,
    statistics: () => ({ numRows: { kind: 'absent' }, totalByteSize: { kind: 'absent' }, columns: [] }),
    scan: () => {
      throw new Error('a view is inlined');
    },
  };
}
