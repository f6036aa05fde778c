/**
 * TPC-H through all planning: the stages of section 9.1 of the distributed planner reference, and that tasks share the files out.
 * Four workers, three partitions, every scan as wide as it can be, factor 1.5.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FileGroup, PartitionedFile } from '../../../src/catalog/file-scan.js';
import { dispatchPlan } from '../../../src/distributed/dispatch.js';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { planStages } from '../../../src/distributed/plan-stages.js';
import { distribute } from '../../../src/distributed/planner.js';
import { renderTree } from '../../../src/explain/tree.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { DataSourceExec } from '../../../src/physical/operators/data-source-exec.js';
import { visitPlan } from '../../../src/physical/tree.js';
import { skipWithoutCorpus } from '../../support/corpora.js';
import { madeDataFolder, skipWithoutMadeData } from '../../support/made-data.js';
import { settings } from '../../support/plan-builders.js';
import { nodeTexts, planShape, stageOf } from '../../support/plan-shape.js';
import { PlanningSession, tableFolders } from '../../support/planning-session.js';
import { TPCH_STAGES } from '../../support/published-stages.js';
import { corpusQueries } from '../../support/queries.js';
import { fixturesTpch, isCi } from '../../support/repository.js';

const WIDE = {
  'execution.target_partitions': '3',
  'distributed.file_scan_config_bytes_per_partition': '1',
  'distributed.cardinality_task_count_factor': '1.5',
};

/** The distributed plan of each query by name. */
async function distributedPlans(folder: string): Promise<ReadonlyMap<string, ExecutionPlan>> {
  const session = await PlanningSession.open(tableFolders(folder), WIDE);
  const plans = new Map<string, ExecutionPlan>();
  for (const { name, sql } of corpusQueries('tpch')) {
    const planned = (await session.plan(sql)).at(-1);
    assert.ok(planned !== undefined, name);
    plans.set(name, distribute(planned.physical, { config: settings(WIDE), workerCount: 4 }).plan);
  }
  return plans;
}

/** .ci/run makes the data where it could set up Python: then its absence is a failure. */
function skipWithoutData(): string | false {
  const isPromised = isCi && process.env.DISTQ_PYTHON !== undefined;
  return skipWithoutCorpus('tpch') || (isPromised ? false : skipWithoutMadeData('tpch-0.02'));
}

describe('TPC-H 0.02, 16 files a table: stages, tasks, partitions, boundaries', { skip: skipWithoutData() }, () => {
  let plans: Promise<ReadonlyMap<string, ExecutionPlan>> | undefined;
  const planOf = async (name: string): Promise<ExecutionPlan> => {
    plans ??= distributedPlans(madeDataFolder('tpch-0.02'));
    const plan = (await plans).get(name);
    assert.ok(plan !== undefined, `the corpus has no ${name}`);
    return plan;
  };

  for (const [name, { shape }] of Object.entries(TPCH_STAGES)) {
    test(name, async () => {
      assert.deepEqual(planShape(await planOf(name)), shape);
    });
  }

  test('boundary texts that the shapes leave open', async () => {
    const q11 = await planOf('q11');
    assert.ok(
      nodeTexts(stageOf(q11, 8).plan).includes(
        '[Stage 4] => NetworkBroadcastExec: partitions_per_consumer=1, stage_partitions=3, input_tasks=1',
      ),
    );
    const q15 = await planOf('q15');
    assert.ok(
      nodeTexts(stageOf(q15, 6).plan).includes(
        '[Stage 3] => NetworkBroadcastExec: partitions_per_consumer=1, stage_partitions=4, input_tasks=1',
      ),
    );
    const head = nodeTexts((await planOf('q22')).children[0] ?? q11);
    for (const text of [
      'BroadcastExec: input_partitions=1, consumer_tasks=1, output_partitions=1',
      'RepartitionExec: partitioning=RoundRobinBatch(3), input_partitions=1',
      'RepartitionExec: partitioning=Hash([cntrycode@0], 3), input_partitions=3',
    ]) {
      assert.ok(head.includes(text), text);
    }
  });

  test('the files of a lineitem scan, by number', async () => {
    const leaf = findLeaf(await planOf('q6'));
    const numbers = leaf.variants.map((variant) =>
      groupsOf(variant).map((group) => group.map(({ path }) => /(\d+)\.parquet$/.exec(path)?.[1]).join(',')),
    );
    assert.deepEqual(numbers, [
      ['1,10', '14,15', '4,5'],
      ['10,11', '15,16', '5,6,7'],
      ['11,12,13', '16,2,3', '7,8'],
      ['13,14,14', '3,4,4', '8,9'],
    ]);
  });
});

describe('TPC-H fixtures: what tasks read', { skip: skipWithoutCorpus('tpch') }, () => {
  test('every leaf of the 22 is spread, its variants cover each byte once, and a task’s plan holds its own only', async () => {
    const plans = await distributedPlans(fixturesTpch);
    assert.equal(plans.size, 22);
    for (const [name, plan] of plans) {
      let leaves = 0;
      for (const { plan: stage, tasks } of planStages(plan)) {
        for (const node of leavesOf(stage)) {
          assert.ok(node instanceof DistributedLeafExec, `${name}: ${node.name}`);
          leaves++;
          assert.ok(node.variants.length <= tasks);
          assertCovers(
            node.variants.flatMap((variant) => groupsOf(variant).flat()),
            groupsOf(node.original).flat(),
          );
        }
      }
      assert.ok(leaves > 0, name);
      const { head, stages } = dispatchPlan(plan, { workerCount: 4 });
      for (const stage of [...stages, head]) {
        for (const task of stage.workers.keys()) {
          visitPlan(stage.taskPlan(task), (node) => {
            assert.ok(!(node instanceof DistributedLeafExec), name);
          });
        }
      }
      // The tree shows every variant.
      const variants = planStages(plan).flatMap((stage) =>
        leavesOf(stage.plan).flatMap((leaf) => (leaf instanceof DistributedLeafExec ? leaf.variants : [])),
      );
      assert.equal(renderTree(plan).match(/^[ │]*t\d+: DataSourceExec/gm)?.length, variants.length);
    }
  });
});

/** The leaves of one stage. */
function leavesOf(plan: ExecutionPlan): ExecutionPlan[] {
  if (plan.name.startsWith('Network')) return [];
  return plan.children.length === 0 ? [plan] : plan.children.flatMap(leavesOf);
}

function findLeaf(plan: ExecutionPlan): DistributedLeafExec {
  const found = planStages(plan).flatMap((stage) => leavesOf(stage.plan));
  const [only] = found;
  assert.ok(only instanceof DistributedLeafExec && found.length === 1);
  return only;
}

function groupsOf(leaf: ExecutionPlan): readonly FileGroup[] {
  assert.ok(leaf instanceof DataSourceExec && leaf.source.fileScan !== null);
  return leaf.source.fileScan.fileGroups;
}

/** Each byte of each file is in exactly one piece. */
function assertCovers(pieces: readonly PartitionedFile[], files: readonly PartitionedFile[]): void {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const ranges = new Map<string, [number, number][]>();
  for (const { path, size, range } of pieces) {
    const list = ranges.get(path) ?? [];
    list.push([range?.start ?? 0, range?.end ?? size]);
    ranges.set(path, list);
  }
  assert.deepEqual([...ranges.keys()].sort(), [...sizes.keys()].sort());
  for (const [path, list] of ranges) {
    let covered = 0;
    for (const [start, end] of list.sort((a, b) => a[0] - b[0])) {
      assert.equal(start, covered, path);
      covered = end;
    }
    assert.equal(covered, sizes.get(path), path);
  }
}
