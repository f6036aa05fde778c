import { workerCount } from '../cluster/coordinator/hosting.js';
import { DistqError } from '../base/errors.js';
import type { SessionConfig } from '../config/session-config.js';
import type { SettingName } from '../config/settings.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import { distribute } from '../distributed/planner.js';
import { planDocument } from '../explain/json.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import type { DocumentNode } from '../planfile/document/document-node.js';
import { readStoredPlan, type StoredPlan } from '../planfile/plan-document/stored-plan.js';
import { StatisticsSource } from '../sources/statistics/statistics-source.js';
import { DataFrame } from './data-frame.js';
import type { PlannedQuery } from './plan-query.js';
import type { SessionContext } from './session-context.js';
import { isRunSetting } from './stored-plan.js';

/**
 * A plan document as a frame: the plan as it stands, unless `replan`. Flags that would make another plan are a `config` error without
 * it; with it the stored single-node plan is distributed anew, or, where tables are given, the stored statement is planned anew.
 */
export async function* runPlanDocument(
  document: DocumentNode,
  replan: boolean,
  session: SessionContext,
): AsyncGenerator<DataFrame, void, undefined> {
  const given = session.config.entries().filter(([name]) => !isRunSetting(name));
  if (!replan) refuseReplanning(given, session);
  const stored = readStoredPlan(document, session.registries.storedCodec, (plan) => planDocument(plan).stages);
  session.config = overlaid(session.config, stored);
  if (replan && session.hasData) {
    if (stored.sql === null) {
      throw new DistqError('config', 'the document holds no statement to plan anew', {
        hint: 'leave --data out: the stored plan is distributed anew then',
      });
    }
    yield* session.queries(stored.sql);
    return;
  }
  yield new DataFrame(replan ? redistributed(stored, given, session) : asItStands(stored), session);
}

function refuseReplanning(given: readonly (readonly [SettingName, string])[], session: SessionContext): void {
  const [setting] = given;
  if (setting === undefined && !session.hasData) return;
  const what = setting === undefined ? 'other tables' : `another ${setting[0]}`;
  throw new DistqError('config', `a plan document is taken as it stands, and ${what} would make another plan`, {
    hint: 'leave the flag out, or plan anew with --replan',
  });
}

/** What was given now wins over what was stored. */
function overlaid(config: SessionConfig, { settings }: StoredPlan): SessionConfig {
  let result = config;
  for (const [name, value] of settings) {
    const next = result.with(name, value);
    if (!config.entries().some(([known]) => known === name.toLowerCase())) result = next;
  }
  return result;
}

function asItStands({ plan, physical, sql, notDistributedReason }: StoredPlan): PlannedQuery {
  return { logical: null, physical, plan, sql, notDistributedReason, statisticsOnly: statisticsOnlyTables(plan) };
}

/** The stored single-node plan over other workers. What shapes that plan itself needs the tables. */
function redistributed(
  stored: StoredPlan,
  given: readonly (readonly [SettingName, string])[],
  session: SessionContext,
): PlannedQuery {
  const other = given.find(([name]) => name !== 'distq.workers' && !name.startsWith('distributed.'));
  if (other !== undefined) {
    throw new DistqError('config', `another ${other[0]} needs the statement planned anew`, {
      hint: 'give the tables with --data too',
    });
  }
  const { config, registries } = session;
  const { plan, notDistributed } = distribute(stored.physical, {
    config,
    workerCount: workerCount(config),
    handlers: registries.plugins.handlers,
  });
  return { ...asItStands(stored), plan, notDistributedReason: notDistributed };
}

function statisticsOnlyTables(plan: ExecutionPlan): string[] {
  const names = new Set<string>();
  const visit = (node: ExecutionPlan): void => {
    if (node instanceof DistributedLeafExec) visit(node.original);
    if (node instanceof DataSourceExec && node.source instanceof StatisticsSource) names.add(node.source.table);
    node.children.forEach(visit);
  };
  visit(plan);
  return [...names];
}
