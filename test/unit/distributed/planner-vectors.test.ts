/** The test vectors of the distributed planner reference, 12.1, by their numbers. W = workers, P = target partitions, f = factor. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withBuiltIns } from '../../../src/distributed/handlers.js';
import { NetworkCoalesceExec } from '../../../src/distributed/operators/network-coalesce-exec.js';
import { distribute, type DistributedPlan } from '../../../src/distributed/planner.js';
import { maximum } from '../../../src/distributed/task-count.js';
import type { PhysicalSortExpr } from '../../../src/expr/physical-expr.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { AggregateExec } from '../../../src/physical/operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { EmptyExec } from '../../../src/physical/operators/empty-exec.js';
import { NestedLoopJoinExec } from '../../../src/physical/operators/nested-loop-join-exec.js';
import { SortExec } from '../../../src/physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../../src/physical/operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import { finalGroupBy, groupByColumns } from '../../../src/physical/aggregate-expr.js';
import {
  col,
  countStar,
  filter,
  grouped,
  hashed,
  hashJoin,
  nestedLoopJoin,
  renamed,
  roundRobin,
  scan,
  settings,
  sortedMerge,
  table,
} from '../../support/plan-builders.js';
import { nodeTexts, planShape, stageOf } from '../../support/plan-shape.js';

interface Environment {
  readonly workers: number;
  readonly partitions: number;
  readonly factor?: number;
  readonly set?: Readonly<Record<string, string | number | boolean>>;
  readonly pin?: (node: ExecutionPlan) => boolean;
}

/** Every scan wants as many tasks as there may be, unless `set` says otherwise. */
function plan(
  input: ExecutionPlan,
  { workers, partitions, factor = 1.5, set = {}, pin }: Environment,
): DistributedPlan {
  return distribute(input, {
    config: settings({
      'execution.target_partitions': partitions,
      'distributed.file_scan_config_bytes_per_partition': 1,
      'distributed.cardinality_task_count_factor': factor,
      ...set,
    }),
    workerCount: workers,
    handlers: withBuiltIns({
      desiredTaskCount: pin === undefined ? [] : [(node) => (pin(node) ? maximum(1) : undefined)],
    }),
  });
}

function head(distributed: DistributedPlan): string[] {
  return nodeTexts(distributed.plan);
}

function grouping(): ExecutionPlan {
  return sortedMerge(grouped(table('t', 3), ['k'], 4), ['k']);
}

describe('test vectors of the planner', () => {
  test('1: a scan', () => {
    const result = plan(table('t', 3), { workers: 3, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 3/9 leaf']);
    assert.deepEqual(head(result), [
      'DistributedExec',
      'CoalescePartitionsExec',
      '[Stage 1] => NetworkCoalesceExec: output_partitions=9, input_tasks=3',
    ]);
  });

  test('2: grouping', () => {
    const result = plan(grouping(), { workers: 3, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←C S2', 'S2 2/4←Sh S1', 'S1 3/8 leaf']);
    assert.equal(head(result).at(-1), '[Stage 2] => NetworkCoalesceExec: output_partitions=8, input_tasks=2');
  });

  test('3: grouping with 2 workers', () => {
    const shape = planShape(plan(grouping(), { workers: 2, partitions: 4 }).plan);
    assert.deepEqual(shape, ['H←C S2', 'S2 2/4←Sh S1', 'S1 2/8 leaf']);
  });

  test('4: no workers, nothing distributed, the plan itself comes back', () => {
    const input = grouping();
    const result = plan(input, { workers: 0, partitions: 4 });
    assert.equal(result.plan, input);
    assert.match(result.notDistributed ?? '', /--workers/);
  });

  test('5: factor 3 leaves one consumer, final aggregate and sort go to the head', () => {
    const result = plan(grouping(), { workers: 3, partitions: 4, factor: 3 });
    assert.deepEqual(planShape(result.plan), ['H←Sh S1', 'S1 3/4 leaf']);
    assert.deepEqual(head(result), [
      'DistributedExec',
      'SortPreservingMergeExec: [k@0 ASC NULLS LAST]',
      'SortExec: expr=[k@0 ASC NULLS LAST], preserve_partitioning=[true]',
      'AggregateExec: mode=FinalPartitioned, gby=[k@0 as k], aggr=[count(Int64(1))]',
      '[Stage 1] => NetworkShuffleExec: output_partitions=4, input_tasks=3',
    ]);
  });

  test('6: huge bytes per partition, nothing distributed', () => {
    const input = grouping();
    const set = { 'distributed.file_scan_config_bytes_per_partition': 1_000_000_000 };
    const result = plan(input, { workers: 3, partitions: 4, set });
    assert.equal(result.plan, input);
    assert.match(result.notDistributed ?? '', /2\.9 KiB.*distributed\.file_scan_config_bytes_per_partition/);
  });

  test('7: a collected left join becomes partitioned', () => {
    const join = hashJoin(table('a', 3), table('b', 3), [['k', 'k']], 'Left');
    const result = plan(join, { workers: 3, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←C S3', 'S3 3/4←Sh S1, Sh S2', 'S2 3/12 leaf', 'S1 3/12 leaf']);
    assert.equal(
      nodeTexts(stageOf(result.plan, 3).plan)[0],
      'HashJoinExec: mode=Partitioned, join_type=Left, on=[(k@0, k@0)]',
    );
  });

  test('8: two groupings joined', () => {
    const side = (name: string): ExecutionPlan => grouped(filter(table(name, 3), 'v', 1), ['k'], 4);
    const result = plan(hashJoin(side('a'), side('b'), [['k', 'k']], 'Left'), { workers: 3, partitions: 4 });
    assert.deepEqual(planShape(result.plan), [
      'H←C S5',
      'S5 2/4←Sh S2, Sh S4',
      'S4 2/8←Sh S3',
      'S3 3/8 leaf',
      'S2 2/8←Sh S1',
      'S1 3/8 leaf',
    ]);
  });

  test('9: scan and sort', () => {
    const result = plan(sortedMerge(table('t', 3), ['k']), { workers: 3, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 3/9 leaf']);
    assert.match(nodeTexts(stageOf(result.plan, 1).plan)[0] ?? '', /^SortExec/);
  });

  test('10, T20: a limit over a grouping is pushed below the coalesce and kept above', () => {
    const limited = new CoalescePartitionsExec(grouped(table('t', 3), ['k'], 4), 10);
    const result = plan(limited, { workers: 3, partitions: 4 });
    assert.equal(head(result)[1], 'CoalescePartitionsExec: fetch=10');
    assert.equal(nodeTexts(stageOf(result.plan, 2).plan)[0], 'LocalLimitExec: fetch=10');
  });

  test('10: a limit over a sorted projection limits the projection, too', () => {
    const input = table('t', 3);
    const order = (plan: ExecutionPlan, name: string): PhysicalSortExpr[] => [
      { expr: col(plan, name), descending: false, nullsFirst: false },
    ];
    const sort = new SortExec(order(input, 'k'), input, { preservePartitioning: true, fetch: 10 });
    const projection = renamed(sort, { k: 'key' });
    const merge = new SortPreservingMergeExec(order(projection, 'key'), projection, 10);
    const result = plan(merge, { workers: 3, partitions: 3 });
    assert.deepEqual(nodeTexts(stageOf(result.plan, 1).plan).slice(0, 3), [
      'LocalLimitExec: fetch=10',
      'ProjectionExec: expr=[k@0 as key, v@1 as v]',
      'SortExec: TopK(fetch=10), expr=[k@0 ASC NULLS LAST], preserve_partitioning=[true]',
    ]);
  });

  test('11: a union of two scans', () => {
    const union = new UnionExec([table('a', 2), table('b', 2)]);
    const result = plan(union, { workers: 2, partitions: 2 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 2/4 leaf']);
    assert.equal(nodeTexts(stageOf(result.plan, 1).plan)[0], 'DistributedUnionExec: t0:[c0] t1:[c1]');
  });

  test('12: a union with max_tasks_per_stage', () => {
    const union = new UnionExec([table('a', 4), table('b', 4)]);
    const result = plan(union, { workers: 3, partitions: 4, set: { 'distributed.max_tasks_per_stage': 2 } });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 2/8 leaf']);
    assert.equal(nodeTexts(stageOf(result.plan, 1).plan)[0], 'DistributedUnionExec: t0:[c0] t1:[c1]');
  });

  /** A child that wants three tasks: 13 and 14 have more workers than that. */
  const filtered = (name: string): ExecutionPlan => filter(roundRobin(table(name, 3, { bytes: 4 }), 4), 'v', 1);

  test('13: a union of filtered scans over 6 workers', () => {
    const result = plan(new UnionExec([filtered('a'), filtered('b')]), { workers: 6, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 6/24 leaf']);
    assert.equal(
      nodeTexts(stageOf(result.plan, 1).plan)[0],
      'DistributedUnionExec: t0:[c0(0/3)] t1:[c0(1/3)] t2:[c0(2/3)] t3:[c1(0/3)] t4:[c1(1/3)] t5:[c1(2/3)]',
    );
  });

  test('14: the same over 3 workers', () => {
    const result = plan(new UnionExec([filtered('a'), filtered('b')]), { workers: 3, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 3/12 leaf']);
    assert.equal(nodeTexts(stageOf(result.plan, 1).plan)[0], 'DistributedUnionExec: t0:[c0(0/2)] t1:[c0(1/2)] t2:[c1]');
  });

  test('15: a union of five', () => {
    const union = new UnionExec(['a', 'b', 'c', 'd', 'e'].map((name) => table(name, 4)));
    const result = plan(union, { workers: 3, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 3/24 leaf']);
    assert.equal(nodeTexts(stageOf(result.plan, 1).plan)[0], 'DistributedUnionExec: t0:[c0, c3] t1:[c1, c4] t2:[c2]');
  });

  test('16: a broadcast from one task to three', () => {
    const build = table('a', 3);
    const join = hashJoin(build, table('b', 3), [['k', 'k']], 'Inner');
    const result = plan(join, { workers: 3, partitions: 3, pin: (node) => node === build });
    assert.deepEqual(planShape(result.plan), ['H←C S2', 'S2 3/9←B S1', 'S1 1/9 leaf']);
    assert.deepEqual(nodeTexts(stageOf(result.plan, 2).plan).slice(1, 3), [
      'CoalescePartitionsExec',
      '[Stage 1] => NetworkBroadcastExec: partitions_per_consumer=3, stage_partitions=9, input_tasks=1',
    ]);
    assert.equal(
      nodeTexts(stageOf(result.plan, 1).plan)[0],
      'BroadcastExec: input_partitions=3, consumer_tasks=3, output_partitions=9',
    );
  });

  const unionOfJoins = (): ExecutionPlan =>
    new UnionExec(['a', 'b', 'c'].map((name) => hashJoin(table(name, 3), table(`${name}p`, 3), [['k', 'k']], 'Inner')));

  test('17: a union of broadcast joins over 3 workers', () => {
    const result = plan(unionOfJoins(), { workers: 3, partitions: 3 });
    assert.deepEqual(planShape(result.plan), [
      'H←C S4',
      'S4 3/9←B S1, B S2, B S3',
      'S3 3/9 leaf',
      'S2 3/9 leaf',
      'S1 3/9 leaf',
    ]);
    const texts = nodeTexts(stageOf(result.plan, 4).plan);
    assert.equal(texts[0], 'DistributedUnionExec: t0:[c0] t1:[c1] t2:[c2]');
    assert.equal(
      texts[3],
      '[Stage 1] => NetworkBroadcastExec: partitions_per_consumer=3, stage_partitions=3, input_tasks=3',
    );
    assert.equal(
      nodeTexts(stageOf(result.plan, 1).plan)[0],
      'BroadcastExec: input_partitions=3, consumer_tasks=1, output_partitions=3',
    );
  });

  test('18: the same over 4 workers', () => {
    const result = plan(unionOfJoins(), { workers: 4, partitions: 3 });
    assert.deepEqual(planShape(result.plan).slice(0, 2), ['H←C S4', 'S4 4/12←B S1, B S2, B S3']);
    assert.equal(
      nodeTexts(stageOf(result.plan, 4).plan)[0],
      'DistributedUnionExec: t0:[c0(0/2)] t1:[c0(1/2)] t2:[c1] t3:[c2]',
    );
    assert.deepEqual(
      [1, 2, 3].map((id) => nodeTexts(stageOf(result.plan, id).plan)[0]),
      [
        'BroadcastExec: input_partitions=3, consumer_tasks=2, output_partitions=6',
        'BroadcastExec: input_partitions=3, consumer_tasks=1, output_partitions=3',
        'BroadcastExec: input_partitions=3, consumer_tasks=1, output_partitions=3',
      ],
    );
  });

  test('19: a null-aware anti join runs in the head', () => {
    const join = hashJoin(table('a', 3), table('b', 3), [['k', 'k']], 'LeftAnti', { nullAware: true });
    const result = plan(join, { workers: 4, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 4/12 leaf']);
    assert.deepEqual(
      head(result).map((text) => text.split(':')[0]),
      [
        'DistributedExec',
        'CoalescePartitionsExec',
        'HashJoinExec',
        'CoalescePartitionsExec',
        '[Stage 1] => NetworkCoalesceExec',
        'DistributedLeafExec',
      ],
    );
  });

  test('20: so does a full nested loop join', () => {
    const result = plan(nestedLoopJoin(table('a', 3), table('b', 3), 'Full'), { workers: 4, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 4/12 leaf']);
    assert.equal(head(result)[2], 'NestedLoopJoinExec: join_type=Full');
  });

  test('21: a left semi nested loop join exchanges its sides', () => {
    const result = plan(nestedLoopJoin(table('a', 3), table('b', 3), 'LeftSemi'), { workers: 4, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S2', 'S2 4/12←B S1', 'S1 4/48 leaf']);
    assert.equal(nodeTexts(stageOf(result.plan, 2).plan)[0], 'NestedLoopJoinExec: join_type=RightSemi');
    assert.match(nodeTexts(stageOf(result.plan, 1).plan)[1] ?? '', /b0\.parquet/);
  });

  test('21: a left nested loop join gives its columns in the old order', () => {
    const join = nestedLoopJoin(table('a', 3, { columns: ['x'] }), table('b', 3, { columns: ['y'] }), 'Left');
    const result = plan(join, { workers: 4, partitions: 3 });
    assert.deepEqual(nodeTexts(stageOf(result.plan, 2).plan).slice(0, 2), [
      'ProjectionExec: expr=[x@1 as x, y@0 as y]',
      'NestedLoopJoinExec: join_type=Right',
    ]);
  });

  test('21: … but not where both sides have one partition, a collected one included', () => {
    const collected = new CoalescePartitionsExec(table('a', 3));
    const join = new NestedLoopJoinExec(collected, table('b', 1), 'Left', null, null);
    const result = plan(join, { workers: 4, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 4/12 leaf']);
    assert.equal(head(result)[1], 'NestedLoopJoinExec: join_type=Left');
  });

  test('22: a full hash join becomes partitioned, of unknown partitioning', () => {
    const join = hashJoin(table('a', 3), table('b', 3), [['k', 'k']], 'Full');
    const result = plan(join, { workers: 4, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S3', 'S3 4/12←Sh S1, Sh S2', 'S2 4/12 leaf', 'S1 4/12 leaf']);
  });

  test('23: a full join of single partitions stays as it is', () => {
    const input = hashJoin(table('a', 1), table('b', 1), [['k', 'k']], 'Full');
    assert.equal(plan(input, { workers: 4, partitions: 3 }).plan, input);
  });

  test('24: a handler pins a node above the broadcast', () => {
    const join = hashJoin(table('a', 3), table('b', 3), [['k', 'k']], 'Inner');
    const pin = (node: ExecutionPlan): boolean =>
      node instanceof CoalescePartitionsExec && node.input.name === 'NetworkBroadcastExec';
    const result = plan(join, { workers: 3, partitions: 3, pin });
    assert.deepEqual(planShape(result.plan), ['H←B S1', 'S1 3/9 leaf']);
    assert.equal(
      head(result).at(-2),
      '[Stage 1] => NetworkBroadcastExec: partitions_per_consumer=3, stage_partitions=3, input_tasks=3',
    );
  });

  const hive = (name: string): ExecutionPlan =>
    scan({
      groups: ['A', 'B', 'C', 'D'].map((key) => [[`${name}/k=${key}.parquet`, 100]]),
      columns: ['k', 'v'],
      hashedBy: ['k'],
    });

  test('25: a co-partitioned join of hive layouts needs no shuffle', () => {
    const join = hashJoin(hive('a'), hive('b'), [['k', 'k']], 'Inner', { mode: 'Partitioned' });
    const result = plan(join, { workers: 2, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←C S1', 'S1 2/4 leaf']);
    assert.equal(head(result).at(-1), '[Stage 1] => NetworkCoalesceExec: output_partitions=8, input_tasks=2');
  });

  test('26: … and grouped by another key', () => {
    const join = hashJoin(filter(hive('a'), 'v', 1), hive('b'), [['k', 'k']], 'Inner', { mode: 'Partitioned' });
    // Two aggregates shrink: one by the join key, without a repartition, and the partial one by another key.
    const byKey = groupByColumns([{ expr: col(join, 'v'), name: 'v' }]);
    const first = new AggregateExec(
      'SinglePartitioned',
      groupByColumns([{ expr: col(join, 'k'), name: 'k' }, ...byKey.exprs]),
      [],
      join,
    );
    const result = plan(sortedMerge(grouped(first, ['v'], 4), ['v']), { workers: 2, partitions: 4 });
    assert.deepEqual(planShape(result.plan), ['H←Sh S1', 'S1 2/4 leaf']);
    assert.deepEqual(
      head(result).map((text) => text.split(':')[0]),
      ['DistributedExec', 'SortPreservingMergeExec', 'SortExec', 'AggregateExec', '[Stage 1] => NetworkShuffleExec'],
    );
  });

  test('27: boundaries somebody placed: a tree from 3 tasks over 2 to 1', () => {
    const partial = groupByColumns([{ expr: col(table('t', 3), 'k'), name: 'k' }]);
    const leaves = new AggregateExec('Partial', partial, [countStar()], table('t', 3));
    const middle = new AggregateExec(
      'PartialReduce',
      finalGroupBy(partial),
      [countStar()],
      NetworkCoalesceExec.over(leaves, 3, 2),
    );
    const root = new CoalescePartitionsExec(NetworkCoalesceExec.over(middle, 2, 1));
    const result = plan(root, { workers: 1, partitions: 3 });
    assert.deepEqual(planShape(result.plan), ['H←C S2', 'S2 2/12←C S1', 'S1 3/9 leaf']);
    assert.equal(
      nodeTexts(stageOf(result.plan, 2).plan)[1],
      '[Stage 1] => NetworkCoalesceExec: output_partitions=6, input_tasks=3',
    );
    assert.match(nodeTexts(stageOf(result.plan, 1).plan)[1] ?? '', /^DistributedLeafExec/);
  });

  test('28, L5: partial reduce stands on the producer head', () => {
    const result = plan(grouping(), { workers: 3, partitions: 4, set: { 'distributed.partial_reduce': true } });
    assert.deepEqual(planShape(result.plan), ['H←C S2', 'S2 2/4←Sh S1', 'S1 3/8 leaf']);
    assert.deepEqual(nodeTexts(stageOf(result.plan, 1).plan).slice(0, 3), [
      'AggregateExec: mode=PartialReduce, gby=[k@0 as k], aggr=[count(Int64(1))]',
      'RepartitionExec: partitioning=Hash([k@0], 8), input_partitions=3',
      'AggregateExec: mode=Partial, gby=[k@0 as k], aggr=[count(Int64(1))]',
    ]);
  });

  test('T37: a plan that reads no files is not distributed', () => {
    const input = new EmptyExec(table('t', 1).schema, 3);
    const result = plan(input, { workers: 4, partitions: 3 });
    assert.equal(result.plan, input);
    assert.equal(result.notDistributed, 'the plan reads no files');
  });

  test('an elided shuffle, broadcast and coalesce (12.2)', () => {
    const small = { 'distributed.file_scan_config_bytes_per_partition': 1_000_000 };
    const big = table('big', 3, { bytes: 9_000_000 });
    const join = hashJoin(table('a', 3), hashed(table('b', 3), ['k'], 3), [['k', 'k']], 'Inner');
    // The single-task join goes up into the stage of the wide scan, beside it.
    const result = plan(hashJoin(join, big, [['v', 'k']], 'Inner'), { workers: 3, partitions: 3, set: small });
    const texts = nodeTexts(stageOf(result.plan, 1).plan);
    assert.deepEqual(texts.slice(0, 5), [
      'BroadcastExec: input_partitions=3, consumer_tasks=3, output_partitions=9',
      'HashJoinExec: mode=CollectLeft, join_type=Inner, on=[(k@0, k@0)]',
      'CoalescePartitionsExec',
      'BroadcastExec: input_partitions=3, consumer_tasks=1, output_partitions=3',
      'DistributedLeafExec: DataSourceExec: file_groups={3 groups: [[a0.parquet], [a1.parquet], [a2.parquet]]}, projection=[k, v], file_type=parquet',
    ]);
    assert.equal(texts[5], 'RepartitionExec: partitioning=Hash([k@0], 3), input_partitions=3');
  });
});
