/** The partition count in a stage's title, planner reference 7.3: P = 3 partitions, T = 4 tasks. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BroadcastExec } from '../../../src/distributed/operators/broadcast-exec.js';
import { ChildrenIsolatorUnionExec } from '../../../src/distributed/operators/children-isolator-union-exec.js';
import { NetworkBroadcastExec } from '../../../src/distributed/operators/network-broadcast-exec.js';
import { NetworkShuffleExec } from '../../../src/distributed/operators/network-shuffle-exec.js';
import { headerPartitions, localStage } from '../../../src/distributed/stage.js';
import type { JoinType } from '../../../src/expr/join-type.js';
import { groupByColumns } from '../../../src/physical/aggregate-expr.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { AggregateExec } from '../../../src/physical/operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { LocalLimitExec } from '../../../src/physical/operators/local-limit-exec.js';
import { ProjectionExec } from '../../../src/physical/operators/projection-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import {
  col,
  countStar,
  filter,
  grouped,
  hashed,
  hashJoin,
  nestedLoopJoin,
  roundRobin,
  scan,
  sortedMerge,
  table,
} from '../../support/plan-builders.js';

const leaf = table('t', 3);
const shuffle = NetworkShuffleExec.over(hashed(leaf, ['k'], 3), 4);
const other = NetworkShuffleExec.over(hashed(table('o', 3), ['k'], 3), 4);
const final = grouped(leaf, ['k'], 3).withNewChildren([NetworkShuffleExec.over(grouped(leaf, ['k'], 3).input, 4)]);

function partitioned(joinType: JoinType): ExecutionPlan {
  return hashJoin(shuffle, other, [['k', 'k']], joinType, { mode: 'Partitioned' });
}

function collected(joinType: JoinType, right: ExecutionPlan): ExecutionPlan {
  return hashJoin(NetworkBroadcastExec.over(new BroadcastExec(table('b', 3), 4), 4), right, [['k', 'k']], joinType);
}

const rows: readonly { readonly name: string; readonly plan: ExecutionPlan; readonly partitions: number }[] = [
  { name: 'hash repartition for four consumers', plan: hashed(leaf, ['k'], 12), partitions: 12 },
  { name: 'final aggregate over a shuffle', plan: final, partitions: 3 },
  { name: 'projection that keeps the key', plan: ProjectionExec.ofColumns(shuffle, [1, 0]), partitions: 3 },
  { name: 'projection that drops the key', plan: ProjectionExec.ofColumns(shuffle, [1]), partitions: 3 },
  {
    name: 'total over a shuffle (q15)',
    plan: new AggregateExec('Partial', groupByColumns([]), [countStar()], final),
    partitions: 3,
  },
  {
    name: 'partial aggregate by another key over a shuffle',
    plan: new AggregateExec('Partial', groupByColumns([{ expr: col(shuffle, 'v'), name: 'v' }]), [], shuffle),
    partitions: 3,
  },
  { name: 'filter over a shuffle', plan: filter(shuffle, 'v', 1), partitions: 3 },
  { name: 'limit over a shuffle', plan: new LocalLimitExec(shuffle, 10), partitions: 3 },
  { name: 'sort over a shuffle', plan: sortedMerge(shuffle, ['v']).children[0] ?? leaf, partitions: 3 },
  { name: 'broadcast to four consumers', plan: new BroadcastExec(leaf, 4), partitions: 48 },
  { name: 'scan', plan: leaf, partitions: 12 },
  { name: 'partial aggregate over a scan', plan: grouped(leaf, ['k'], 3).input.children[0] ?? shuffle, partitions: 12 },
  {
    name: 'scan with a declared hash layout',
    plan: scan({ groups: [[['a', 1]], [['b', 1]], [['c', 1]]], columns: ['k'], hashedBy: ['k'] }),
    partitions: 3,
  },
  {
    name: 'union',
    plan: ChildrenIsolatorUnionExec.inOneTask(new UnionExec([leaf, shuffle])),
    partitions: 24,
  },
  { name: 'coalesce', plan: new CoalescePartitionsExec(shuffle), partitions: 4 },
  { name: 'merge', plan: sortedMerge(shuffle, ['v']), partitions: 4 },
  { name: 'network broadcast', plan: NetworkBroadcastExec.over(new BroadcastExec(leaf, 4), 4), partitions: 12 },
  ...(
    ['Inner', 'Left', 'LeftSemi', 'LeftAnti', 'LeftMark', 'Right', 'RightSemi', 'RightAnti', 'RightMark'] as const
  ).map((joinType) => ({ name: `partitioned ${joinType} join`, plan: partitioned(joinType), partitions: 3 })),
  { name: 'partitioned Full join', plan: partitioned('Full'), partitions: 12 },
  ...(['Inner', 'Right', 'RightSemi', 'RightAnti', 'RightMark'] as const).flatMap((joinType) => [
    { name: `collected ${joinType} join over a shuffle`, plan: collected(joinType, shuffle), partitions: 3 },
    { name: `collected ${joinType} join over a scan`, plan: collected(joinType, leaf), partitions: 12 },
  ]),
  ...(['Left', 'LeftSemi', 'LeftAnti', 'LeftMark', 'Full'] as const).map((joinType) => ({
    name: `collected ${joinType} join over a shuffle`,
    plan: collected(joinType, shuffle),
    partitions: 12,
  })),
  { name: 'nested loop join over a shuffle', plan: nestedLoopJoin(leaf, shuffle, 'Inner'), partitions: 3 },
  { name: 'left nested loop join over a shuffle', plan: nestedLoopJoin(leaf, shuffle, 'Left'), partitions: 12 },
  { name: 'round robin', plan: roundRobin(shuffle, 3), partitions: 12 },
];

describe('partitions in a stage title', () => {
  for (const { name, plan, partitions } of rows) {
    test(name, () => {
      assert.equal(headerPartitions(localStage(plan, 4)), partitions);
    });
  }
});
