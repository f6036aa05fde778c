/**
 * Each physical rule on queries made for it: the plan before and after the rule, as goldens. Where DataFusion is at hand, it must have the
 * same plan after the same rule.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { displayIndent } from '../../../../src/physical/display.js';
import { goldenFolder, normaliseVolatile } from '../../../support/golden.js';
import { skipWithoutDataFusion } from '../../../support/initial-plans.js';
import { comparePlans } from '../../../support/plan-comparison.js';
import { PlanningSession, tableFolders } from '../../../support/planning-session.js';
import { fixturesTpch } from '../../../support/repository.js';

interface RuleCase {
  readonly rule: string;
  readonly name: string;
  readonly sql: string;
  /** The rule must leave this plan alone. */
  readonly untouched?: boolean;
}

const CASES: readonly RuleCase[] = [
  { rule: 'OutputRequirements', name: 'sort', sql: 'select n_name from nation order by n_regionkey' },
  { rule: 'OutputRequirements', name: 'no-order', sql: 'select n_name from nation' },
  {
    rule: 'aggregate_statistics',
    name: 'count-min-max',
    sql: 'select count(*), count(o_custkey), min(o_orderdate), max(o_totalprice) from orders',
  },
  {
    rule: 'aggregate_statistics',
    name: 'one-unanswerable',
    sql: 'select count(*), sum(o_totalprice) from orders',
    untouched: true,
  },
  {
    rule: 'aggregate_statistics',
    name: 'below-a-filter',
    sql: 'select count(*) from orders where o_orderkey > 5',
    untouched: true,
  },
  {
    rule: 'join_selection',
    name: 'swap-and-collect',
    sql: 'select c_name, n_name from customer join nation on c_nationkey = n_nationkey',
  },
  {
    rule: 'join_selection',
    name: 'outer-swap',
    sql: 'select c_custkey, o_orderkey from customer right join orders on c_custkey = o_custkey and o_totalprice > c_acctbal',
  },
  { rule: 'join_selection', name: 'cross', sql: 'select c_custkey, n_name from customer, nation' },
  {
    rule: 'join_selection',
    name: 'nested-loop',
    sql: 'select c_custkey from customer, nation where c_custkey < n_nationkey',
  },
  {
    rule: 'join_selection',
    name: 'anti',
    sql: 'select o_orderkey from orders where o_custkey not in (select c_custkey from customer where c_nationkey = 5)',
  },
  {
    rule: 'LimitedDistinctAggregation',
    name: 'distinct-limit',
    sql: 'select distinct o_orderstatus from orders limit 3',
  },
  {
    rule: 'LimitedDistinctAggregation',
    name: 'with-aggregate',
    sql: 'select o_orderstatus, count(*) from orders group by o_orderstatus limit 3',
    untouched: true,
  },
  {
    rule: 'FilterPushdown',
    name: 'into-scan',
    sql: "select c_name from customer where c_nationkey in (1,2,3,4,5) and c_mktsegment <> 'BUILDING'",
  },
  {
    rule: 'FilterPushdown',
    name: 'union',
    sql: 'select * from (select o_orderkey k from orders union all select l_orderkey from lineitem) where k < 10',
  },
  {
    rule: 'EnsureRequirements',
    name: 'group-and-sort',
    sql: 'select l_shipmode, count(*) from lineitem where l_tax > 0 group by l_shipmode order by l_shipmode',
  },
  {
    rule: 'EnsureRequirements',
    name: 'interleave',
    sql: 'select k, sum(c) from (select o_orderkey k, count(*) c from orders group by o_orderkey union all select l_orderkey, count(*) from lineitem group by l_orderkey) group by k',
  },
  {
    rule: 'EnsureRequirements',
    name: 'sort-below-join',
    sql: 'select c_name from customer join nation on c_nationkey = n_nationkey order by c_name',
  },
  {
    rule: 'EnsureRequirements',
    name: 'constant-key',
    sql: "select o_orderdate, count(*) from orders where o_orderdate = date '1995-01-01' group by o_orderdate order by o_orderdate",
  },
  {
    rule: 'EnsureRequirements',
    name: 'aligned-keys',
    sql: 'select * from (select l_orderkey, l_linenumber, sum(l_quantity) s from lineitem group by l_linenumber, l_orderkey) a join (select l_orderkey, l_linenumber, sum(l_tax) s from lineitem group by l_orderkey, l_linenumber) b on a.l_orderkey = b.l_orderkey and a.l_linenumber = b.l_linenumber',
  },
  { rule: 'EnsureRequirements', name: 'small-scan', sql: 'select n_name from nation order by n_name', untouched: true },
  {
    rule: 'CombinePartialFinalAggregate',
    name: 'single',
    sql: 'select n_regionkey, count(*) from (select n_regionkey from nation limit 20) group by n_regionkey',
    untouched: true,
  },
  {
    rule: 'CombinePartialFinalAggregate',
    name: 'hashed-already',
    sql: 'select k, count(*) from (select l_orderkey k, l_tax from lineitem group by l_orderkey, l_tax) group by k, l_tax',
  },
  {
    rule: 'ProjectionPushdown',
    name: 'embedded',
    sql: 'select a.l_orderkey, b.l_partkey from lineitem a join lineitem b on a.l_orderkey = b.l_orderkey and a.l_linenumber = b.l_linenumber where a.l_tax > 0.01',
  },
  { rule: 'ProjectionPushdown', name: 'into-scan', sql: 'select x + x from (select n_nationkey * 2 as x from nation)' },
  {
    rule: 'ProjectionPushdown',
    name: 'join-filter-parts',
    sql: 'select o_orderkey from orders where o_totalprice > (select avg(o_totalprice) from orders)',
  },
  {
    rule: 'ProjectionPushdown',
    name: 'mark-join',
    sql: 'select c_custkey from customer where exists (select 1 from orders where o_custkey = c_custkey) or c_acctbal > 100',
  },
  {
    rule: 'LimitAggregation',
    name: 'max',
    sql: 'select l_orderkey, max(l_quantity) m from lineitem group by l_orderkey order by m desc limit 5',
  },
  {
    rule: 'LimitAggregation',
    name: 'wrong-direction',
    sql: 'select l_orderkey, max(l_quantity) m from lineitem group by l_orderkey order by m limit 5',
    untouched: true,
  },
  {
    rule: 'EnsureRequirements',
    name: 'window-turned-round',
    sql: `select sum(o_totalprice) over (partition by o_custkey order by o_orderdate desc),
            last_value(o_totalprice) over (partition by o_custkey order by o_orderdate) from orders`,
  },
  {
    rule: 'EnsureRequirements',
    name: 'window-sorted-again',
    sql: `select row_number() over (partition by o_custkey order by o_orderdate),
            row_number() over (partition by o_custkey order by o_orderdate desc) from orders`,
  },
  {
    rule: 'LimitPushPastWindows',
    name: 'lookahead',
    sql: `select o_orderkey, sum(o_orderkey) over (order by o_orderkey rows between 1 preceding and 3 following),
            lead(o_orderkey, 2) over (order by o_orderkey rows 1 preceding) from orders order by o_orderkey limit 5`,
  },
  {
    rule: 'LimitPushPastWindows',
    name: 'range-frame',
    sql: 'select o_orderkey, rank() over (order by o_orderkey) from orders order by o_orderkey limit 5',
    untouched: true,
  },
  {
    rule: 'LimitPushdown',
    name: 'offset',
    sql: 'select l_orderkey from lineitem where l_tax > 0.01 limit 10 offset 5',
  },
  {
    rule: 'LimitPushdown',
    name: 'group-by',
    sql: 'select l_orderkey, count(*) from lineitem group by l_orderkey limit 10',
  },
  {
    rule: 'LimitPushdown',
    name: 'join',
    sql: 'select l_orderkey from lineitem where l_orderkey in (select o_orderkey from orders) limit 20',
  },
  { rule: 'PushdownSort', name: 'top-k', sql: 'select n_nationkey from nation order by n_nationkey desc limit 3' },
  {
    rule: 'PushdownSort',
    name: 'above-filter',
    sql: 'select n_nationkey from nation where n_regionkey = 1 order by n_nationkey limit 3',
    untouched: true,
  },
  {
    rule: 'FilterPushdown(Post)',
    name: 'join-and-top-k',
    sql: 'select l_orderkey from lineitem join orders on l_orderkey = o_orderkey where o_totalprice > 400000 order by l_orderkey limit 5',
  },
  { rule: 'FilterPushdown(Post)', name: 'min-max', sql: 'select min(l_shipdate) from lineitem where l_quantity > 3' },
];

const goldens = goldenFolder('test/unit/physical/rules/golden');
const settings = { 'execution.target_partitions': '3' };
const tables = tableFolders(fixturesTpch);
let session: PlanningSession;

before(async () => {
  session = await PlanningSession.open(tables, settings);
});

for (const { rule, name, sql, untouched = false } of CASES) {
  test(`${rule}: ${name}`, async () => {
    const [planned] = await session.plan(sql);
    assert.ok(planned !== undefined);
    const at = planned.steps.findIndex(({ step }) => step === rule);
    const [was, is] = [planned.steps[at - 1], planned.steps[at]].map((step) =>
      step === undefined ? '' : displayIndent(step.plan),
    );
    assert.notEqual(is, '');
    if (untouched) assert.equal(is, was);
    else assert.notEqual(is, was, 'the query does not show what the rule does');
    const file = `${rule.replace(/\W+/g, '-').replace(/-$/, '')}.${name}.txt`;
    goldens.match(file, normaliseVolatile(`${sql}\n-- before\n${was ?? ''}\n-- after\n${is ?? ''}`));
  });
}

test('DataFusion has the same plans', { skip: skipWithoutDataFusion }, async () => {
  const queries = CASES.map(({ rule, name, sql }) => ({ name: `${rule}: ${name}`, sql }));
  const compared = await comparePlans({ tables, queries, settings });
  assert.deepEqual(
    compared.filter(({ difference }) => difference !== null),
    [],
  );
});
