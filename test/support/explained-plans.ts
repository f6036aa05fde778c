/** Plans that tests of `explain` print: distributed over hand-built tables. */
import { distribute } from '../../src/distributed/planner.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { UnionExec } from '../../src/physical/operators/union-exec.js';
import { filter, grouped, hashed, hashJoin, scan, settings, sortedMerge, table } from './plan-builders.js';

function spread(plan: ExecutionPlan, workers = 2): ExecutionPlan {
  const config = settings({
    'execution.target_partitions': 2,
    'distributed.file_scan_config_bytes_per_partition': 300_000,
    'distributed.cardinality_task_count_factor': 1.5,
  });
  return distribute(plan, { config, workerCount: workers }).plan;
}

function trips(): ExecutionPlan {
  return scan({ groups: [[['p0.parquet', 900_000]], [['p1.parquet', 300_000]]], columns: ['city', 'driver_id'] });
}

function drivers(): ExecutionPlan {
  return scan({ groups: [[['d0.parquet', 600_000]], [['d1.parquet', 600_000]]], columns: ['id', 'name'] });
}

/** Three stages: a broadcast, a shuffle and the coalesce into the head, which sorts. */
export function joinedAndGrouped(): ExecutionPlan {
  const joined = hashJoin(filter(drivers(), 'name', 7), trips(), [['id', 'driver_id']], 'Inner', {
    projection: [1, 2],
  });
  return spread(sortedMerge(grouped(joined, ['city'], 2), ['city'], 10));
}

/** A union spread over three tasks. */
export function spreadUnion(): ExecutionPlan {
  return spread(new UnionExec([table('a', 2, { bytes: 600_000 }), table('b', 1, { bytes: 300_000 })]), 3);
}

/** One stage, two tasks: the smallest plan with a network boundary. */
export function twoStages(): ExecutionPlan {
  return spread(sortedMerge(trips(), ['city']));
}

/** Joins of shuffled and grouped inputs, nested on both sides: 38 stages at depth 3. */
export function manyStages(depth: number): ExecutionPlan {
  let leaf = 0;
  const side = (level: number): ExecutionPlan => {
    const input =
      level === 0 ? table(`table_${leaf++}_`, 2, { bytes: 600_000, columns: ['k', `v${leaf}`] }) : join(level);
    return grouped(input, ['k'], 2);
  };
  const both = (left: ExecutionPlan, right: ExecutionPlan): ExecutionPlan =>
    hashJoin(hashed(left, ['k'], 2), hashed(right, ['k'], 2), [['k', 'k']], 'Inner', {
      mode: 'Partitioned',
      projection: [0, 1],
    });
  const join = (level: number): ExecutionPlan => both(side(level - 1), side(level - 1));
  return spread(sortedMerge(both(side(depth), side(depth - 2)), ['k']), 4);
}
