/** One row is the whole option: type, default, bounds, SET, SHOW, `--set`, help and the worker's copy follow from it. */
export type SettingSpec =
  | {
      readonly type: 'int';
      readonly default: number;
      readonly min: number;
      readonly max?: number;
      readonly doc: string;
      readonly hidden?: boolean;
    }
  | {
      readonly type: 'float';
      readonly default: number;
      readonly min: number;
      readonly max?: number;
      readonly doc: string;
      readonly hidden?: boolean;
    }
  | { readonly type: 'bool'; readonly default: boolean; readonly doc: string; readonly hidden?: boolean }
  | {
      readonly type: 'choice';
      readonly default: string;
      readonly choices: readonly string[];
      readonly doc: string;
      readonly hidden?: boolean;
    }
  | { readonly type: 'string'; readonly default: string; readonly doc: string; readonly hidden?: boolean };

/** DataFusion's and datafusion-distributed's names and defaults where they have the option; `distq.` and `debug.` are ours. */
export const SETTINGS = {
  'execution.target_partitions': {
    type: 'int',
    default: 2,
    min: 1,
    max: 1024,
    doc: 'Partitions per task: scans, hash repartitions (--partitions).',
  },
  'execution.batch_size': { type: 'int', default: 8192, min: 1, max: 1_048_576, doc: 'Target rows per record batch.' },
  'execution.collect_statistics': {
    type: 'bool',
    default: true,
    doc: 'Read file footers for statistics when a table is opened.',
  },
  'execution.enable_file_stream_work_stealing': {
    type: 'bool',
    default: true,
    doc: 'Idle partitions of a task take file ranges from its busy ones.',
  },
  'execution.use_row_number_estimates_to_optimize_partitioning': {
    type: 'bool',
    default: false,
    doc: 'Let estimated row counts suppress repartitioning of small inputs.',
  },
  'execution.parquet.pruning': { type: 'bool', default: true, doc: 'Skip row groups by their statistics.' },
  'execution.parquet.max_in_list_size': {
    type: 'int',
    default: 20,
    min: 0,
    doc: 'Longest IN list that becomes a pruning predicate.',
  },
  'execution.parquet.schema_force_view_types': { type: 'bool', default: true, doc: 'Read strings as Utf8View.' },
  'execution.parquet.binary_as_string': {
    type: 'bool',
    default: false,
    doc: 'Read unannotated binary columns as strings.',
  },
  'optimizer.repartition_aggregations': { type: 'bool', default: true, doc: 'Hash-repartition grouped aggregates.' },
  'optimizer.repartition_joins': { type: 'bool', default: true, doc: 'Hash-repartition large joins.' },
  'optimizer.enable_window_limits': { type: 'bool', default: true, doc: 'Push limits past windows.' },
  'optimizer.repartition_windows': { type: 'bool', default: true, doc: 'Hash-repartition windows.' },
  'optimizer.repartition_sorts': { type: 'bool', default: true, doc: 'Sort per partition and merge.' },
  'optimizer.repartition_file_scans': { type: 'bool', default: true, doc: 'Split files by byte ranges.' },
  'optimizer.repartition_file_min_size': {
    type: 'int',
    default: 1_048_576,
    min: 0,
    doc: 'Smallest total size, in bytes, of a scan that is split.',
  },
  'optimizer.enable_round_robin_repartition': { type: 'bool', default: true, doc: 'Spread small inputs round robin.' },
  'optimizer.subset_repartition_threshold': {
    type: 'int',
    default: 4,
    min: 0,
    doc: 'Partitions from which a hash on fewer keys satisfies one on more.',
  },
  'optimizer.prefer_existing_sort': { type: 'bool', default: false, doc: 'Keep orders through repartitions.' },
  'optimizer.prefer_existing_union': { type: 'bool', default: false, doc: 'Keep UnionExec over InterleaveExec.' },
  'optimizer.join_reordering': { type: 'bool', default: true, doc: 'Allow swapping the sides of a join.' },
  'optimizer.hash_join_single_partition_threshold': {
    type: 'int',
    default: 1_048_576,
    min: 0,
    doc: 'Build sides below this many bytes are collected.',
  },
  'optimizer.hash_join_single_partition_threshold_rows': {
    type: 'int',
    default: 131_072,
    min: 0,
    doc: 'Build sides below this many rows are collected, where bytes are unknown.',
  },
  'optimizer.top_down_join_key_reordering': {
    type: 'bool',
    default: true,
    doc: 'Reorder join keys to share a repartition.',
  },
  'optimizer.default_filter_selectivity': {
    type: 'int',
    default: 20,
    min: 0,
    max: 100,
    doc: 'Selectivity, in percent, of predicates that cannot be analysed.',
  },
  'optimizer.enable_physical_uncorrelated_scalar_subquery': {
    type: 'bool',
    default: false,
    doc: 'Run uncorrelated scalar subqueries apart; distributed plans need them as joins.',
  },
  'optimizer.enable_dynamic_filter_pushdown': { type: 'bool', default: true, doc: 'Master switch of dynamic filters.' },
  'optimizer.enable_join_dynamic_filter_pushdown': {
    type: 'bool',
    default: true,
    doc: 'Joins filter their probe side.',
  },
  'optimizer.enable_topk_dynamic_filter_pushdown': { type: 'bool', default: true, doc: 'TopK filters its input.' },
  'optimizer.enable_aggregate_dynamic_filter_pushdown': {
    type: 'bool',
    default: true,
    doc: 'min/max filter their input.',
  },
  'optimizer.enable_topk_aggregation': { type: 'bool', default: true, doc: 'Limits pass into aggregates.' },
  'optimizer.enable_topk_repartition': {
    type: 'bool',
    default: true,
    doc: 'TopK runs below a hash repartition by its leading keys too.',
  },
  'optimizer.enable_distinct_aggregation_soft_limit': {
    type: 'bool',
    default: true,
    doc: 'Limits pass into DISTINCT.',
  },
  'optimizer.enable_sort_pushdown': { type: 'bool', default: true, doc: 'Scans visit row groups in sort order.' },
  'optimizer.filter_null_join_keys': {
    type: 'bool',
    default: false,
    doc: 'Filter null keys out below joins that drop them.',
  },
  'optimizer.max_passes': { type: 'int', default: 3, min: 1, max: 16, doc: 'Passes over the logical rules.' },
  'sql_parser.enable_ident_normalization': {
    type: 'bool',
    default: true,
    doc: 'Unquoted identifiers become lower case.',
  },
  'sql_parser.parse_float_as_decimal': { type: 'bool', default: false, doc: 'Literals with a point are decimals.' },
  'sql_parser.map_string_types_to_utf8view': { type: 'bool', default: true, doc: 'SQL string types are Utf8View.' },
  'sql_parser.default_null_ordering': {
    type: 'choice',
    default: 'nulls_max',
    choices: ['nulls_max', 'nulls_min', 'nulls_first', 'nulls_last'],
    doc: 'Where nulls sort when ORDER BY does not say.',
  },
  'sql_parser.enable_subquery_sort_elimination': {
    type: 'bool',
    default: true,
    doc: 'Drop ORDER BY in subqueries without LIMIT.',
  },
  'explain.logical_plan_only': { type: 'bool', default: false, doc: 'EXPLAIN gives the logical plan only.' },
  'explain.physical_plan_only': { type: 'bool', default: false, doc: 'EXPLAIN gives the physical plans only.' },
  'explain.show_statistics': { type: 'bool', default: false, doc: 'Statistics on each line of the physical plan.' },
  'explain.show_schema': { type: 'bool', default: false, doc: 'The schema on each line of the physical plan.' },
  'distributed.file_scan_config_bytes_per_partition': {
    type: 'int',
    default: 16_777_216,
    min: 1,
    doc: 'Bytes of files per partition of a leaf stage; 1 spreads every scan over all workers.',
  },
  'distributed.cardinality_task_count_factor': {
    type: 'float',
    default: 1,
    min: 1,
    doc: 'Divisor of the task count per row-reducing node below a shuffle or broadcast.',
  },
  'distributed.children_isolator_unions': {
    type: 'bool',
    default: true,
    doc: 'Spread the children of a UNION over tasks.',
  },
  'distributed.broadcast_joins': { type: 'bool', default: true, doc: 'Broadcast collected build sides.' },
  'distributed.max_tasks_per_stage': {
    type: 'int',
    default: 0,
    min: 0,
    max: 4096,
    doc: 'Most tasks of a stage; 0 = workers.',
  },
  'distributed.partial_reduce': {
    type: 'bool',
    default: false,
    doc: 'Reduce partial aggregates again before a shuffle.',
  },
  'distributed.collect_metrics': { type: 'bool', default: true, doc: 'Workers send metrics back.' },
  'distributed.shuffle_batch_size': {
    type: 'int',
    default: 0,
    min: 0,
    doc: 'Rows per batch between stages; 0 = batch size.',
  },
  'distributed.worker_connection_buffer_budget_bytes': {
    type: 'int',
    default: 67_108_864,
    min: 65_536,
    doc: 'Target of bytes buffered per consumer over its connections.',
  },
  'distq.workers': {
    type: 'int',
    default: 0,
    min: 0,
    max: 1024,
    doc: 'Logical workers (--workers); 0 = available cores, at most 16.',
  },
  'distq.worker_mode': {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'in_process', 'processes'],
    doc: 'Where tasks run: auto forks when the work is worth it.',
  },
  'distq.coordinator_tasks': {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'always', 'never'],
    doc: 'Whether the coordinator hosts tasks of worker 0 itself.',
  },
  'distq.work_unit_queue': {
    type: 'int',
    default: 16,
    min: 1,
    max: 65536,
    doc: "Units of a plug-in's feed that wait in the coordinator for a task to take them.",
  },
  'distq.work_unit_credits': {
    type: 'int',
    default: 16,
    min: 1,
    max: 65536,
    doc: 'Most units of a feed that a task asks for at a time; a slow task asks for one.',
  },
  'distq.memory_bytes': {
    type: 'int',
    default: 0,
    min: 0,
    doc: 'Memory budget over all processes (--memory); 0 = from the machine.',
  },
  'distq.timeout_ms': { type: 'int', default: 0, min: 0, doc: 'Deadline of a query (--timeout); 0 = none.' },
  'debug.poison': { type: 'bool', default: false, doc: 'Overwrite batches after their life.', hidden: true },
  'debug.interleave': {
    type: 'int',
    default: 0,
    min: 0,
    doc: 'Seed of random turns between pulls; 0 = off.',
    hidden: true,
  },
  'debug.high_addresses': { type: 'bool', default: false, doc: 'Allocate from 3 GiB up.', hidden: true },
  'debug.windows': {
    type: 'choice',
    default: 'normal',
    choices: ['normal', 'tiny'],
    doc: 'Credit of one frame.',
    hidden: true,
  },
  'debug.reuse': {
    type: 'choice',
    default: 'normal',
    choices: ['normal', 'hot'],
    doc: 'Reuse freed blocks first.',
    hidden: true,
  },
  'debug.fault': { type: 'string', default: '', doc: 'Injected fault: <what>@<where>:<n>.', hidden: true },
  'debug.expressions': {
    type: 'choice',
    default: 'wasm',
    choices: ['wasm', 'interpreter', 'both'],
    doc: 'How expressions run.',
    hidden: true,
  },
} as const;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S extends SettingSpec> = S extends { readonly type: 'bool' }
  ? boolean
  : S extends { readonly type: 'int' | 'float' }
    ? number
    : string;

export type SettingValue<N extends SettingName> = ValueOf<(typeof SETTINGS)[N]>;
