/**
 * What a plug-in is given and what it may register. A plug-in is a module whose default export is called once in every process of a
 * session, with one object that holds everything: `export default (distq) => { … }`. It imports nothing of distq itself, so that there
 * is one set of classes in a process, whichever bundle runs.
 */
import type { DistqError } from '../../base/errors.js';
import type * as dataTypes from '../../columnar/data-type.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { Schema } from '../../columnar/schema.js';
import type { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import type { TaskCount } from '../../distributed/task-count.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { LeafExec, LeafOptions } from '../../physical/leaf/leaf-exec.js';
import type { RecordBatchBuilder } from '../../physical/leaf/record-batch-builder.js';
import type { WorkUnitFeed, WorkUnitFeedOptions } from '../../physical/leaf/work-unit-feed.js';
import type { PlanCodec } from '../../physical/plan-codec.js';

/** The version of everything below. A plug-in that exports another `apiVersion` is refused. */
export const PLUGIN_API_VERSION = 1;

/** The default export of a plug-in module. May be asynchronous; a process waits for it before it does anything else. */
export type Plugin = (distq: PluginApi) => void | Promise<void>;

/** What handlers know of the session. */
export interface PlanningContext {
  /** Logical workers. */
  readonly workerCount: number;
  /** Partitions per task. */
  readonly targetPartitions: number;
  /** A setting by name, for example `distributed.max_tasks_per_stage`. */
  readonly setting: (name: string) => boolean | number | string;
}

/**
 * How many tasks a node wants: asked for every node of a plan, leaves and others. A bare integer is a wish, as `desired(n)`. Of all
 * handlers the first answer counts, the built-in ones come last. Whoever wants more than one task for a leaf of their own must also
 * deal it to them: by `scaleUpLeaf`, or by a work-unit feed.
 */
export type DesiredTaskCount = (node: ExecutionPlan, context: PlanningContext) => TaskCount | number | undefined;

/**
 * What stands for a leaf in a stage of so many tasks: a `DistributedLeafExec` with one variant each, or a node that looks at its task
 * by itself. It must give the same columns. First answer wins.
 */
export type ScaleUpLeaf = (
  leaf: ExecutionPlan,
  taskCount: number,
  context: PlanningContext,
) => ExecutionPlan | undefined;

/** A leaf that a task runs. */
export interface TaskLeaf {
  /** The variant of the task. */
  readonly leaf: ExecutionPlan;
  /** The leaf's place among the tasks that run it; inside a distributed union its own share. */
  readonly taskIndex: number;
  readonly taskCount: number;
}

export interface RouteRequest {
  readonly stage: number;
  readonly taskCount: number;
  /** URLs of all workers. */
  readonly workers: readonly string[];
  /** The stage's plan, with the leaves of all its tasks. */
  readonly plan: ExecutionPlan;
  /** The stages it reads, with the workers of their tasks: they were routed before. */
  readonly inputs: readonly { readonly stage: number; readonly workers: readonly string[] }[];
  /** The leaves that a task runs, in the order of its partitions. */
  readonly leaves: (taskIndex: number) => readonly TaskLeaf[];
}

/** Where the tasks of a stage run: one URL of `workers` per task. Asked when a query is about to run. First answer wins. */
export type RouteTasks = (request: RouteRequest) => readonly string[] | undefined;

/** The task whose plan is rewritten. */
export interface WorkerContext extends PlanningContext {
  readonly stage: number;
  readonly taskIndex: number;
  readonly taskCount: number;
  /** URL of the worker that runs it. */
  readonly worker: string;
}

/**
 * Changes a task's plan in the process that runs it, before it runs. All handlers run, in the order of registration, each on the result
 * of the one before. Rows, columns, partitions and the shape of the tree must stay.
 */
export type RewriteWorkerPlan = (plan: ExecutionPlan, context: WorkerContext) => ExecutionPlan;

export interface LeafRequest {
  /** The columns that are wanted. The leaf may give just these, in this order, or all of the table's. */
  readonly columns: readonly string[];
  /** Rows after which the query may stop asking, or null: a hint. */
  readonly limit: number | null;
  /** Partitions that the session wants per task. */
  readonly targetPartitions: number;
}

/** A table whose rows a leaf gives. */
export interface PluginTable {
  readonly schema: Schema;
  /** Estimates for the planner. */
  readonly statistics?: LeafOptions['statistics'];
  scan(request: LeafRequest): ExecutionPlan;
}

/** A table from constant arguments. Throw a DistqError of kind `plan` for arguments that make no sense. */
export type PluginTableFunction = (...args: readonly ScalarValue['value'][]) => PluginTable;

/** How a class of leaves travels to workers and into stored plans. */
export interface NodeCodec<T extends LeafExec = LeafExec> {
  readonly leaf: new (...args: never[]) => T;
  /** The leaves' `name`. */
  readonly name: string;
  /** What `decode` needs to make the leaf anew: JSON values, bigints, bytes. */
  encode(leaf: T, codec: PlanCodec): { readonly [field: string]: EncodedValue };
  decode(fields: { readonly [field: string]: EncodedValue }, codec: PlanCodec): T;
}

/** Everything may be taken apart: `const { LeafExec, field } = distq`. */
export interface PluginApi {
  readonly apiVersion: typeof PLUGIN_API_VERSION;

  readonly desiredTaskCount: (handler: DesiredTaskCount) => void;
  readonly scaleUpLeaf: (handler: ScaleUpLeaf) => void;
  readonly routeTasks: (handler: RouteTasks) => void;
  readonly rewriteWorkerPlan: (handler: RewriteWorkerPlan) => void;

  /** A table that SQL can name. */
  readonly registerTable: (name: string, table: PluginTable) => void;
  /** A function for FROM: `FROM name(1, 'a')`. */
  readonly registerTableFunction: (name: string, tableOf: PluginTableFunction) => void;
  readonly registerNodeCodec: <T extends LeafExec>(codec: NodeCodec<T>) => void;
  /** A feed to be given to a leaf: `super({ name, schema, feed: distq.workUnitFeed({ units }) })`. */
  readonly workUnitFeed: (options: WorkUnitFeedOptions) => WorkUnitFeed;

  /** A wish for tasks. */
  readonly desired: (n: number) => TaskCount;
  /** Never more tasks than that. */
  readonly maximum: (n: number) => TaskCount;

  /** The base class of leaves. */
  readonly LeafExec: typeof LeafExec;
  readonly DistributedLeafExec: typeof DistributedLeafExec;
  readonly Schema: typeof Schema;
  readonly RecordBatch: typeof RecordBatch;
  /** Makes batches of rows, for leaves that override `execute`. */
  readonly RecordBatchBuilder: typeof RecordBatchBuilder;
  readonly DistqError: typeof DistqError;
  /** A column. Default: may be null. */
  readonly field: (name: string, type: dataTypes.DataType, nullable?: boolean) => dataTypes.Field;
  readonly types: PluginTypes;
}

/** The types of columns. */
export interface PluginTypes {
  readonly Boolean: dataTypes.DataType;
  readonly Int8: dataTypes.DataType;
  readonly Int16: dataTypes.DataType;
  readonly Int32: dataTypes.DataType;
  readonly Int64: dataTypes.DataType;
  readonly UInt8: dataTypes.DataType;
  readonly UInt16: dataTypes.DataType;
  readonly UInt32: dataTypes.DataType;
  readonly UInt64: dataTypes.DataType;
  readonly Float32: dataTypes.DataType;
  readonly Float64: dataTypes.DataType;
  /** What Parquet strings are read as. */
  readonly Utf8View: dataTypes.DataType;
  readonly Utf8: dataTypes.DataType;
  readonly BinaryView: dataTypes.DataType;
  readonly Binary: dataTypes.DataType;
  readonly Date32: dataTypes.DataType;
  readonly decimal: (precision: number, scale: number) => dataTypes.DataType;
  readonly timestamp: (unit: dataTypes.TimeUnit, timezone?: string | null) => dataTypes.DataType;
}
