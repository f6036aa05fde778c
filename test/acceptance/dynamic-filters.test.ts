/** What dynamic filters save: each query with them on and off, by the metrics of its scans; the rows are the same, and DuckDB's. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { assertSameRows, type TextRows } from '../oracle/compare-rows.js';
import { queryRows } from '../oracle/run-text.js';
import { makeClusteredData } from '../support/clustered-data.js';
import { DuckDB } from '../support/duckdb.js';

const root = mkdtempSync(join(tmpdir(), 'distq-dynamic-'));
let duckdb: DuckDB;

before(async () => {
  const writer = await DuckDB.over();
  await makeClusteredData(root, writer);
  writer.close();
  duckdb = await DuckDB.over(root);
});
after(() => {
  duckdb.close();
  rmSync(root, { recursive: true });
});

type Maker = 'join' | 'topk' | 'aggregate';

interface Query {
  readonly sql: string;
  readonly maker: Maker;
  readonly orderedBy?: readonly number[];
}

const QUERIES: Readonly<Record<string, Query>> = {
  'like TPC-H q3': {
    sql: `select l_order, sum(l_quantity) as total, o_date from customers, orders, lines
          where c_segment = 'rare' and c_key = o_customer and l_order = o_key and o_date < date '2021-01-01' and c_key < 100
          group by l_order, o_date order by total desc, l_order limit 10`,
    maker: 'join',
    orderedBy: [0, 1],
  },
  'like TPC-H q17': {
    sql: `select sum(l_quantity) / 7 as yearly from lines, parts where p_key = l_part and p_state = 'ripe'
          and l_quantity < (select 0.9 * avg(l_quantity) from lines where l_part = p_key)`,
    maker: 'join',
  },
  'TopK, first come best': {
    sql: `select * from lines order by l_text limit 10`,
    maker: 'topk',
    orderedBy: [4],
  },
  'TopK, last come best': {
    sql: `select l_text, l_date from lines where l_quantity > 3 order by l_date desc, l_text limit 20 offset 5`,
    maker: 'topk',
    orderedBy: [0, 1],
  },
  'TopK over a join': {
    sql: `select o_key, l_text from orders join lines on l_order = o_key where o_price > 500 order by l_date, l_text limit 7`,
    maker: 'topk',
    orderedBy: [1],
  },
  'extremes without keys': {
    sql: `select min(l_date) as first, min(l_text) as text from lines where l_quantity > 5`,
    maker: 'aggregate',
  },
};

interface Scanned {
  readonly rows: TextRows;
  /** Row groups that dynamic filters made superfluous. */
  readonly pruned: number;
  readonly decoded: number;
  readonly output: number;
  readonly bytes: number;
}

async function run({ sql, maker }: Query, on: boolean, shape: Readonly<Record<string, string>>): Promise<Scanned> {
  const settings = { ...shape, [`optimizer.enable_${maker}_dynamic_filter_pushdown`]: String(on) };
  const session = await SessionContext.create({ data: [root], settings: Object.entries(settings) });
  try {
    const { rows, frame } = await queryRows(session, sql);
    const leaves = (frame.metrics()?.operators ?? []).filter(({ operator }) =>
      /^(DataSource|DistributedLeaf)Exec$/.test(operator),
    );
    assert.ok(leaves.length > 0, 'no scan is among the operators');
    const total = (name: string): number => leaves.reduce((sum, leaf) => sum + Number(leaf[name] ?? 0), 0);
    const output = total('output_rows');
    return {
      rows,
      pruned: total('row_groups_pruned_dynamic_filter'),
      output,
      decoded: output + total('pushdown_rows_pruned'),
      bytes: total('bytes_scanned'),
    };
  } finally {
    await session.close();
  }
}

const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'one task': { 'distq.workers': '1' },
  'two tasks': {
    'distq.workers': '2',
    'distq.worker_mode': 'in_process',
    'distributed.file_scan_config_bytes_per_partition': '1',
  },
};

for (const [place, shape] of Object.entries(SHAPES)) {
  describe(`dynamic filters in ${place}`, () => {
    for (const [name, query] of Object.entries(QUERIES)) {
      test(name, { timeout: 60_000 }, async (t) => {
        const off = await run(query, false, shape);
        const on = await run(query, true, shape);
        const expected = await duckdb.query(query.sql);
        for (const { rows } of [off, on]) assertSameRows(rows, expected, { orderedBy: query.orderedBy ?? [] });
        assert.deepEqual(on.rows, off.rows);
        t.diagnostic(
          `scans, off → on: row groups pruned ${off.pruned} → ${on.pruned}, rows decoded ${off.decoded} → ` +
            `${on.decoded}, rows out ${off.output} → ${on.output}, bytes read ${off.bytes} → ${on.bytes}`,
        );
        assert.ok(on.pruned > off.pruned, `row groups pruned: ${off.pruned} → ${on.pruned}`);
        assert.ok(on.decoded < off.decoded, `rows decoded: ${off.decoded} → ${on.decoded}`);
        assert.ok(on.output < off.output, `rows out: ${off.output} → ${on.output}`);
        assert.ok(on.bytes < off.bytes, `bytes read: ${off.bytes} → ${on.bytes}`);
      });
    }
  });
}
