import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOLEAN, DATE32, decimal, field, INT32, INT64, UINT64, UTF8_VIEW } from '../../../src/columnar/data-type.js';
import { scalar } from '../../../src/columnar/scalar-value.js';
import { EMPTY_SCHEMA, Schema } from '../../../src/columnar/schema.js';
import { type PhysicalExpr, physicalColumn, physicalLiteral } from '../../../src/expr/physical-expr.js';
import { physicalBinary } from '../../../src/expr/physical-planner.js';
import { lag } from '../../../src/functions/window/lag.js';
import { finalGroupBy, groupByColumns, type PhysicalAggregateExpr } from '../../../src/physical/aggregate-expr.js';
import { displayIndent } from '../../../src/physical/display.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { AggregateExec } from '../../../src/physical/operators/aggregate-exec.js';
import { BoundedWindowAggExec } from '../../../src/physical/operators/bounded-window-agg-exec.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { CrossJoinExec } from '../../../src/physical/operators/cross-join-exec.js';
import { EmptyExec } from '../../../src/physical/operators/empty-exec.js';
import { FilterExec } from '../../../src/physical/operators/filter-exec.js';
import { GlobalLimitExec } from '../../../src/physical/operators/global-limit-exec.js';
import { HashJoinExec } from '../../../src/physical/operators/hash-join-exec.js';
import { OPERATOR_CODECS } from '../../../src/physical/operators/index.js';
import { InterleaveExec } from '../../../src/physical/operators/interleave-exec.js';
import { joinFilterSchema } from '../../../src/physical/operators/join-filter.js';
import { LocalLimitExec } from '../../../src/physical/operators/local-limit-exec.js';
import { NestedLoopJoinExec } from '../../../src/physical/operators/nested-loop-join-exec.js';
import { PlaceholderRowExec } from '../../../src/physical/operators/placeholder-row-exec.js';
import { ProjectionExec } from '../../../src/physical/operators/projection-exec.js';
import { RepartitionExec } from '../../../src/physical/operators/repartition-exec.js';
import { SortExec } from '../../../src/physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../../src/physical/operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import { WindowAggExec } from '../../../src/physical/operators/window-agg-exec.js';
import { PlanCodecImpl } from '../../../src/physical/plan-codec-impl.js';
import type { PhysicalWindowExpr } from '../../../src/physical/window-expr.js';
import { describedSourceCodec, describedTable, testFunctions, testSum } from '../../support/plan-nodes.js';

const codec = new PlanCodecImpl({
  functions: testFunctions,
  operators: OPERATOR_CODECS,
  sources: [describedSourceCodec],
});

const items = describedTable(
  [field('id', INT64, false), field('price', decimal(15, 2)), field('day', DATE32), field('kind', UTF8_VIEW)],
  { rows: 100_000, files: 3, name: 'items' },
);
const kinds = describedTable([field('kind', UTF8_VIEW), field('weight', INT32)], { rows: 7, name: 'kinds' });
const column = (plan: ExecutionPlan, index: number): PhysicalExpr => physicalColumn(plan.schema, index);
const asc = (expr: PhysicalExpr) => ({ expr, descending: false, nullsFirst: false });
const cheap = physicalBinary(column(items, 1), '<', physicalLiteral(scalar(decimal(15, 2), 2400n)));
const total: PhysicalAggregateExpr = {
  func: testSum,
  args: [column(items, 1)],
  distinct: true,
  filter: physicalBinary(column(items, 0), '>', physicalLiteral(scalar(INT64, 5n))),
  orderBy: [asc(column(items, 2))],
  ignoreNulls: true,
  name: 'sum(items.price * Int64(1))',
  text: 'sum(items.price)',
  type: decimal(25, 2),
  nullable: true,
};
const byKind = groupByColumns([{ expr: column(items, 3), name: 'kind' }]);
const partial = new AggregateExec('Partial', byKind, [total], items);
const hashed = new RepartitionExec({ kind: 'hash', exprs: [column(partial, 0)], count: 3 }, partial);
const sorted = new SortExec([asc(column(items, 2))], items, { preservePartitioning: true });
const nearColumns = [
  { side: 'left', index: 0 },
  { side: 'right', index: 1 },
] as const;
const nearSchema = joinFilterSchema(nearColumns, items.schema, kinds.schema);
const near = {
  expr: physicalBinary(physicalColumn(nearSchema, 0), '<', physicalColumn(nearSchema, 1)),
  columns: nearColumns,
  schema: nearSchema,
};

const lagging: PhysicalWindowExpr = {
  func: lag,
  args: [column(items, 1)],
  partitionBy: [column(items, 3)],
  orderBy: [asc(column(items, 2))],
  frame: {
    units: 'RANGE',
    start: { direction: 'PRECEDING', offset: null },
    end: { direction: 'CURRENT ROW', offset: null },
  },
  distinct: false,
  filter: null,
  ignoreNulls: true,
  reversed: true,
  name: 'lag(items."price")',
  type: decimal(15, 2),
  nullable: true,
};
const summing: PhysicalWindowExpr = {
  ...lagging,
  func: testSum,
  filter: cheap,
  distinct: true,
  reversed: false,
  frame: {
    units: 'ROWS',
    start: { direction: 'PRECEDING', offset: scalar(UINT64, 3n) },
    end: { direction: 'FOLLOWING', offset: null },
  },
};

/** One plan per operator kind (and per variant that has fields of its own). */
const plans: readonly ExecutionPlan[] = [
  items,
  new FilterExec(cheap, items),
  new FilterExec(cheap, items, { projection: [3, 0], fetch: 7, defaultSelectivity: 33 }),
  new ProjectionExec(
    [
      { expr: physicalBinary(column(items, 0), '+', column(items, 0)), name: 'twice' },
      { expr: column(items, 3), name: 'kind' },
    ],
    items,
  ),
  partial,
  new AggregateExec('FinalPartitioned', finalGroupBy(byKind), [total], hashed, {
    limit: { count: 4, descending: true },
  }),
  new AggregateExec(
    'Partial',
    {
      exprs: [
        { expr: column(items, 3), name: 'kind' },
        { expr: column(items, 2), name: 'day' },
      ],
      nullExprs: [
        { expr: physicalLiteral(scalar(UTF8_VIEW, null)), name: 'kind' },
        { expr: physicalLiteral(scalar(DATE32, null)), name: 'day' },
      ],
      groups: [
        [true, true],
        [false, true],
      ],
    },
    [],
    items,
    { dynamicFilter: 3 },
  ),
  new HashJoinExec(items, kinds, [[column(items, 3), column(kinds, 0)]], 'LeftAnti', 'CollectLeft', {
    nullAware: true,
  }),
  new HashJoinExec(items, kinds, [[column(items, 3), column(kinds, 0)]], 'Full', 'Partitioned', {
    filter: near,
    projection: [5, 0],
    nullEqualsNull: true,
    fetch: 9,
    dynamicFilter: 2,
  }),
  new NestedLoopJoinExec(items, kinds, 'RightMark', near, [2, 0]),
  new NestedLoopJoinExec(items, kinds, 'Left', null),
  new CrossJoinExec(kinds, items),
  sorted,
  new SortExec([asc(column(items, 2))], new CoalescePartitionsExec(items), { fetch: 3, dynamicFilter: 11 }),
  new SortPreservingMergeExec([asc(column(items, 2))], sorted, 5),
  new CoalescePartitionsExec(items),
  new CoalescePartitionsExec(items, 12),
  hashed,
  new RepartitionExec({ kind: 'round_robin', count: 8 }, sorted, { preserveOrder: true }),
  new UnionExec([items, items]),
  new InterleaveExec([hashed, hashed]),
  new GlobalLimitExec(new CoalescePartitionsExec(items), 2, null),
  new LocalLimitExec(items, 10),
  new EmptyExec(new Schema([field('a', BOOLEAN)]), 4),
  new PlaceholderRowExec(EMPTY_SCHEMA),
  new BoundedWindowAggExec([lagging], sorted, true),
  new WindowAggExec([summing, lagging], new CoalescePartitionsExec(items), false),
];

for (const plan of plans) {
  test(`codec: ${plan.describe({ full: false }).slice(0, 90)}`, () => {
    const encoded = codec.plan(plan);
    const decoded = codec.decodePlan(encoded);
    assert.equal(displayIndent(decoded, { full: true }), displayIndent(plan, { full: true }));
    assert.ok(decoded.schema.equals(plan.schema), `${decoded.schema.toString()} ≠ ${plan.schema.toString()}`);
    assert.deepEqual(decoded.properties, plan.properties);
    // Encoding again gives the same tree: nothing was lost that the text does not show.
    assert.deepEqual(codec.plan(decoded), encoded);
  });
}

test('every operator kind has a plan above', () => {
  const covered = new Set(plans.map((plan) => plan.name));
  assert.deepEqual(
    OPERATOR_CODECS.map(({ kind }) => kind).filter((kind) => !covered.has(kind)),
    [],
  );
});

test('what cannot be decoded is a protocol error that names the node', () => {
  const encoded = codec.plan(new LocalLimitExec(items, 10));
  const fails = (change: Record<string, unknown>, message: RegExp): void => {
    assert.throws(() => codec.decodePlan({ ...encoded, ...change } as never), { kind: 'protocol', message });
  };
  fails({ fetch: -1 }, /field fetch of an encoded LocalLimitExec is no count/);
  fails({ fetch: undefined }, /LocalLimitExec has no field fetch/);
  fails({ children: [] }, /LocalLimitExec has 0 children instead of 1/);
  fails({ kind: 'TeleportExec' }, /unknown kind "TeleportExec"/);
  fails({ children: 3 }, /LocalLimitExec has no list of children/);
});
