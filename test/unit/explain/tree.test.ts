import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UTF8_VIEW } from '../../../src/columnar/data-type.js';
import { dispatchPlan } from '../../../src/distributed/dispatch.js';
import { DistributedExec } from '../../../src/distributed/operators/distributed-exec.js';
import { distribute } from '../../../src/distributed/planner.js';
import { renderTree } from '../../../src/explain/tree.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { EmptyExec } from '../../../src/physical/operators/empty-exec.js';
import { SortExec } from '../../../src/physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../../src/physical/operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import {
  aggregate,
  ascending,
  col,
  grouped,
  hashed,
  hashJoin,
  MAX,
  renamed,
  scan,
  settings,
} from '../../support/plan-builders.js';

const worked = {
  'execution.target_partitions': 2,
  'distributed.file_scan_config_bytes_per_partition': 300_000,
  'distributed.cardinality_task_count_factor': 1.5,
};

function tree(plan: ExecutionPlan, values: Record<string, string | number | boolean> = {}): string {
  return renderTree(distribute(plan, { config: settings({ ...worked, ...values }), workerCount: 2 }).plan);
}

function trips(columns: readonly string[]): ExecutionPlan {
  return scan({
    groups: [[['p0.parquet', 900_000]], [['p1.parquet', 300_000]]],
    columns,
    types: { city: UTF8_VIEW, name: UTF8_VIEW },
  });
}

describe('the stage tree', () => {
  test('grouping (planner 4.8.7)', () => {
    const counts = renamed(grouped(trips(['city']), ['city'], 2), { 'count(Int64(1))': 'count(*)' });
    // DataFusion 55 puts a sort below a projection that only renames.
    const order = [ascending(col(counts, 'city'))];
    const sorted = counts.withNewChildren([new SortExec(order, counts.input, { preservePartitioning: true })]);
    assert.equal(
      tree(new SortPreservingMergeExec(order, sorted)),
      `\
┌───── DistributedExec
│ SortPreservingMergeExec: [city@0 ASC NULLS LAST]
│   [Stage 2] => NetworkCoalesceExec: output_partitions=4, input_tasks=2
└──────────────────────────────────────────────────
  ┌───── Stage 2 ── tasks=2, partitions=2
  │ ProjectionExec: expr=[city@0 as city, count(Int64(1))@1 as count(*)]
  │   SortExec: expr=[city@0 ASC NULLS LAST], preserve_partitioning=[true]
  │     AggregateExec: mode=FinalPartitioned, gby=[city@0 as city], aggr=[count(Int64(1))]
  │       [Stage 1] => NetworkShuffleExec: output_partitions=2, input_tasks=2
  └──────────────────────────────────────────────────
    ┌───── Stage 1 ── tasks=2, partitions=4
    │ RepartitionExec: partitioning=Hash([city@0], 4), input_partitions=2
    │   AggregateExec: mode=Partial, gby=[city@0 as city], aggr=[count(Int64(1))]
    │     DistributedLeafExec:
    │       t0: DataSourceExec: file_groups={2 groups: [[p0.parquet:0..300000], [p0.parquet:600000..900000]]}, projection=[city], file_type=parquet
    │       t1: DataSourceExec: file_groups={2 groups: [[p0.parquet:300000..600000], [p1.parquet:0..300000]]}, projection=[city], file_type=parquet
    └──────────────────────────────────────────────────
`,
    );
  });

  const drivers = (bytes: number): ExecutionPlan =>
    scan({
      groups: [[['d0.parquet', bytes]], [['d1.parquet', bytes]]],
      columns: ['id', 'name'],
      types: { name: UTF8_VIEW },
    });
  const joined = (bytes: number): ExecutionPlan =>
    hashJoin(drivers(bytes), trips(['city', 'driver_id']), [['id', 'driver_id']], 'Inner', { projection: [1, 2] });

  test('broadcast join (planner 4.8.8)', () => {
    assert.equal(
      tree(joined(125_000)),
      `\
┌───── DistributedExec
│ CoalescePartitionsExec
│   [Stage 2] => NetworkCoalesceExec: output_partitions=4, input_tasks=2
└──────────────────────────────────────────────────
  ┌───── Stage 2 ── tasks=2, partitions=4
  │ HashJoinExec: mode=CollectLeft, join_type=Inner, on=[(id@0, driver_id@1)], projection=[name@1, city@2]
  │   CoalescePartitionsExec
  │     [Stage 1] => NetworkBroadcastExec: partitions_per_consumer=2, stage_partitions=4, input_tasks=1
  │   DistributedLeafExec:
  │     t0: DataSourceExec: file_groups={2 groups: [[p0.parquet:0..300000], [p0.parquet:600000..900000]]}, projection=[city, driver_id], file_type=parquet
  │     t1: DataSourceExec: file_groups={2 groups: [[p0.parquet:300000..600000], [p1.parquet:0..300000]]}, projection=[city, driver_id], file_type=parquet
  └──────────────────────────────────────────────────
    ┌───── Stage 1 ── tasks=1, partitions=4
    │ BroadcastExec: input_partitions=2, consumer_tasks=2, output_partitions=4
    │   DistributedLeafExec:
    │     t0: DataSourceExec: file_groups={2 groups: [[d0.parquet:0..125000], [d1.parquet:0..125000]]}, projection=[id, name], file_type=parquet
    └──────────────────────────────────────────────────
`,
    );
  });

  test('the same join without broadcasts: gathered into the head, or not distributed at all (planner 4.8.8)', () => {
    const off = { 'distributed.broadcast_joins': false };
    assert.equal(
      tree(joined(600_000), off),
      `\
┌───── DistributedExec
│ CoalescePartitionsExec
│   HashJoinExec: mode=CollectLeft, join_type=Inner, on=[(id@0, driver_id@1)], projection=[name@1, city@2]
│     CoalescePartitionsExec
│       [Stage 1] => NetworkCoalesceExec: output_partitions=4, input_tasks=2
│     DistributedLeafExec:
│       t0: DataSourceExec: file_groups={2 groups: [[p0.parquet:0..600000], [p0.parquet:600000..900000, p1.parquet:0..300000]]}, projection=[city, driver_id], file_type=parquet
└──────────────────────────────────────────────────
  ┌───── Stage 1 ── tasks=2, partitions=4
  │ DistributedLeafExec:
  │   t0: DataSourceExec: file_groups={2 groups: [[d0.parquet:0..300000], [d1.parquet:0..300000]]}, projection=[id, name], file_type=parquet
  │   t1: DataSourceExec: file_groups={2 groups: [[d0.parquet:300000..600000], [d1.parquet:300000..600000]]}, projection=[id, name], file_type=parquet
  └──────────────────────────────────────────────────
`,
    );
    assert.equal(
      tree(joined(125_000), off),
      `\
HashJoinExec: mode=CollectLeft, join_type=Inner, on=[(id@0, driver_id@1)], projection=[name@1, city@2]
  CoalescePartitionsExec
    DataSourceExec: file_groups={2 groups: [[d0.parquet], [d1.parquet]]}, projection=[id, name], file_type=parquet
  DataSourceExec: file_groups={2 groups: [[p0.parquet], [p1.parquet]]}, projection=[city, driver_id], file_type=parquet
`,
    );
  });

  test('T26: a text that ends in blanks or a line break stays one line', () => {
    class WordyExec extends EmptyExec {
      override describe(): string {
        return 'WordyExec: custom \n';
      }
    }
    const plan = new UnionExec([trips(['city']), new WordyExec(trips(['city']).schema)]);
    const lines = tree(plan).split('\n');
    assert.ok(lines.includes('  │   WordyExec: custom'));
    assert.ok(lines.every((line) => line === '' || /^\s*[┌│└]/.test(line)));
  });

  test('a stage that was handed to workers has no plan to show', () => {
    const { plan } = distribute(trips(['city']), { config: settings(worked), workerCount: 2 });
    const { head } = dispatchPlan(plan, { workerCount: 2 });
    assert.deepEqual(renderTree(new DistributedExec(head.plan)).split('\n').slice(1), [
      '│ CoalescePartitionsExec',
      '│   [Stage 1] => NetworkCoalesceExec: output_partitions=4, input_tasks=2',
      `└${'─'.repeat(50)}`,
      '  StageExec: encoded input plan',
      '',
    ]);
  });

  test('siblings and two nesting levels (planner 7.4)', () => {
    const facts = (name: string): ExecutionPlan =>
      scan({ groups: [[[`${name}0.parquet`, 600_000]], [[`${name}1.parquet`, 600_000]]], columns: ['k', 'v'] });
    const right = facts('r');
    const largest = grouped(right, ['k'], 2, [aggregate(MAX, [col(right, 'v')], 'max(r.v)')]);
    const plan = hashJoin(
      hashed(facts('l'), ['k', 'v'], 2),
      hashed(largest, ['k', 'max(r.v)'], 2),
      [
        ['k', 'k'],
        ['v', 'max(r.v)'],
      ],
      'Inner',
      { mode: 'Partitioned' },
    );
    const leaf = (indent: string, name: string): string =>
      [0, 300_000]
        .map(
          (start, task) =>
            `${indent}t${task}: DataSourceExec: file_groups={2 groups: [[${name}0.parquet:${start}..${start + 300_000}], ` +
            `[${name}1.parquet:${start}..${start + 300_000}]]}, projection=[k, v], file_type=parquet`,
        )
        .join('\n');
    assert.equal(
      tree(plan),
      `\
┌───── DistributedExec
│ CoalescePartitionsExec
│   [Stage 4] => NetworkCoalesceExec: output_partitions=4, input_tasks=2
└──────────────────────────────────────────────────
  ┌───── Stage 4 ── tasks=2, partitions=2
  │ HashJoinExec: mode=Partitioned, join_type=Inner, on=[(k@0, k@0), (v@1, max(r.v)@1)]
  │   [Stage 1] => NetworkShuffleExec: output_partitions=2, input_tasks=2
  │   [Stage 3] => NetworkShuffleExec: output_partitions=2, input_tasks=2
  └──────────────────────────────────────────────────
    ┌───── Stage 1 ── tasks=2, partitions=4
    │ RepartitionExec: partitioning=Hash([k@0, v@1], 4), input_partitions=2
    │   DistributedLeafExec:
${leaf('    │     ', 'l')}
    └──────────────────────────────────────────────────
    ┌───── Stage 3 ── tasks=2, partitions=4
    │ RepartitionExec: partitioning=Hash([k@0, max(r.v)@1], 4), input_partitions=2
    │   AggregateExec: mode=FinalPartitioned, gby=[k@0 as k], aggr=[max(r.v)]
    │     [Stage 2] => NetworkShuffleExec: output_partitions=2, input_tasks=2
    └──────────────────────────────────────────────────
      ┌───── Stage 2 ── tasks=2, partitions=4
      │ RepartitionExec: partitioning=Hash([k@0], 4), input_partitions=2
      │   AggregateExec: mode=Partial, gby=[k@0 as k], aggr=[max(r.v)]
      │     DistributedLeafExec:
${leaf('      │       ', 'r')}
      └──────────────────────────────────────────────────
`,
    );
  });
});
