/** Distributed plans travel and are stored without losing anything (T16: every node in every state). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dispatchPlan } from '../../../src/distributed/dispatch.js';
import { DISTRIBUTED_PLAN_CODECS, DISTRIBUTED_TASK_CODECS } from '../../../src/distributed/operators/index.js';
import { distribute } from '../../../src/distributed/planner.js';
import { renderTree } from '../../../src/explain/tree.js';
import type { EncodedNode, EncodedValue } from '../../../src/expr/expr-codec.js';
import type { FunctionRegistry } from '../../../src/expr/function.js';
import { displayIndent } from '../../../src/physical/display.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { OPERATOR_CODECS } from '../../../src/physical/operators/index.js';
import { PlanCodecImpl } from '../../../src/physical/plan-codec-impl.js';
import { parquetSourceCodec } from '../../../src/sources/parquet/parquet-source-codec.js';
import { COUNT, grouped, hashed, MAX, scan, settings, sortedMerge, table } from '../../support/plan-builders.js';
import { randomPlan } from '../../support/random-plan.js';

const functions: FunctionRegistry = {
  scalar: () => undefined,
  aggregate: (name) => [COUNT, MAX].find((func) => func.name === name),
  window: () => undefined,
  names: () => ['count', 'max'],
};
const sources = [parquetSourceCodec];
const taskCodec = new PlanCodecImpl({
  functions,
  operators: [...OPERATOR_CODECS, ...DISTRIBUTED_TASK_CODECS],
  sources,
});
const planCodec = new PlanCodecImpl({
  functions,
  operators: [...OPERATOR_CODECS, ...DISTRIBUTED_PLAN_CODECS],
  sources,
});

function distributed(plan: ExecutionPlan, workers: number): ExecutionPlan {
  const config = settings({
    'execution.target_partitions': 3,
    'distributed.file_scan_config_bytes_per_partition': 1,
    'distributed.cardinality_task_count_factor': 1.5,
  });
  return distribute(plan, { config, workerCount: workers }).plan;
}

/** Text and every property of every node. */
function facts(plan: ExecutionPlan): unknown[] {
  return [plan.describe({ full: true }), plan.schema, plan.properties, ...plan.children.flatMap(facts)];
}

describe('plans through the codec', () => {
  test('every task plan arrives as it left', () => {
    fc.assert(
      fc.property(randomPlan, fc.integer({ min: 2, max: 5 }), (plan, workers) => {
        const { head, stages } = dispatchPlan(distributed(plan, workers), { workerCount: workers });
        for (const stage of [...stages, head]) {
          for (const task of stage.workers.keys()) {
            const sent = stage.taskPlan(task);
            const received = taskCodec.decodePlan(taskCodec.plan(sent));
            assert.notEqual(received, sent);
            assert.deepEqual(facts(received), facts(sent));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('an order that a shuffle keeps arrives', () => {
    const leaf = scan({ groups: [[['t0.parquet', 900]]], columns: ['k', 'v'], sortedBy: ['k'] });
    const ordered = hashed(leaf, ['v'], 3);
    const plan = distributed(sortedMerge(ordered, ['k']).withNewChildren([ordered]), 3);
    const [, top] = dispatchPlan(plan, { workerCount: 3 }).stages;
    const { plan: sent } = top ?? dispatchPlan(plan, { workerCount: 3 }).head;
    assert.deepEqual(facts(taskCodec.decodePlan(taskCodec.plan(sent))), facts(sent));
  });

  test('a whole plan is stored and read back, tree and all', () => {
    fc.assert(
      fc.property(randomPlan, fc.integer({ min: 1, max: 5 }), (plan, workers) => {
        const whole = distributed(plan, workers);
        const read = planCodec.decodePlan(planCodec.plan(whole));
        assert.equal(renderTree(read), renderTree(whole));
        assert.equal(displayIndent(read), displayIndent(whole));
      }),
      { numRuns: 100 },
    );
  });

  test('T24: a DistributedLeafExec never goes to a worker', () => {
    const plan = distributed(table('t', 3), 3);
    assert.throws(() => taskCodec.plan(plan), { kind: 'internal' });
    const [stage] = dispatchPlan(plan, { workerCount: 3 }).stages;
    assert.ok(stage !== undefined);
    assert.throws(() => taskCodec.plan(stage.plan), { kind: 'internal', message: /DistributedLeafExec/ });
  });

  test('bytes that make no sense are refused by name', () => {
    const [, stage] = dispatchPlan(distributed(grouped(table('t', 3), ['k'], 3), 3), { workerCount: 3 }).stages;
    assert.ok(stage !== undefined);
    const shuffle = find(taskCodec.plan(stage.plan), 'NetworkShuffleExec');
    const broken = (stageFields: EncodedValue): unknown => taskCodec.decodePlan({ ...shuffle, stage: stageFields });
    const protocol = { kind: 'protocol', message: /NetworkShuffleExec/ };
    assert.throws(() => broken(null), protocol);
    assert.throws(() => broken({ state: 'remote', id: 1, tasks: 0, partitionCount: 3, workers: [] }), protocol);
    assert.throws(() => broken({ state: 'remote', id: 1, tasks: 2, partitionCount: 3, workers: [0] }), protocol);
    assert.throws(() => broken({ state: 'local', id: 1, tasks: 2 }), protocol);
    assert.throws(() => broken({ state: 'somewhere', id: 1, tasks: 2 }), protocol);
  });
});

function find(node: EncodedValue, kind: string): EncodedNode {
  const found = search(node, kind);
  if (found === undefined) throw new Error(`no ${kind} was encoded`);
  return found;
}

function search(node: EncodedValue, kind: string): EncodedNode | undefined {
  if (node === null || typeof node !== 'object' || node instanceof Uint8Array) return undefined;
  if ('kind' in node && node['kind'] === kind) return { ...node, kind };
  for (const value of Object.values(node)) {
    const found = search(value, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}
