/**
 * Dynamic filters drop rows early, never rows of the result: with them on and off the rows are the same, and DuckDB's, in tasks and
 * processes of any number. Random queries from a printed seed (`DISTQ_SEED`); `DISTQ_ROUNDS` of them, and then all the fixed ones in each
 * place, not some.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { random } from '../support/batches.js';
import { makeClusteredData } from '../support/clustered-data.js';
import { DuckDB } from '../support/duckdb.js';
import { assertSameRows } from './compare-rows.js';
import { queryRows } from './run-text.js';

const root = mkdtempSync(join(tmpdir(), 'distq-dynamic-rows-'));
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

interface Query {
  readonly sql: string;
  readonly orderedBy?: readonly number[];
}

const few = (side: string, where: string): string => `(select k, few, big from mixed where ${where}) ${side}`;

/** What filters of joins must not lose: every join type, empty build sides, keys that are all NULL, NOT IN with and without NULLs. */
const FIXED: Readonly<Record<string, Query>> = {
  'NOT IN, nulls on both sides': {
    sql: `select count(*) n, sum(k) from mixed where few not in (select few from mixed where k < 40)`,
  },
  'NOT IN, nulls outside': {
    sql: `select count(*) n, sum(k) from mixed where few not in (select few from mixed where few is not null and few < 5)`,
  },
  'NOT IN, no nulls': {
    sql: `select count(*) n, sum(k) from mixed where k not in (select o_key from orders where o_price > 50000)`,
  },
  'NOT IN of nothing': {
    sql: `select count(*) n, sum(k) from mixed where few not in (select few from mixed where k < 0)`,
  },
  'NOT IN of NULLs only': { sql: `select count(*) n, sum(k) from mixed where few not in (select empty from mixed)` },
  IN: { sql: `select count(*) n, sum(k) from mixed where big in (select big from mixed where k % 500 = 1)` },
  'inner, empty build': { sql: `select count(*) n, sum(b.k) from ${few('a', 'k < 0')} join mixed b on a.few = b.few` },
  'inner, NULL keys only': {
    sql: `select count(*) n, sum(b.k) from (select empty x from mixed where k < 50) a join mixed b on a.x = b.few`,
  },
  ...Object.fromEntries(
    ['join', 'left join', 'right join', 'full join'].flatMap((type) =>
      ['k % 1000 = 3', 'k < 0', 'few is null and k < 60'].map((where): [string, Query] => [
        `${type}, ${where}`,
        {
          sql: `select count(*) n, sum(a.k), sum(b.k) from ${few('a', where)} ${type} ${few('b', 'k < 9000')} on a.big = b.big and a.few = b.few`,
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['exists', 'not exists'].flatMap((type) =>
      ['b.k % 1000 = 3', 'b.k < 0', 'b.few is null'].map((where): [string, Query] => [
        `${type}, ${where}`,
        {
          sql: `select count(*) n, sum(a.k) from mixed a where ${type} (select 1 from mixed b where b.few = a.few and ${where})`,
        },
      ]),
    ),
  ),
  // The filters' columns go by name, and here the name is that of another column first.
  'a column whose name comes twice below a join': {
    sql: `select b.k bk, c.k ck from mixed b join (select big, k * 7919 % 24576 k from mixed) c on b.big = c.big
          left join parts on p_key = b.k order by c.k, b.k limit 5`,
    orderedBy: [0, 1],
  },
  'a key whose name comes twice below a join': {
    sql: `select count(*) n, sum(b.k), sum(c.k) from mixed b join (select big, k * 7919 % 24576 k from mixed) c on b.big = c.big
          left join customers on c_key = b.k join parts d on d.p_key = c.k + 0 and d.p_key < 9`,
  },
  'limit inside': { sql: `select max(k) from (select k from mixed order by k desc limit 5 offset 3) a` },
  'TopK beside TopK': {
    sql: `select * from (select k from mixed order by big desc nulls last, k limit 3) a union all
          select * from (select o_key from orders order by o_price, o_key limit 4) b`,
  },
  'TopK as build side': {
    sql: `select count(*), sum(k) from mixed join (select big x from mixed order by price nulls first, big limit 30) a on big = x`,
  },
};

const KEYS = ['k', 'few', 'big', 'label', 'price', 'wide', 'ratio', 'day', 'moment', 'flag', 'empty'] as const;
const EXTREMES = KEYS.filter((key) => key !== 'empty' && key !== 'flag');
const CONDITIONS = [
  'true',
  'k % 3 = 1',
  'few > 4',
  'big > 0',
  'k > 20000',
  'label is not null',
  'few is null',
  'price < 1000',
  'k < 0',
];

/** DuckDB prints timestamps in its own way. */
function shown(expression: string): string {
  return expression.includes('moment') ? `cast(${expression} as date)` : expression;
}

/** A query whose rows do not depend on ties: it gives the sort keys alone. */
function randomQuery(next: () => number): Query {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const where = pick(CONDITIONS);
  if (next() < 0.3) {
    const calls = Array.from(
      { length: 1 + Math.floor(next() * 3) },
      () => `${pick(['min', 'max'])}(${pick(EXTREMES)})`,
    );
    return { sql: `select ${calls.map((call, i) => `${shown(call)} as c${i}`).join(', ')} from mixed where ${where}` };
  }
  const keys = [...new Set(Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(KEYS)))];
  const order = keys.map((key) => `${key} ${pick(['asc', 'desc'])} nulls ${pick(['first', 'last'])}`).join(', ');
  const limit = pick([1, 2, 5, 20, 100, 1500]);
  const offset = next() < 0.3 ? ` offset ${pick([1, 7, 300])}` : '';
  const input = pick([
    `mixed where ${where}`,
    `mixed where ${where}`,
    `mixed join parts on p_key = k where ${where}`,
    `mixed left join parts on p_key = few and p_state = 'ripe' where ${where}`,
    `(select * from mixed where k < 9000 union all select * from mixed where ${where}) u`,
  ]);
  const orderedBy = keys.map((_, index) => index);
  return {
    sql: `select ${keys.map((key) => `${shown(key)} as x_${key}`).join(', ')} from ${input} order by ${order} limit ${limit}${offset}`,
    orderedBy,
  };
}

const FILTERS = 'optimizer.enable_dynamic_filter_pushdown';

async function compare(
  shape: Readonly<Record<string, string>>,
  queries: readonly (readonly [name: string, query: Query])[],
): Promise<void> {
  const open = (on: boolean): Promise<SessionContext> =>
    SessionContext.create({ data: [root], settings: Object.entries({ ...shape, [FILTERS]: String(on) }) });
  const [on, off] = [await open(true), await open(false)];
  try {
    for (const [name, { sql, orderedBy = [] }] of queries) {
      try {
        const expected = await duckdb.query(sql);
        for (const session of [on, off]) {
          const { rows } = await queryRows(session, sql);
          assertSameRows(rows, expected, { orderedBy, mayBeEmpty: true });
        }
      } catch (error) {
        throw new Error(`${name}: ${sql}`, { cause: error });
      }
    }
  } finally {
    await on.close();
    await off.close();
  }
}

const spread = { 'distributed.file_scan_config_bytes_per_partition': '1', 'execution.batch_size': '512' };
const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1 worker': { 'distq.workers': '1', 'execution.batch_size': '512' },
  '2 workers in process': {
    ...spread,
    'distq.workers': '2',
    'distq.worker_mode': 'in_process',
    'debug.interleave': '7',
  },
  '4 workers in process': { ...spread, 'distq.workers': '4', 'distq.worker_mode': 'in_process' },
  '2 workers in processes': { ...spread, 'distq.workers': '2', 'distq.worker_mode': 'processes' },
  '4 workers in processes': {
    ...spread,
    'distq.workers': '4',
    'distq.worker_mode': 'processes',
    'debug.poison': 'true',
  },
};

const seed = Number(process.env['DISTQ_SEED'] ?? 20_261_130);
const rounds = process.env['DISTQ_ROUNDS'];

describe(`the same rows with dynamic filters and without, seed ${seed}`, () => {
  const places = Object.entries(SHAPES);
  for (const [p, [place, shape]] of places.entries()) {
    // Each query somewhere, none everywhere: one process is quick, several take their time to start.
    const fixed = Object.entries(FIXED).filter((_, q) => rounds !== undefined || q % places.length === p);
    test(`${place}: joins`, { timeout: 600_000 }, () => compare(shape, fixed));
    test(`${place}: random TopK and extremes`, { timeout: 600_000 }, () => {
      const next = random(seed + p);
      const queries = Array.from({ length: Number(rounds ?? 4) }, () => randomQuery(next));
      return compare(
        shape,
        queries.map((query, q) => [`query ${q}`, query] as const),
      );
    });
  }
  test('the tables hold rows', async () => {
    const { rows } = await duckdb.query('select count(*), count(few), count(empty) from mixed');
    assert.deepEqual(rows, [['24576', '21065', '0']]);
  });
});
