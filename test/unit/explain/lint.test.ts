/** Each rule has a plan that it finds fault with and one like it that it lets pass. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UTF8_VIEW } from '../../../src/columnar/data-type.js';
import { stageId } from '../../../src/base/ids.js';
import { distribute } from '../../../src/distributed/planner.js';
import { BroadcastExec } from '../../../src/distributed/operators/broadcast-exec.js';
import { DistributedExec } from '../../../src/distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { NetworkBroadcastExec } from '../../../src/distributed/operators/network-broadcast-exec.js';
import { NetworkCoalesceExec } from '../../../src/distributed/operators/network-coalesce-exec.js';
import { NetworkShuffleExec } from '../../../src/distributed/operators/network-shuffle-exec.js';
import { localStage } from '../../../src/distributed/stage.js';
import { planDocument } from '../../../src/explain/json.js';
import { failing, findingsText, LINT_RULES, lintPlan, parseFailOn } from '../../../src/explain/lint/index.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import { joinedAndGrouped, manyStages, spreadUnion, twoStages } from '../../support/explained-plans.js';
import {
  crossJoin,
  grouped,
  hashed,
  hashJoin,
  nestedLoopJoin,
  scan,
  settings,
  table,
  totalled,
} from '../../support/plan-builders.js';

type Piece = readonly [path: string, start: number, end: number];

/** A leaf over one file of `bytes`, with those pieces per task. */
function leaf(bytes: number, ...tasks: (readonly Piece[])[]): DistributedLeafExec {
  const original = scan({ groups: [[['f', bytes]]], columns: ['k', 'v'] });
  const { fileScan } = original.source;
  assert.ok(fileScan !== null);
  const variants = tasks.map((pieces) =>
    original.withFileScan({
      ...fileScan,
      fileGroups: [pieces.map(([path, start, end]) => ({ path, size: bytes, modifiedMs: 0, range: { start, end } }))],
    }),
  );
  return new DistributedLeafExec(original, variants);
}

/** The plan below a coalesce into the head, run by that many tasks. */
function inTasks(plan: ExecutionPlan, tasks: number): ExecutionPlan {
  const boundary = NetworkCoalesceExec.over(plan, tasks, 1);
  return new DistributedExec(new CoalescePartitionsExec(boundary.withInputStage(localStage(plan, tasks, stageId(1)))));
}

function shuffle(input: ExecutionPlan, partitions: number, made: number, tasks = 2): NetworkShuffleExec {
  const boundary = NetworkShuffleExec.over(hashed(input, ['k'], partitions), tasks);
  return boundary.withInputStage(localStage(hashed(input, ['k'], made), tasks, stageId(2)));
}

function broadcast(input: ExecutionPlan, consumers: number, tasks = 1): NetworkBroadcastExec {
  const plan = new BroadcastExec(input, consumers);
  return NetworkBroadcastExec.over(plan, tasks).withInputStage(localStage(plan, tasks, stageId(2)));
}

const halves = leaf(100, [['f', 0, 50]], [['f', 50, 100]]);
const whole = (name = 'r', bytes = 100): ExecutionPlan => table(name, 1, { bytes });
const nullAware = (input: ExecutionPlan): ExecutionPlan =>
  hashJoin(input, whole(), [['k', 'k']], 'LeftAnti', { nullAware: true });

interface Example {
  /** Plans that trigger the rule. */
  readonly bad: Readonly<Record<string, ExecutionPlan>>;
  readonly good: Readonly<Record<string, ExecutionPlan>>;
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  'byte-ranges-missing': {
    bad: {
      'a hole': inTasks(leaf(100, [['f', 0, 40]], [['f', 50, 100]]), 2),
      'the end of the file': inTasks(leaf(100, [['f', 0, 40]], [['f', 40, 99]]), 2),
      'another file': inTasks(leaf(100, [['f', 0, 50]], [['g', 50, 100]]), 2),
      'one of two readings': inTasks(
        new DistributedLeafExec(scan({ groups: [[['f', 9]], [['f', 9]]], columns: ['k'] }), [
          scan({ groups: [[['f', 9]]], columns: ['k'] }),
          scan({ groups: [[]], columns: ['k'] }),
        ]),
        2,
      ),
    },
    good: {
      halves: inTasks(halves, 2),
      'pieces in any order': inTasks(
        leaf(
          100,
          [
            ['f', 60, 100],
            ['f', 0, 10],
          ],
          [['f', 10, 60]],
        ),
        2,
      ),
      'an empty file': inTasks(leaf(0, [['f', 0, 0]], []), 2),
    },
  },
  'byte-ranges-overlap': {
    bad: {
      'a shared stretch': inTasks(leaf(100, [['f', 0, 60]], [['f', 50, 100]]), 2),
      'the same file twice': inTasks(leaf(100, [['f', 0, 100]], [['f', 0, 100]]), 2),
      'within one task': inTasks(
        leaf(
          100,
          [
            ['f', 0, 60],
            ['f', 40, 50],
          ],
          [['f', 60, 100]],
        ),
        2,
      ),
    },
    good: {
      halves: inTasks(halves, 2),
      'a file that the table names twice': inTasks(
        new DistributedLeafExec(scan({ groups: [[['f', 9]], [['f', 9]]], columns: ['k'] }), [
          scan({ groups: [[['f', 9]]], columns: ['k'] }),
          scan({ groups: [[['f', 9]]], columns: ['k'] }),
        ]),
        2,
      ),
    },
  },
  'hash-count-mismatch': {
    bad: { 'made for one reader': inTasks(shuffle(halves, 2, 2), 2), 'too many': inTasks(shuffle(halves, 2, 6), 2) },
    good: { 'two readers of two': inTasks(shuffle(halves, 2, 4), 2), 'one reader': inTasks(shuffle(halves, 3, 3), 1) },
  },
  'boundary-count-mismatch': {
    bad: {
      'a broadcast for one reader': inTasks(broadcast(whole(), 1), 2),
      'a coalesce over more tasks than it was made for': new DistributedExec(
        NetworkCoalesceExec.over(halves, 1, 1).withInputStage(localStage(halves, 2, stageId(1))),
      ),
    },
    good: { 'a broadcast for two readers': inTasks(broadcast(whole(), 2), 2), 'a coalesce': inTasks(halves, 2) },
  },
  'join-sides-disagree': {
    bad: {
      'two and three': inTasks(
        hashJoin(hashed(halves, ['k'], 2), hashed(halves, ['k'], 3), [['k', 'k']], 'Inner', { mode: 'Partitioned' }),
        2,
      ),
    },
    good: {
      'two and two': inTasks(
        hashJoin(hashed(halves, ['k'], 2), hashed(halves, ['k'], 2), [['k', 'k']], 'Inner', { mode: 'Partitioned' }),
        2,
      ),
      collected: inTasks(hashJoin(whole(), table('t', 3), [['k', 'k']], 'Inner'), 1),
    },
  },
  'sliced-build-side': {
    bad: {
      'a leaf in halves': inTasks(hashJoin(halves, halves, [['k', 'k']], 'Left'), 2),
      'a shuffle': inTasks(hashJoin(shuffle(halves, 1, 2), halves, [['k', 'k']], 'Inner'), 2),
      'below a nested loop': inTasks(nestedLoopJoin(halves, halves, 'Inner'), 2),
    },
    good: {
      'a broadcast': inTasks(hashJoin(broadcast(whole(), 2), halves, [['k', 'k']], 'Inner'), 2),
      'one task': inTasks(hashJoin(whole(), whole('s'), [['k', 'k']], 'Left'), 1),
    },
  },
  'replicated-build-side': {
    bad: {
      left: inTasks(hashJoin(broadcast(whole(), 2), halves, [['k', 'k']], 'Left'), 2),
      full: inTasks(nestedLoopJoin(broadcast(whole(), 2), halves, 'Full'), 2),
      'NOT IN': inTasks(hashJoin(broadcast(whole(), 2), halves, [['k', 'k']], 'LeftAnti', { nullAware: true }), 2),
    },
    good: {
      inner: inTasks(hashJoin(broadcast(whole(), 2), halves, [['k', 'k']], 'Inner'), 2),
      'one task': inTasks(hashJoin(broadcast(whole(), 1), whole('s'), [['k', 'k']], 'Left'), 1),
      'below a union, each child in one task': distribute(
        new UnionExec([
          hashJoin(whole('a'), whole('b'), [['k', 'k']], 'Left'),
          hashJoin(whole('c'), whole('d'), [['k', 'k']], 'Left'),
        ]),
        { config: settings({ 'distributed.file_scan_config_bytes_per_partition': 1 }), workerCount: 2 },
      ).plan,
    },
  },
  'one-task-many-partitions': {
    bad: { eight: inTasks(table('t', 8), 1), 'in the head': new DistributedExec(totalled(table('t', 16))) },
    good: { two: inTasks(table('t', 2), 1), 'spread over two tasks': inTasks(table('t', 8), 2) },
  },
  'skewed-variants': {
    bad: { 'three times': inTasks(leaf(100, [['f', 0, 25]], [['f', 25, 100]]), 2) },
    good: {
      halves: inTasks(halves, 2),
      'just twice': inTasks(leaf(90, [['f', 0, 30]], [['f', 30, 90]]), 2),
      'one that reads nothing is not skewed': inTasks(leaf(100, [['f', 0, 100]], []), 2),
    },
  },
  'idle-variants': {
    bad: { 'one of two': inTasks(leaf(100, [['f', 0, 100]], []), 2) },
    good: { halves: inTasks(halves, 2), 'an empty table': inTasks(leaf(0, [], []), 2) },
  },
  'large-broadcast': {
    bad: {
      'as large as the probe side': inTasks(
        hashJoin(broadcast(table('b', 1, { bytes: 101 }), 2), halves, [['k', 'k']], 'Inner'),
        2,
      ),
    },
    good: { small: inTasks(hashJoin(broadcast(table('b', 1, { bytes: 10 }), 2), halves, [['k', 'k']], 'Inner'), 2) },
  },
  'null-aware-join': {
    bad: { 'over a stage': inTasks(nullAware(new CoalescePartitionsExec(shuffle(halves, 2, 2))), 1) },
    good: {
      'without stages below': inTasks(nullAware(whole('l')), 1),
      'NOT EXISTS': inTasks(
        hashJoin(new CoalescePartitionsExec(shuffle(halves, 2, 2)), whole(), [['k', 'k']], 'LeftAnti'),
        1,
      ),
    },
  },
  'cross-join': {
    bad: {
      'two tables': inTasks(crossJoin(whole('a'), whole('b')), 1),
      'a condition without equality': inTasks(nestedLoopJoin(whole('a'), whole('b'), 'Inner'), 1),
    },
    good: {
      'with a total': inTasks(crossJoin(totalled(whole('a')), whole('b')), 1),
      equality: inTasks(hashJoin(whole('a'), whole('b'), [['k', 'k']], 'Inner'), 1),
    },
  },
};

for (const [id, { bad, good }] of Object.entries(EXAMPLES)) {
  const found = (plan: ExecutionPlan) => lintPlan(plan).filter((finding) => finding.id === id);
  describe(id, () => {
    for (const [name, plan] of Object.entries(bad)) {
      test(`finds: ${name}`, () => {
        const [first, ...others] = found(plan);
        assert.ok(first !== undefined, 'nothing found');
        assert.deepEqual(others, [], 'one finding per fault');
        assert.ok(first.message.length > 20 && first.advice.length > 20);
        assert.doesNotMatch(first.message, /NaN|undefined|Infinity/);
      });
    }
    for (const [name, plan] of Object.entries(good)) {
      test(`lets pass: ${name}`, () => {
        assert.deepEqual(found(plan), []);
      });
    }
  });
}

test('every rule has examples, and ids are unique', () => {
  assert.deepEqual(LINT_RULES.map(({ id }) => id).toSorted(), Object.keys(EXAMPLES).toSorted());
});

describe('what the planner makes', () => {
  const plans = { joined: joinedAndGrouped(), union: spreadUnion(), two: twoStages(), many: manyStages(3) };
  for (const [name, plan] of Object.entries(plans)) {
    test(`${name} has no error`, () => {
      assert.deepEqual(
        lintPlan(plan).filter(({ severity }) => severity === 'error'),
        [],
      );
    });
  }

  test('grouping by text over an uneven table, at many worker counts', () => {
    for (let workers = 1; workers <= 9; workers++) {
      const input = scan({
        groups: [
          [
            ['a', 900_001],
            ['b', 17],
          ],
          [['c', 333]],
          [],
        ],
        columns: ['k', 'v'],
        types: { v: UTF8_VIEW },
      });
      const config = settings({
        'execution.target_partitions': 3,
        'distributed.file_scan_config_bytes_per_partition': 1000,
      });
      const { plan } = distribute(grouped(input, ['v'], 3), { config, workerCount: workers });
      assert.deepEqual(
        lintPlan(plan).filter(({ severity }) => severity === 'error'),
        [],
        `${workers} workers`,
      );
    }
  });
});

describe('telling', () => {
  const plan = inTasks(leaf(100, [['f', 0, 25]], [['f', 30, 100]]), 2);

  test('as text', () => {
    assert.equal(
      findingsText(lintPlan(plan)),
      `error[byte-ranges-missing] in stage 1, node 0 (DistributedLeafExec): no task reads bytes 25..30 of f; their rows would be lost
  advice: let the variants of the leaf cover every byte of its files once
warning[skewed-variants] in stage 1, node 0 (DistributedLeafExec): t1 reads 70.0 B and t0 25.0 B: 2.8 times as much
  advice: write the table as more files, or as files of like size with several row groups, so that it can be dealt out evenly
`,
    );
  });

  test('in the document', () => {
    const findings = lintPlan(plan);
    assert.deepEqual(planDocument(plan, { findings }).findings, findings);
    assert.ok(!('findings' in planDocument(plan)));
  });

  test('what scripts fail on', () => {
    const findings = lintPlan(plan);
    const ids = (...failOn: string[]): string[] => failing(findings, parseFailOn(failOn)).map(({ id }) => id);
    assert.deepEqual(ids(), []);
    assert.deepEqual(ids('any'), ['byte-ranges-missing', 'skewed-variants']);
    assert.deepEqual(ids('error'), ['byte-ranges-missing']);
    assert.deepEqual(ids('warning'), ['byte-ranges-missing', 'skewed-variants']);
    assert.deepEqual(ids('skewed-variants,cross-join'), ['skewed-variants']);
    assert.deepEqual(ids('cross-join', 'idle-variants'), []);
    assert.throws(() => parseFailOn(['skewed']), /--fail-on does not know "skewed"/);
  });
});
