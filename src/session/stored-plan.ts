import type { SettingName } from '../config/settings.js';
import type { JsonValue } from '../planfile/plan-document/encoded-json.js';
import { writeStoredPlan } from '../planfile/plan-document/stored-plan.js';
import type { PlannedQuery } from './plan-query.js';
import type { SessionContext } from './session-context.js';

/** Settings that say how a plan runs and not what it is. */
const RUN_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  'distq.memory_bytes',
  'distq.timeout_ms',
  'distq.worker_mode',
  'distq.coordinator_tasks',
  'distq.work_unit_queue',
  'distq.work_unit_credits',
  'execution.batch_size',
  'execution.enable_file_stream_work_stealing',
  'distributed.collect_metrics',
  'distributed.shuffle_batch_size',
  'distributed.worker_connection_buffer_budget_bytes',
]);

export function isRunSetting(name: SettingName): boolean {
  return RUN_SETTINGS.has(name) || name.startsWith('debug.') || name.startsWith('explain.');
}

/** What `explain --format json` stores beside the readable plan. */
export function storedPlan(query: PlannedQuery, session: SessionContext): JsonValue {
  const { notDistributedReason, plan, physical, sql } = query;
  const settings = session.config.entries().filter(([name]) => !isRunSetting(name));
  return writeStoredPlan({ settings, sql, notDistributedReason, plan, physical }, session.registries.storedCodec);
}
