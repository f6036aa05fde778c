/**
 * Physical plans of window functions over the TPC-H fixtures. The goldens are the text DataFusion 55 prints; where DataFusion is at hand it
 * is asked again.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { displayIndent } from '../../src/physical/display.js';
import { goldenFolder, normaliseVolatile } from '../support/golden.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { comparePlans } from '../support/plan-comparison.js';
import { PlanningSession, tableFolders } from '../support/planning-session.js';
import { fixturesTpch } from '../support/repository.js';

/** What is special, then the select list and what follows it. */
const QUERIES: Readonly<Record<string, string>> = {
  'cume-dist': `cume_dist() over (partition by o_orderstatus order by o_orderdate range between unbounded preceding and current row)
    from orders`,
  ntile: `ntile(4) over (partition by o_orderstatus order by o_orderdate rows between 2 preceding and 3 following) from orders`,
  'percent-rank-of-strings': 'percent_rank() over (partition by o_orderstatus order by o_clerk, o_comment) from orders',
  'range-offset-to-end': `sum(o_totalprice) over (partition by o_clerk order by o_orderkey range between 3 preceding and unbounded following)
    from orders`,
  'range-of-intervals': `sum(o_totalprice) over (partition by o_clerk
    order by o_orderdate range between interval '2' day preceding and interval '1' month following) from orders`,
  'bounded-beside-unbounded': `avg(o_totalprice) over (partition by o_clerk order by o_orderdate rows 3 preceding),
    max(o_orderdate) over (partition by o_clerk order by o_orderdate rows between current row and unbounded following) from orders`,
  shifts: `lag(o_orderdate) over (order by o_orderkey), lead(o_orderkey, 2, 0) over (order by o_orderkey),
    first_value(o_orderkey) over (order by o_orderkey), nth_value(o_orderkey, 3) over (order by o_orderkey) from orders`,
  'no-keys': 'row_number() over () from orders',
  'count-of-everything': 'count(*) over () from orders',
  distinct: 'count(distinct o_orderstatus) over (partition by o_custkey) from orders',
  'running-and-total': `sum(o_totalprice) over (partition by o_custkey order by o_orderkey),
    sum(o_totalprice) over (partition by o_custkey) x from orders order by o_custkey limit 10`,
  groups: `sum(o_totalprice) over (partition by o_custkey order by o_orderkey groups between 1 preceding and 2 following) from orders`,
  'reversed-to-reuse-order': `last_value(o_totalprice) over (partition by o_custkey order by o_orderdate desc),
    first_value(o_totalprice) over (partition by o_custkey order by o_orderdate),
    sum(o_totalprice) over (partition by o_custkey order by o_orderdate rows 2 preceding) from orders`,
  'not-reversible': `stddev(o_totalprice) over (partition by o_custkey order by o_orderkey),
    stddev(o_totalprice) over (partition by o_custkey order by o_orderkey desc) from orders`,
  'computed-key': `rank() over (partition by o_custkey order by o_totalprice + 1 desc nulls last) from orders
    qualify rank() over (partition by o_custkey order by o_totalprice + 1 desc nulls last) < 3`,
  'hashed-by-fewer-keys': `min(o_clerk) over (partition by o_custkey order by o_clerk),
    min(o_totalprice) over (partition by o_custkey, o_orderstatus order by o_clerk) from orders order by o_custkey, o_clerk`,
  'keys-in-another-sequence': `dense_rank() over (partition by o_custkey, o_orderstatus order by o_orderdate),
    dense_rank() over (partition by o_orderstatus, o_custkey order by o_orderdate) from orders`,
  'quoted-names': `"a""b", sum("a""b") over (order by "a""b") from (select o_orderkey as "a""b" from orders) t`,
  timestamps: `lag(to_timestamp_seconds(o_orderkey)) over (order by o_orderkey), max(to_timestamp_seconds(o_orderkey)) over () from orders`,
  'order-by-the-window': 'count(*) over (order by o_orderkey) m from orders order by m limit 7',
  'sliding-over-ordered-values': `max(o_orderkey) over (order by o_orderkey rows between 5 preceding and 1 preceding) m
    from orders order by m`,
  'receding-frame': `min(o_orderkey) over (order by o_orderkey rows between current row and unbounded following) m from orders order by m`,
  'constant-per-partition': `sum(o_totalprice) over (partition by o_custkey) s, o_custkey from orders order by o_custkey, s desc`,
  'filter-inside': `o_orderkey, sum(o_orderkey) filter (where o_orderstatus = 'F')
    over (partition by o_orderdate order by o_orderkey rows between 1 preceding and 3 following) r from orders limit 5`,
  'limit-past-windows': `o_orderkey, row_number() over (order by o_orderkey rows between unbounded preceding and current row) r,
    lead(o_orderkey, 3) over (order by o_orderkey rows between unbounded preceding and current row)
    from orders order by o_orderkey limit 5 offset 2`,
  'limit-past-nth-value': `o_orderkey, nth_value(o_orderkey, 30) over (order by o_orderkey rows between unbounded preceding and current row)
    from orders order by o_orderkey limit 5`,
  'over-a-join':
    'c_name, rank() over (partition by c_nationkey order by c_acctbal) from customer join orders on c_custkey = o_custkey',
  'small-table': 'n_name, row_number() over (order by n_nationkey) from nation',
};

const goldens = goldenFolder('test/plans/physical/windows');
const tables = tableFolders(fixturesTpch);
const queries = Object.entries(QUERIES).map(([name, text]) => ({ name, sql: `select ${text}` }));
let session: PlanningSession;

before(async () => {
  session = await PlanningSession.open(tables, { 'execution.target_partitions': '3' });
});

for (const { name, sql } of queries) {
  test(`windows: ${name}`, async () => {
    const [planned] = await session.plan(sql);
    assert.ok(planned !== undefined);
    goldens.match(`${name}.txt`, normaliseVolatile(displayIndent(planned.physical, { full: true })));
  });
}

for (const partitions of ['2', '3']) {
  test(`with ${partitions} partitions DataFusion prints the same plans of windows`, {
    skip: skipWithoutDataFusion,
  }, async () => {
    const compared = await comparePlans({ tables, queries, settings: { 'execution.target_partitions': partitions } });
    assert.deepEqual(
      compared.filter(({ difference }) => difference !== null),
      [],
    );
  });
}
