import fc from 'fast-check';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../src/physical/operators/coalesce-partitions-exec.js';
import { UnionExec } from '../../src/physical/operators/union-exec.js';
import { filter, grouped, hashJoin, nestedLoopJoin, table, totalled } from './plan-builders.js';

/** Single-node plans of two columns: scans of few partitions, filters, groupings, totals, limits, nested unions, joins. */
export const randomPlan: fc.Arbitrary<ExecutionPlan> = fc.letrec<{ plan: ExecutionPlan; leaf: ExecutionPlan }>(
  (tie) => ({
    leaf: fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 900 }))
      .map(([name, partitions, bytes]) => table(name, partitions, { bytes })),
    plan: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      tie('leaf'),
      tie('plan').map((input) => filter(input, 'k', 1)),
      tie('plan').map((input) => grouped(input, ['k', 'v'], 3, [])),
      tie('plan').map((input) => new CoalescePartitionsExec(input, 10)),
      fc.array(tie('plan'), { minLength: 2, maxLength: 4 }).map((inputs) => new UnionExec(inputs)),
      fc
        .tuple(tie('plan'), tie('plan'), fc.constantFrom('Inner' as const, 'Left' as const))
        .map(([left, right, type]) => hashJoin(left, right, [['k', 'k']], type, { projection: [0, 3] })),
      fc
        .tuple(tie('plan'), tie('plan'), fc.constantFrom('LeftSemi' as const, 'RightAnti' as const))
        .map(([left, right, type]) => nestedLoopJoin(left, right, type)),
      fc.tuple(tie('plan'), tie('plan')).map(([left, right]) => nestedLoopJoin(left, totalled(right), 'LeftSemi')),
    ),
  }),
).plan;
