/**
 * Queries whose rows are easily lost or doubled when a plan is spread over tasks, against DuckDB: single partitions, limits inside,
 * unions, every join type, small tables in many tasks; under each option that changes the stages.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { DuckDB, type DuckDBRows } from '../support/duckdb.js';
import { fixturesTpch } from '../support/repository.js';
import { assertSameRows } from './compare-rows.js';
import { queryRows } from './run-text.js';

interface Query {
  readonly sql: string;
  readonly orderedBy?: readonly number[];
  readonly mayBeEmpty?: boolean;
}

const QUERIES: Readonly<Record<string, Query>> = {
  'grouped small table as build side': {
    sql: `select n_name, a.c from nation join (select s_nationkey, count(*) c from supplier group by s_nationkey) a
          on n_nationkey = a.s_nationkey`,
  },
  'total of a small table beside a large one': {
    sql: `select count(*) from lineitem, (select max(n_nationkey) m, count(*) c from nation) x where l_linenumber * 4 < x.m`,
  },
  'scalar subquery over one partition': {
    sql: `select n_name from nation where n_regionkey = (select min(r_regionkey) + 1 from region)`,
  },
  'ordered limit as build side': {
    sql: `select count(*), sum(l_quantity) from lineitem join (select o_orderkey from orders order by o_orderkey desc limit 10) o
          on l_orderkey = o_orderkey`,
  },
  'limit as build side of a cross join': {
    sql: `select count(*), count(distinct n_nationkey) from nation cross join (select r_name from region limit 2) r`,
  },
  'limit of a scan as build side': {
    sql: `select count(*) from (select o_orderkey k from orders limit 7) a join orders b on a.k = b.o_orderkey`,
  },
  'limit of a one-file scan': {
    sql: `select count(*) from (select n_nationkey from nation limit 5) a cross join region`,
  },
  'limit with offset inside': {
    sql: `select n_nationkey, r_name from (select n_nationkey, n_regionkey from nation order by n_nationkey limit 6 offset 3) n
          join region on n_regionkey = r_regionkey`,
  },
  'limit over a grouping inside': {
    sql: `select count(*) from (select o_custkey from orders group by o_custkey limit 11) a join customer on c_custkey = o_custkey`,
  },
  'sorted and limited': {
    sql: `select l_orderkey, l_linenumber from lineitem order by l_orderkey desc, l_linenumber limit 12 offset 5`,
    orderedBy: [0, 1],
  },
  'union of different sizes': {
    sql: `select 'n', n_nationkey k from nation union all select 'o', o_orderkey from orders where o_orderkey < 400
          union all select 'r', r_regionkey from region union all select 'x', 1`,
  },
  'union inside a union, grouped': {
    sql: `select k, count(*) from (select n_regionkey k from nation union all (select r_regionkey from region
          union all select s_nationkey from supplier)) u group by k`,
  },
  'union of groupings': {
    sql: `select o_orderstatus s, count(*) c from orders group by 1 union all select l_linestatus, count(*) from lineitem group by 1`,
  },
  'union of distinct rows': {
    sql: `select n_regionkey from nation union select r_regionkey + 3 from region`,
  },
  'union of joins': {
    sql: `select n_name, r_name from nation join region on n_regionkey = r_regionkey union all
          select s_name, n_name from supplier join nation on s_nationkey = n_nationkey`,
  },
  'union with a limited child': {
    sql: `select count(*) from ((select o_orderkey from orders limit 3) union all select r_regionkey from region) u`,
  },
  'left join': {
    sql: `select c_custkey, o_orderkey from customer left join orders on c_custkey = o_custkey and o_orderkey < 3000`,
  },
  'right join': {
    sql: `select n_name, s_name from supplier right join nation on s_nationkey = n_nationkey and s_suppkey < 20`,
  },
  'full join': {
    sql: `select n_nationkey, s_suppkey from nation full join supplier on n_nationkey = s_suppkey`,
  },
  'full join on an inequality': {
    sql: `select count(*), count(n_nationkey), count(r_regionkey) from nation full join region on n_nationkey < r_regionkey`,
  },
  'left join on an inequality': {
    sql: `select n_nationkey, r_regionkey from nation left join region on n_nationkey < r_regionkey`,
  },
  'left join of a large table on an inequality': {
    sql: `select count(*), count(r_regionkey) from orders left join region on o_shippriority > r_regionkey`,
  },
  'semi and anti joins': {
    sql: `select count(*) from customer where exists (select 1 from orders where o_custkey = c_custkey)
          and not exists (select 1 from orders where o_custkey = c_custkey and o_orderstatus = 'F')`,
  },
  'semi join on an inequality': {
    sql: `select n_name from nation where exists (select 1 from region where r_regionkey > n_nationkey)`,
  },
  'not in, without and with a null': {
    sql: `select (select count(*) from nation where n_nationkey not in (select s_nationkey from supplier)) a,
          (select count(*) from nation where n_nationkey not in (select case when r_regionkey = 1 then null else r_regionkey end from region)) b`,
  },
  'distinct counts': {
    sql: `select l_returnflag, count(distinct l_suppkey), count(distinct l_shipmode), sum(distinct l_linenumber) from lineitem group by 1`,
  },
  'groups of groups': {
    sql: `select c, count(*) from (select o_custkey, count(*) c from orders group by o_custkey) x group by c order by c`,
    orderedBy: [0],
  },
  'join of two groupings': {
    sql: `select a.k, a.c, b.c from (select l_partkey k, count(*) c from lineitem group by 1) a
          join (select ps_partkey k, count(*) c from partsupp group by 1) b on a.k = b.k where a.k < 200`,
  },
  'nothing at all': {
    sql: `select o_orderkey, c_name from orders join customer on o_custkey = c_custkey where o_orderkey < 0`,
    mayBeEmpty: true,
  },
  'a total over nothing': {
    sql: `select count(*), sum(l_quantity), max(r_name) from lineitem left join region on l_linenumber = r_regionkey where l_orderkey < 0`,
  },
  'empty build and empty probe sides': {
    sql: `select count(*) from (select * from nation where n_nationkey < 0) a full join (select * from region where r_regionkey < 0) b
          on a.n_regionkey = b.r_regionkey`,
  },
};

type Settings = Readonly<Record<string, string>>;

const CONFIGURATIONS: readonly Settings[] = [
  { 'distq.workers': '4', 'execution.target_partitions': '3' },
  { 'distq.workers': '4', 'execution.target_partitions': '1' },
  { 'distq.workers': '3', 'execution.target_partitions': '2', 'distributed.broadcast_joins': 'false' },
  { 'distq.workers': '3', 'execution.target_partitions': '2', 'distributed.children_isolator_unions': 'false' },
  { 'distq.workers': '4', 'execution.target_partitions': '3', 'distributed.partial_reduce': 'true' },
  { 'distq.workers': '2', 'execution.target_partitions': '4', 'distributed.max_tasks_per_stage': '7' },
  {
    'distq.workers': '4',
    'execution.target_partitions': '3',
    'optimizer.hash_join_single_partition_threshold': '0',
    'optimizer.hash_join_single_partition_threshold_rows': '0',
    'distributed.cardinality_task_count_factor': '1.5',
  },
  {
    'distq.workers': '3',
    'execution.target_partitions': '3',
    'debug.windows': 'tiny',
    'debug.interleave': '5',
    'debug.poison': 'true',
    'execution.batch_size': '64',
  },
];

const SPREAD: Settings = {
  'distq.worker_mode': 'in_process',
  'distributed.file_scan_config_bytes_per_partition': '1',
};

function title(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name.replace(/^.*\./, '')}=${value}`)
    .join(' ');
}

describe('plans spread over tasks against DuckDB', () => {
  const expected = new Map<string, DuckDBRows>();
  before(async () => {
    const duckdb = await DuckDB.over(fixturesTpch);
    for (const [name, { sql }] of Object.entries(QUERIES)) expected.set(name, await duckdb.query(sql));
    duckdb.close();
  });

  for (const settings of CONFIGURATIONS) {
    describe(title(settings), () => {
      let session: SessionContext;
      let spread = 0;
      before(async () => {
        session = await SessionContext.create({
          data: [fixturesTpch],
          settings: Object.entries({ ...SPREAD, ...settings }),
        });
      });
      after(async () => {
        await session.close();
      });
      for (const [name, { sql, orderedBy = [], mayBeEmpty = false }] of Object.entries(QUERIES)) {
        test(name, async () => {
          const want = expected.get(name);
          assert.ok(want !== undefined);
          const { rows, frame } = await queryRows(session, sql);
          assertSameRows(rows, want, { orderedBy, mayBeEmpty });
          if (frame.notDistributedReason === null) spread++;
        });
      }
      test('and many of them were spread', () => {
        // With one partition the only exchanges are broadcasts.
        const least = settings['execution.target_partitions'] === '1' ? 3 : Object.keys(QUERIES).length / 2;
        assert.ok(spread > least, `only ${spread} were`);
      });
    });
  }
});
