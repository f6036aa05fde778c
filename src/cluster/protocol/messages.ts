import type { DistqError } from '../../base/errors.js';
import { queryId, type QueryId, stageId, type StageId } from '../../base/ids.js';
import type { MetricUnit, MetricValue, TaskState } from '../../base/metrics.js';
import type { TaskFeed } from '../../distributed/feed-leaves.js';
import type { TaskMetrics } from '../../distributed/task-metrics.js';
import type { KeyFilterPart } from '../../physical/key-filters.js';
import type { RowBoundsUpdate } from '../../physical/row-bounds.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import { decodeError, encodeError } from './error-codec.js';
import { FieldReader, isList } from './fields.js';
import { decodeRowBounds, encodeRowBounds } from './row-bounds-codec.js';
import { decodeValue, encodeValue } from './value-codec.js';

/** A module that a worker loads before it does anything. */
export interface WorkerPlugin {
  readonly url: string;
  /** How the user called it, for messages. */
  readonly name: string;
}

/** What a coordinator tells a worker process. Control messages keep their order; none says anything about the order of data frames. */
export type ToWorker =
  | {
      /** First message: who the process is. It answers `listening`. */
      readonly kind: 'start';
      readonly token: Uint8Array;
      readonly build: string;
      readonly processIndex: number;
      readonly runDirectory: string;
      readonly socketPath: string;
      readonly memoryBytes: number;
      readonly poison: boolean;
      readonly highAddresses: boolean;
      readonly hotReuse: boolean;
      readonly plugins: readonly WorkerPlugin[];
    }
  | {
      /** Where every process listens, by process index. Sent before any plan that names one of them. */
      readonly kind: 'peers';
      readonly addresses: readonly string[];
    }
  | {
      /** One task: its plan, already specialised, and all settings of the session. */
      readonly kind: 'set_plan';
      readonly query: QueryId;
      readonly stage: StageId;
      readonly task: number;
      readonly taskCount: number;
      readonly worker: number;
      /** Process of each logical worker. */
      readonly placement: readonly number[];
      readonly plan: EncodedValue;
      readonly config: readonly (readonly [string, string])[];
      /** The feeds of its leaves. */
      readonly feeds: readonly TaskFeed[];
      /** Start of the query on the machine's monotonic clock, in ns. */
      readonly startNs: bigint;
    }
  /** Units of a feed that a task asked for; with `ended` it gets no more. */
  | {
      readonly kind: 'work_units';
      readonly query: QueryId;
      readonly stage: StageId;
      readonly task: number;
      readonly feed: number;
      readonly units: readonly EncodedValue[];
      readonly ended: boolean;
    }
  /** Build keys of a join that another process runs. */
  | { readonly kind: 'join_keys'; readonly query: QueryId; readonly filter: KeyFilterPart }
  /** What TopK sorts and min/max aggregates of another process have reached. */
  | { readonly kind: 'row_bounds'; readonly query: QueryId; readonly filter: RowBoundsUpdate }
  /** The query is over: send metrics of every task, drop everything, answer `query_closed`. */
  | { readonly kind: 'finish_query'; readonly query: QueryId }
  /** The same for a query that failed or was cancelled. */
  | { readonly kind: 'cancel_query'; readonly query: QueryId; readonly reason: DistqError }
  /** The process may end. */
  | { readonly kind: 'stop' };

/** What a worker process tells its coordinator. */
export type FromWorker =
  /** The process takes connections. */
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'task_failed';
      readonly query: QueryId;
      readonly stage: StageId;
      readonly task: number;
      readonly error: DistqError;
    }
  | {
      readonly kind: 'task_metrics';
      readonly query: QueryId;
      readonly stage: StageId;
      readonly task: number;
      readonly metrics: TaskMetrics;
    }
  /** A task wants so many units of a feed; the answer is `work_units`. */
  | {
      readonly kind: 'work_unit_demand';
      readonly query: QueryId;
      readonly stage: StageId;
      readonly task: number;
      readonly feed: number;
      readonly count: number;
    }
  /** A task takes no more of a feed that has not ended. */
  | {
      readonly kind: 'work_unit_leave';
      readonly query: QueryId;
      readonly stage: StageId;
      readonly task: number;
      readonly feed: number;
    }
  /** Build keys that a join here found, for the query's other processes. */
  | { readonly kind: 'join_keys'; readonly query: QueryId; readonly filter: KeyFilterPart }
  /** What a TopK sort or min/max aggregate here has reached, for the query's other processes. */
  | { readonly kind: 'row_bounds'; readonly query: QueryId; readonly filter: RowBoundsUpdate }
  /** Rows that the process's tasks gave out so far; at most four a second. */
  | { readonly kind: 'progress'; readonly query: QueryId; readonly tasks: readonly TaskProgress[] }
  /** Nothing of the query is left in the process, except what `leaks` names. */
  | { readonly kind: 'query_closed'; readonly query: QueryId; readonly leaks: readonly string[] }
  /** The process ends because of this. */
  | { readonly kind: 'fatal'; readonly error: DistqError };

export interface TaskProgress {
  readonly stage: StageId;
  readonly task: number;
  readonly rows: number;
  readonly state: TaskState;
}

export const TO_WORKER_KINDS: readonly ToWorker['kind'][] = [
  'start',
  'peers',
  'set_plan',
  'work_units',
  'join_keys',
  'row_bounds',
  'finish_query',
  'cancel_query',
  'stop',
];
export const FROM_WORKER_KINDS: readonly FromWorker['kind'][] = [
  'listening',
  'task_failed',
  'task_metrics',
  'work_unit_demand',
  'work_unit_leave',
  'join_keys',
  'row_bounds',
  'progress',
  'query_closed',
  'fatal',
];

export function encodeToWorker(message: ToWorker): Uint8Array {
  switch (message.kind) {
    case 'start':
      return encodeValue({ ...message, plugins: message.plugins.map((plugin) => ({ ...plugin })) });
    case 'set_plan':
      return encodeValue({ ...message, feeds: message.feeds.map(({ id, node }) => [id, node]) });
    case 'peers':
    case 'work_units':
    case 'finish_query':
    case 'stop':
      return encodeValue(message);
    case 'join_keys':
      return encodeValue({ ...message, filter: encodeKeyFilter(message.filter) });
    case 'row_bounds':
      return encodeValue({ ...message, filter: encodeRowBounds(message.filter) });
    case 'cancel_query':
      return encodeValue({ ...message, reason: encodeError(message.reason) });
  }
}

export function decodeToWorker(bytes: Uint8Array): ToWorker {
  const fields = new FieldReader(decodeValue(bytes), 'a control message');
  const kind = fields.choice('kind', TO_WORKER_KINDS);
  switch (kind) {
    case 'start':
      return {
        kind,
        token: fields.bytes('token'),
        build: fields.text('build'),
        processIndex: fields.count('processIndex'),
        runDirectory: fields.text('runDirectory'),
        socketPath: fields.text('socketPath'),
        memoryBytes: fields.count('memoryBytes'),
        poison: fields.flag('poison'),
        highAddresses: fields.flag('highAddresses'),
        hotReuse: fields.flag('hotReuse'),
        plugins: fields.list('plugins').map((item) => {
          const plugin = new FieldReader(item, 'a plug-in');
          return { url: plugin.text('url'), name: plugin.text('name') };
        }),
      };
    case 'peers':
      return { kind, addresses: fields.texts('addresses') };
    case 'set_plan':
      return {
        kind,
        ...decodeTask(fields),
        taskCount: fields.count('taskCount'),
        worker: fields.count('worker'),
        placement: fields.counts('placement'),
        plan: fields.value('plan'),
        config: fields.list('config').map(decodePair),
        feeds: fields.list('feeds').map(decodeFeed),
        startNs: fields.bigint('startNs'),
      };
    case 'work_units':
      return {
        kind,
        ...decodeTask(fields),
        feed: fields.count('feed'),
        units: fields.list('units'),
        ended: fields.flag('ended'),
      };
    case 'join_keys':
      return { kind, query: queryId(fields.text('query')), filter: decodeKeyFilter(fields.object('filter')) };
    case 'row_bounds':
      return { kind, query: queryId(fields.text('query')), filter: decodeRowBounds(fields.object('filter')) };
    case 'finish_query':
      return { kind, query: queryId(fields.text('query')) };
    case 'cancel_query':
      return { kind, query: queryId(fields.text('query')), reason: decodeError(fields.value('reason')) };
    case 'stop':
      return { kind };
  }
}

export function encodeFromWorker(message: FromWorker): Uint8Array {
  switch (message.kind) {
    case 'listening':
    case 'work_unit_demand':
    case 'work_unit_leave':
    case 'query_closed':
      return encodeValue(message);
    case 'task_failed':
    case 'fatal':
      return encodeValue({ ...message, error: encodeError(message.error) });
    case 'task_metrics':
      return encodeValue({ ...message, metrics: encodeMetrics(message.metrics) });
    case 'join_keys':
      return encodeValue({ ...message, filter: encodeKeyFilter(message.filter) });
    case 'row_bounds':
      return encodeValue({ ...message, filter: encodeRowBounds(message.filter) });
    case 'progress':
      return encodeValue({ ...message, tasks: message.tasks.map((task) => ({ ...task })) });
  }
}

export function decodeFromWorker(bytes: Uint8Array): FromWorker {
  const fields = new FieldReader(decodeValue(bytes), 'a control message');
  const kind = fields.choice('kind', FROM_WORKER_KINDS);
  switch (kind) {
    case 'listening':
      return { kind };
    case 'task_failed':
      return { kind, ...decodeTask(fields), error: decodeError(fields.value('error')) };
    case 'task_metrics':
      return { kind, ...decodeTask(fields), metrics: decodeMetrics(fields.object('metrics')) };
    case 'work_unit_demand':
      return { kind, ...decodeTask(fields), feed: fields.count('feed'), count: fields.count('count') };
    case 'work_unit_leave':
      return { kind, ...decodeTask(fields), feed: fields.count('feed') };
    case 'join_keys':
      return { kind, query: queryId(fields.text('query')), filter: decodeKeyFilter(fields.object('filter')) };
    case 'row_bounds':
      return { kind, query: queryId(fields.text('query')), filter: decodeRowBounds(fields.object('filter')) };
    case 'progress':
      return {
        kind,
        query: queryId(fields.text('query')),
        tasks: fields.list('tasks').map((item) => {
          const task = new FieldReader(item, 'a progress entry');
          return {
            stage: stageId(task.count('stage')),
            task: task.count('task'),
            rows: task.count('rows'),
            state: task.choice('state', STATES),
          };
        }),
      };
    case 'query_closed':
      return { kind, query: queryId(fields.text('query')), leaks: fields.texts('leaks') };
    case 'fatal':
      return { kind, error: decodeError(fields.value('error')) };
  }
}

function decodeTask(fields: FieldReader): {
  readonly query: QueryId;
  readonly stage: StageId;
  readonly task: number;
} {
  return { query: queryId(fields.text('query')), stage: stageId(fields.count('stage')), task: fields.count('task') };
}

function decodePair(value: EncodedValue): readonly [string, string] {
  const [name, text] = value !== null && isList(value) ? value : [];
  const pair = new FieldReader({ name: name ?? null, text: text ?? null }, 'a setting');
  return [pair.text('name'), pair.text('text')];
}

function decodeFeed(value: EncodedValue): TaskFeed {
  const [id, node] = value !== null && isList(value) ? value : [];
  const fields = new FieldReader({ id: id ?? null, node: node ?? null }, 'a feed');
  return { id: fields.count('id'), node: fields.count('node') };
}

function encodeKeyFilter({ id, part, parts, keys }: KeyFilterPart): EncodedValue {
  return { id, part, parts, keys: keys.map((key) => (key === null ? null : { ...key })) };
}

function decodeKeyFilter(fields: FieldReader): KeyFilterPart {
  return {
    id: fields.count('id'),
    part: fields.count('part'),
    parts: fields.count('parts'),
    keys: fields.list('keys').map((key) => {
      if (key === null) return null;
      const image = new FieldReader(key, 'the keys of a join');
      const bitmap = image.value('bitmap') === null ? null : image.bytes('bitmap');
      return { least: image.bigint('least'), largest: image.bigint('largest'), bitmap };
    }),
  };
}

const STATES: readonly TaskState[] = ['running', 'finished', 'cancelled', 'failed'];
const UNITS: readonly MetricUnit[] = ['count', 'bytes', 'time', 'gauge'];

/** Position is the key: per node of the task's plan, a flat list of name, unit, value. */
function encodeMetrics({ state, times, nodes }: TaskMetrics): EncodedValue {
  return {
    state,
    times: [times.planAddedNs, times.planExecutedNs, times.planFinishedNs],
    nodes: nodes.map((values) => values.flatMap(({ name, unit, value }) => [name, UNITS.indexOf(unit), value])),
  };
}

function decodeMetrics(fields: FieldReader): TaskMetrics {
  const time = (value: EncodedValue | undefined): number | null => {
    const reader = new FieldReader({ time: value ?? null }, 'task times');
    return reader.value('time') === null ? null : reader.number('time');
  };
  const [added, executed, finished] = fields.list('times');
  return {
    state: fields.choice('state', STATES),
    times: { planAddedNs: time(added), planExecutedNs: time(executed), planFinishedNs: time(finished) },
    nodes: fields.list('nodes').map((node) => {
      const flat = new FieldReader({ values: node }, 'the metrics of a node').list('values');
      return Array.from({ length: Math.floor(flat.length / 3) }, (_, i) => decodeMetric(flat.slice(i * 3, i * 3 + 3)));
    }),
  };
}

function decodeMetric([name, unit, value]: readonly EncodedValue[]): MetricValue {
  const fields = new FieldReader({ name: name ?? null, unit: unit ?? null, value: value ?? null }, 'a metric');
  const known = UNITS[fields.count('unit')];
  // A build knows all its units; an unknown one would be dropped rather than believed.
  return { name: fields.text('name'), unit: known ?? 'count', value: fields.number('value') };
}
