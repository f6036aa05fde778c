export { SessionContext, type SessionOptions } from './session-context.js';
export { DataFrame, type ExplainOptions } from './data-frame.js';
export { DistqError, type ErrorKind } from '../base/errors.js';
export type { Finding, Severity } from '../explain/lint/finding.js';
export type { PluginReference } from './plugins/load-plugins.js';
export type {
  DesiredTaskCount,
  LeafRequest,
  NodeCodec,
  PlanningContext,
  Plugin,
  PluginApi,
  PluginTable,
  PluginTableFunction,
  PluginTypes,
  RewriteWorkerPlan,
  RouteRequest,
  RouteTasks,
  ScaleUpLeaf,
  TaskLeaf,
  WorkerContext,
} from './plugins/plugin-api.js';
export { PLUGIN_API_VERSION } from './plugins/plugin-api.js';
export type { ExecutionPlan } from '../physical/execution-plan.js';
export type { LeafContext } from '../physical/leaf/leaf-context.js';
export type { LeafExec, LeafOptions } from '../physical/leaf/leaf-exec.js';
export type { PlainRow } from '../physical/leaf/record-batch-builder.js';
export type { PlainValue } from '../physical/leaf/plain-value.js';
export type { FeedContext, WorkUnit, WorkUnitFeed, WorkUnitFeedOptions } from '../physical/leaf/work-unit-feed.js';
