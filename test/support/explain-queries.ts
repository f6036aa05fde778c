/** Ten queries over the TPC-H tables with an operator of each kind, for what EXPLAIN prints. */
export const EXPLAIN_QUERIES: Readonly<Record<string, string>> = {
  'distinct-and-topk': `select o_custkey, sum(o_totalprice) s, count(distinct o_clerk) from orders
    where o_orderstatus = 'F' and o_comment like '%a%' group by o_custkey order by s desc limit 5`,
  'outer-join': `select c_name, o_orderkey + 1 as k from customer left join orders on c_custkey = o_custkey and o_totalprice > c_acctbal
    where c_nationkey in (1, 2, 3, 4, 5)`,
  'cross-join-and-skip': 'select * from nation, region limit 3 offset 1',
  union: `select n_name from nation union all select r_name from region`,
  'three-joins': `select n_name, c_name, o_orderkey from nation join customer on n_nationkey = c_nationkey
    join orders on c_custkey = o_custkey join lineitem on o_orderkey = l_orderkey where n_name <> 'x'`,
  'nested-loop': 'select a.n_name from nation a left join region b on n_comment < r_comment',
  windows: 'select rank() over (partition by n_regionkey order by n_name), sum(n_nationkey) over () from nation',
  'semi-join-and-sort': `select n_name from nation where exists (select 1 from region where r_regionkey = n_regionkey) order by n_name`,
  rollup: 'select n_regionkey, count(*) from nation group by rollup(n_regionkey)',
  expressions: `select case when n_nationkey > 3 then 1.5 else 2 end a, cast(n_nationkey as double) b, -n_nationkey d,
    n_nationkey = 3 or n_name like 'A%' and n_nationkey + 1 > 2 e, n_name in ('A', 'B', 'C', 'D', 'E') f
    from (select * from nation order by n_name limit 5)`,
};
