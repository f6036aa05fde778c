/**
 * Physical plans as DataFusion's planner shapes them, put together by hand over Parquet tables of which only names and sizes exist.
 */
import type { FileGroup, PartitionedFile } from '../../src/catalog/file-scan.js';
import { unknownStatistics } from '../../src/catalog/statistics.js';
import { type DataType, field, INT64 } from '../../src/columnar/data-type.js';
import { scalar } from '../../src/columnar/scalar-value.js';
import { Schema } from '../../src/columnar/schema.js';
import { SessionConfig } from '../../src/config/session-config.js';
import type { AggregateFunction } from '../../src/expr/function.js';
import {
  type PhysicalExpr,
  physicalColumn,
  physicalLiteral,
  type PhysicalSortExpr,
} from '../../src/expr/physical-expr.js';
import type { JoinType } from '../../src/expr/join-type.js';
import { finalGroupBy, groupByColumns, type PhysicalAggregateExpr } from '../../src/physical/aggregate-expr.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { AggregateExec } from '../../src/physical/operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../../src/physical/operators/coalesce-partitions-exec.js';
import { CrossJoinExec } from '../../src/physical/operators/cross-join-exec.js';
import { DataSourceExec } from '../../src/physical/operators/data-source-exec.js';
import { FilterExec } from '../../src/physical/operators/filter-exec.js';
import { type HashJoinOptions, HashJoinExec, type PartitionMode } from '../../src/physical/operators/hash-join-exec.js';
import { NestedLoopJoinExec } from '../../src/physical/operators/nested-loop-join-exec.js';
import { ProjectionExec } from '../../src/physical/operators/projection-exec.js';
import { RepartitionExec } from '../../src/physical/operators/repartition-exec.js';
import { SortExec } from '../../src/physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../src/physical/operators/sort-preserving-merge-exec.js';
import { ParquetSource } from '../../src/sources/parquet/parquet-source.js';

/** Settings over the defaults. */
export function settings(values: Readonly<Record<string, string | number | boolean>>): SessionConfig {
  return SessionConfig.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)] as const));
}

function file(path: string, size: number, range: readonly [start: number, end: number] | null = null): PartitionedFile {
  return { path, size, modifiedMs: 0, range: range === null ? null : { start: range[0], end: range[1] } };
}

export interface ScanShape {
  /** One group per partition; a file is [path, bytes]. */
  readonly groups: readonly (readonly (readonly [path: string, bytes: number])[])[];
  readonly columns: readonly string[];
  readonly types?: Readonly<Record<string, DataType>>;
  readonly limit?: number | null;
  readonly sortedBy?: readonly string[];
  /** Columns that the groups are hash partitioned by. */
  readonly hashedBy?: readonly string[];
}

/** A scan of a table whose columns are all read. Columns are INT64 unless `types` says otherwise. */
export function scan({ groups, columns, types = {}, limit = null, sortedBy, hashedBy }: ScanShape): DataSourceExec {
  const schema = new Schema(columns.map((name) => field(name, types[name] ?? INT64, false)));
  const fileGroups: FileGroup[] = groups.map((group) => group.map(([path, bytes]) => file(path, bytes)));
  return new DataSourceExec(
    new ParquetSource(
      {
        fileType: 'parquet',
        tableSchema: schema,
        fileGroups,
        projection: columns.map((name, index) => ({ expr: physicalColumn(schema, index), name })),
        predicate: null,
        limit,
        outputOrderings: sortedBy === undefined ? [] : [sortedBy.map((name) => ascending(columnOf(schema, name)))],
        sortOrderForReorder: null,
        reverseRowGroups: false,
        tableStatistics: unknownStatistics(columns.length),
        ...(hashedBy === undefined ? {} : { hashKeys: hashedBy.map((name) => columnOf(schema, name)) }),
      },
      { pruning: true, maxInListSize: 20 },
    ),
  );
}

/** A table of `partitions` files `<name><i>.parquet` of `bytes` each, one per partition, with the columns k and v. */
export function table(
  name: string,
  partitions: number,
  { bytes = 1000, columns = ['k', 'v'] }: { readonly bytes?: number; readonly columns?: readonly string[] } = {},
): DataSourceExec {
  const groups = Array.from({ length: partitions }, (_, i) => [[`${name}${i}.parquet`, bytes]] as const);
  return scan({ groups, columns });
}

function columnOf(schema: Schema, name: string): PhysicalExpr {
  return physicalColumn(schema, schema.require(name));
}

export function col(input: ExecutionPlan, name: string): PhysicalExpr {
  return columnOf(input.schema, name);
}

export function ascending(expr: PhysicalExpr): PhysicalSortExpr {
  return { expr, descending: false, nullsFirst: false };
}

/** `column > value` */
export function filter(input: ExecutionPlan, column: string, value: number): FilterExec {
  return new FilterExec(
    {
      kind: 'binary',
      left: col(input, column),
      op: '>',
      right: physicalLiteral(scalar(INT64, BigInt(value))),
      type: { kind: 'Boolean' },
      nullable: false,
    },
    input,
  );
}

/** An aggregate function for plans that are only looked at. */
function planOnlyAggregate(name: string): AggregateFunction {
  return {
    name,
    aliases: [],
    doc: { summary: '', example: { sql: '', result: '' } },
    coerce: (types) => [...types],
    returnType: () => INT64,
    nullable: false,
    stateFields: (column) => [field(`${column}[${name}]`, INT64, false)],
    orderSensitive: false,
    createAccumulator: () => {
      throw new Error(`${name} is for plans only`);
    },
  };
}

export const COUNT: AggregateFunction = planOnlyAggregate('count');
export const MAX: AggregateFunction = planOnlyAggregate('max');

export function aggregate(func: AggregateFunction, args: readonly PhysicalExpr[], name: string): PhysicalAggregateExpr {
  return {
    func,
    args,
    distinct: false,
    filter: null,
    orderBy: [],
    ignoreNulls: false,
    name,
    text: name,
    type: INT64,
    nullable: false,
  };
}

export function countStar(): PhysicalAggregateExpr {
  return aggregate(COUNT, [physicalLiteral(scalar(INT64, 1n))], 'count(Int64(1))');
}

/** Partial → hash repartition → FinalPartitioned, as a GROUP BY over several partitions is planned. */
export function grouped(
  input: ExecutionPlan,
  keys: readonly string[],
  partitions: number,
  aggregates: readonly PhysicalAggregateExpr[] = [countStar()],
): AggregateExec {
  const groupBy = groupByColumns(keys.map((name) => ({ expr: col(input, name), name })));
  const partial = new AggregateExec('Partial', groupBy, aggregates, input);
  const exchanged = hashed(partial, keys, partitions);
  return new AggregateExec('FinalPartitioned', finalGroupBy(groupBy), aggregates, exchanged);
}

/** Partial → CoalescePartitions → Final: an aggregate without keys. */
export function totalled(
  input: ExecutionPlan,
  aggregates: readonly PhysicalAggregateExpr[] = [countStar()],
): AggregateExec {
  const groupBy = groupByColumns([]);
  const partial = new AggregateExec('Partial', groupBy, aggregates, input);
  return new AggregateExec('Final', groupBy, aggregates, new CoalescePartitionsExec(partial));
}

export function hashed(input: ExecutionPlan, keys: readonly string[], partitions: number): RepartitionExec {
  const exprs = keys.map((name) => col(input, name));
  return new RepartitionExec({ kind: 'hash', exprs, count: partitions }, input);
}

export function roundRobin(input: ExecutionPlan, partitions: number): RepartitionExec {
  return new RepartitionExec({ kind: 'round_robin', count: partitions }, input);
}

/** Sorted per partition and merged. */
export function sortedMerge(input: ExecutionPlan, keys: readonly string[], fetch: number | null = null): ExecutionPlan {
  const order = keys.map((name) => ascending(col(input, name)));
  const sort = new SortExec(order, input, { preservePartitioning: true, fetch });
  return new SortPreservingMergeExec(order, sort, fetch);
}

export function renamed(input: ExecutionPlan, names: Readonly<Record<string, string>>): ProjectionExec {
  return new ProjectionExec(
    input.schema.fields.map((f, index) => ({
      expr: physicalColumn(input.schema, index),
      name: names[f.name] ?? f.name,
    })),
    input,
  );
}

/** A join on pairs of columns; a CollectLeft join gathers its left side unless that is one partition. */
export function hashJoin(
  left: ExecutionPlan,
  right: ExecutionPlan,
  on: readonly (readonly [left: string, right: string])[],
  joinType: JoinType,
  { mode = 'CollectLeft', ...options }: HashJoinOptions & { readonly mode?: PartitionMode } = {},
): HashJoinExec {
  const keys = on.map(([l, r]) => [col(left, l), col(right, r)] as const);
  return new HashJoinExec(mode === 'CollectLeft' ? collected(left) : left, right, keys, joinType, mode, options);
}

export function nestedLoopJoin(left: ExecutionPlan, right: ExecutionPlan, joinType: JoinType): NestedLoopJoinExec {
  return new NestedLoopJoinExec(collected(left), right, joinType, null);
}

export function crossJoin(left: ExecutionPlan, right: ExecutionPlan): CrossJoinExec {
  return new CrossJoinExec(collected(left), right);
}

function collected(input: ExecutionPlan): ExecutionPlan {
  return input.properties.partitioning.count === 1 ? input : new CoalescePartitionsExec(input);
}
