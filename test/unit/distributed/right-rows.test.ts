/** Shapes where splitting a stage over tasks would change the rows: each is kept whole. Upstream gets some of them wrong. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NetworkShuffleExec } from '../../../src/distributed/operators/network-shuffle-exec.js';
import { distribute } from '../../../src/distributed/planner.js';
import { desired } from '../../../src/distributed/task-count.js';
import { withBuiltIns } from '../../../src/distributed/handlers.js';
import { finalGroupBy, groupByColumns } from '../../../src/physical/aggregate-expr.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { AggregateExec } from '../../../src/physical/operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../../../src/physical/operators/global-limit-exec.js';
import { PlaceholderRowExec } from '../../../src/physical/operators/placeholder-row-exec.js';
import { SortExec } from '../../../src/physical/operators/sort-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import {
  ascending,
  col,
  countStar,
  crossJoin,
  grouped,
  hashed,
  hashJoin,
  nestedLoopJoin,
  scan,
  settings,
  sortedMerge,
  table,
} from '../../support/plan-builders.js';
import { nodeTexts, planShape, stageOf } from '../../support/plan-shape.js';

function distributed(plan: ExecutionPlan, set: Record<string, string | number | boolean> = {}): ExecutionPlan {
  const config = settings({
    'execution.target_partitions': 3,
    'distributed.file_scan_config_bytes_per_partition': 1,
    'distributed.cardinality_task_count_factor': 1.5,
    ...set,
  });
  return distribute(plan, { config, workerCount: 4 }).plan;
}

/** The join of a build side with a wide probe side: what the build side's stage looks like. */
function broadcasted(build: ExecutionPlan): ExecutionPlan {
  return distributed(hashJoin(build, table('probe', 3), [['k', 'k']], 'Inner'));
}

const keys = (input: ExecutionPlan) => groupByColumns([{ expr: col(input, 'k'), name: 'k' }]);

describe('one task where one partition stands for all rows', () => {
  test('T18: a LIMIT on a build side is applied once, before the rows are broadcast', () => {
    const plan = broadcasted(new CoalescePartitionsExec(table('t', 3), 10));
    assert.deepEqual(planShape(plan), ['H←C S3', 'S3 4/12←B S2', 'S2 1/4←C S1', 'S1 4/12 leaf']);
    assert.deepEqual(nodeTexts(stageOf(plan, 3).plan).slice(1, 3), [
      'CoalescePartitionsExec',
      '[Stage 2] => NetworkBroadcastExec: partitions_per_consumer=1, stage_partitions=4, input_tasks=1',
    ]);
    assert.deepEqual(nodeTexts(stageOf(plan, 2).plan), [
      'BroadcastExec: input_partitions=1, consumer_tasks=4, output_partitions=4',
      'CoalescePartitionsExec: fetch=10',
      '[Stage 1] => NetworkCoalesceExec: output_partitions=12, input_tasks=4',
    ]);
    assert.equal(nodeTexts(stageOf(plan, 1).plan)[0], 'LocalLimitExec: fetch=10');
  });

  test('the limit of a one-partition scan', () => {
    const limited = scan({ groups: [[['t.parquet', 900]]], columns: ['k', 'v'], limit: 10 });
    assert.equal(planShape(broadcasted(limited)).at(-1), 'S1 1/4 leaf');
    // Of several partitions somebody above limits the sum.
    const shares = scan({ groups: [[['t0', 900]], [['t1', 900]]], columns: ['k', 'v'], limit: 10 });
    assert.equal(planShape(distributed(new CoalescePartitionsExec(shares, 10))).at(-1), 'S1 4/8 leaf');
  });

  test('an aggregate over one partition, with and without keys', () => {
    const one = table('t', 1);
    const total = new AggregateExec('Single', groupByColumns([]), [countStar()], one);
    const plan = distributed(crossJoin(total, table('probe', 3)));
    assert.deepEqual(planShape(plan), ['H←C S2', 'S2 4/12←B S1', 'S1 1/4 leaf']);
    const byKey = new AggregateExec('SinglePartitioned', keys(one), [], one);
    assert.equal(planShape(broadcasted(byKey)).at(-1), 'S1 1/4 leaf');
    const final = new AggregateExec(
      'FinalPartitioned',
      finalGroupBy(keys(one)),
      [],
      new AggregateExec('Partial', keys(one), [], one),
    );
    assert.equal(planShape(broadcasted(final)).at(-1), 'S1 1/4 leaf');
    // Over a shuffle each task has all rows of its keys.
    assert.equal(planShape(broadcasted(grouped(table('t', 3), ['k'], 3, []))).at(2), 'S2 3/36←Sh S1');
  });

  test('sorts, limits and partitioned joins of single partitions', () => {
    const one = table('t', 1);
    const sorted = new SortExec([ascending(col(one, 'k'))], one, { fetch: 5 });
    assert.equal(planShape(broadcasted(sorted)).at(-1), 'S1 1/4 leaf');
    assert.equal(planShape(broadcasted(new GlobalLimitExec(one, 3, 5))).at(-1), 'S1 1/4 leaf');
    const join = hashJoin(table('a', 1), table('b', 1), [['k', 'k']], 'Inner', { mode: 'Partitioned' });
    assert.equal(planShape(broadcasted(join)).at(-1), 'S1 1/4 leaf');
  });

  test('a total over a gathered shuffle', () => {
    const gathered = new CoalescePartitionsExec(hashed(table('t', 3), ['k'], 3));
    const total = new AggregateExec('Final', groupByColumns([]), [countStar()], gathered);
    const plan = distributed(crossJoin(total, table('probe', 3)));
    assert.deepEqual(planShape(plan).slice(0, 3), ['H←C S3', 'S3 4/12←B S2', 'S2 1/4←Sh S1']);
  });

  test('a leaf that nobody can scale', () => {
    const values = new PlaceholderRowExec(table('t', 1).schema);
    const config = settings({
      'distributed.file_scan_config_bytes_per_partition': 1,
      'execution.target_partitions': 3,
    });
    const plan = new UnionExec([values, table('t', 3)]);
    assert.equal(
      nodeTexts(stageOf(distribute(plan, { config, workerCount: 4 }).plan, 1).plan)[0],
      'DistributedUnionExec: t0:[c0] t1:[c1(0/3)] t2:[c1(1/3)] t3:[c1(2/3)]',
    );
    const off = distributed(plan, { 'distributed.children_isolator_unions': false });
    assert.equal(off, plan, 'without isolation one child holds the other in one task');
  });

  test('T19: with broadcasts off collected joins run in one task, hash joins that need it are still partitioned', () => {
    const off = { 'distributed.broadcast_joins': false };
    for (const join of [
      crossJoin(table('a', 3), table('b', 3)),
      nestedLoopJoin(table('a', 3), table('b', 3), 'LeftSemi'),
      hashJoin(table('a', 3), table('b', 3), [['k', 'k']], 'Inner'),
    ]) {
      const plan = distributed(join, off);
      assert.deepEqual(planShape(plan), ['H←C S1', 'S1 4/12 leaf']);
    }
    const left = distributed(hashJoin(table('a', 3), table('b', 3), [['k', 'k']], 'Left'), off);
    assert.equal(
      nodeTexts(stageOf(left, 3).plan)[0],
      'HashJoinExec: mode=Partitioned, join_type=Left, on=[(k@0, k@0)]',
    );
  });

  test('a join of two single partitions, one of them collected, stays below a parent that counts on it', () => {
    const join = nestedLoopJoin(table('a', 3), table('b', 1), 'LeftSemi');
    const plan = distributed(new GlobalLimitExec(join, 0, 5));
    assert.deepEqual(planShape(plan), ['H←C S1', 'S1 4/12 leaf']);
    assert.deepEqual(nodeTexts(plan).slice(1, 3), [
      'GlobalLimitExec: skip=0, fetch=5',
      'NestedLoopJoinExec: join_type=LeftSemi',
    ]);
  });

  test('a collected left join with a probe side of one partition stays', () => {
    const join = hashJoin(table('a', 3), table('b', 1), [['k', 'k']], 'Left');
    assert.deepEqual(planShape(distributed(join)), ['H←C S1', 'S1 4/12 leaf']);
  });
});

describe('order through a shuffle', () => {
  const ordered = (): ExecutionPlan => {
    const leaf = scan({ groups: [[['t0.parquet', 900]]], columns: ['k', 'v'], sortedBy: ['k'] });
    return hashed(leaf, ['v'], 3);
  };

  function shuffleOf(plan: ExecutionPlan): NetworkShuffleExec {
    const found: NetworkShuffleExec[] = [];
    const visit = (node: ExecutionPlan): void => {
      if (node instanceof NetworkShuffleExec) found.push(node);
      node.children.forEach(visit);
    };
    visit(plan);
    const [only] = found;
    assert.ok(only !== undefined && found.length === 1);
    return only;
  }

  test('is merged row by row where the plan above counts on it, and given up where not', () => {
    const needed = shuffleOf(distributed(sortedMerge(ordered(), ['k']).withNewChildren([ordered()])));
    assert.equal(needed.mergesByOrder, true);
    const unneeded = shuffleOf(distributed(new CoalescePartitionsExec(ordered())));
    assert.equal(unneeded.mergesByOrder, false);
    assert.deepEqual(unneeded.properties.orderings, []);
  });
});

describe('handlers', () => {
  const config = settings({});

  test('the first answer wins, built-ins come last, and every node is asked', () => {
    const asked: string[] = [];
    const handlers = withBuiltIns({
      desiredTaskCount: [
        (node) => {
          asked.push(node.name);
          return undefined;
        },
        (node) => (node.children.length === 0 ? desired(2) : undefined),
        () => desired(1),
      ],
    });
    const { plan } = distribute(sortedMerge(table('t', 2), ['k']), { config, workerCount: 4, handlers });
    assert.deepEqual(planShape(plan), ['H←C S1', 'S1 2/4 leaf']);
    assert.deepEqual(asked, ['DataSourceExec', 'SortExec', 'SortPreservingMergeExec']);
  });

  test('an answer that is no task count is refused by name', () => {
    const handlers = withBuiltIns({ desiredTaskCount: [() => desired(0.5)] });
    assert.throws(() => distribute(table('t', 2), { config, workerCount: 4, handlers }), {
      kind: 'plan',
      message: 'a handler wants 0.5 tasks for DataSourceExec',
    });
  });
});
