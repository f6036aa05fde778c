/**
 * The suites' tables as statistics only: test/plans/tables/<suite>.json holds the `tables` of a query spec. Nothing of the data is needed
 * to plan over them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { SessionContext } from '../../src/session/index.js';
import { repositoryRoot } from './repository.js';

export type SuiteName = 'tpch' | 'tpcds' | 'clickbench';

export interface SuiteOptions {
  readonly workers: number;
  readonly settings: Readonly<Record<string, string | number>>;
}

export class StatisticsSuite {
  readonly #session: SessionContext;

  private constructor(session: SessionContext) {
    this.#session = session;
  }

  /** A session that has the suite's tables, workers and settings from a query spec. */
  static async open(suite: SuiteName, { workers, settings }: SuiteOptions): Promise<StatisticsSuite> {
    const tables: unknown = JSON.parse(readFileSync(join(repositoryRoot, `test/plans/tables/${suite}.json`), 'utf8'));
    const spec = { kind: 'distq.query', workers, settings, tables, sql: 'select 1' };
    const session = await SessionContext.create();
    const frames = session.queriesOf({ text: JSON.stringify(spec), form: 'json', directory: repositoryRoot });
    await frames.next();
    return new StatisticsSuite(session);
  }

  /** The distributed plans of the queries in the text. */
  async plans(sql: string): Promise<ExecutionPlan[]> {
    const plans: ExecutionPlan[] = [];
    for await (const frame of this.#session.queries(sql)) plans.push(frame.plan.plan);
    return plans;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
