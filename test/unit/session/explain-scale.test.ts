/** Plans over 10,000 files and 10 TB on 100 workers: what they print is whole, though parts of it are worked out once and shared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainFormat } from '../../../src/session/explain-text.js';
import { SessionContext } from '../../../src/session/index.js';
import { skipWithoutCorpus } from '../../support/corpora.js';
import { corpusQueries } from '../../support/queries.js';
import { tpchStatistics } from '../../support/tpch-statistics.js';

const FILES = 10_000;
const WORKERS = 100;
const TOTAL = 10_000_000_000_000;

/** The same bytes and rows as the other files together, in files of three sizes. */
function listedFiles(name: string, rows: number): object[] {
  const unit = TOTAL / FILES / 10;
  return Array.from({ length: FILES }, (_, index) => {
    const size = unit * (9 + (index % 3));
    return { path: `${name}/${index}.parquet`, size: index === 0 ? unit * 10 : size, rows: rows / FILES };
  });
}

async function explain(tables: object, sql: string): Promise<string> {
  const [tree] = await explainDocument(JSON.stringify({ kind: 'distq.query', workers: WORKERS, tables, sql }), [
    'tree',
  ]);
  return tree ?? '';
}

/** The plan that a document asks for or holds, in each of the formats. */
async function explainDocument(text: string, formats: readonly ExplainFormat[]): Promise<string[]> {
  const session = await SessionContext.create({});
  try {
    for await (const frame of session.queriesOf({ text, form: 'json', directory: '.' })) {
      return await Promise.all(formats.map((format) => frame.explain({ format })));
    }
    return [];
  } finally {
    await session.close();
  }
}

interface Piece {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** The pieces of each variant of each leaf. */
function leavesOf(text: string): Piece[][][] {
  const leaves: Piece[][][] = [];
  for (const line of text.split('\n')) {
    if (/^[ │]*DistributedLeafExec:$/.test(line)) leaves.push([]);
    const variant = /^[ │]+t(\d+): DataSourceExec: file_groups=\{\d+ groups?: \[(.*?)\]\}, projection=/.exec(line);
    if (variant === null) continue;
    const leaf = leaves.at(-1);
    assert.equal(leaf?.length, Number(variant[1]), 'variants stand in order below their leaf');
    const pieces = [...(variant[2] ?? '').matchAll(/([^ [\]]+?):(\d+)\.\.(\d+)(?=[,\]])/g)];
    leaf.push(pieces.map(([, path = '', start, end]) => ({ path, start: Number(start), end: Number(end) })));
  }
  return leaves;
}

/** Every leaf has a variant for each worker, and these read every byte of every file once. */
function checkLeaves(name: string, text: string): number {
  const leaves = leavesOf(text);
  for (const variants of leaves) {
    assert.equal(variants.length, WORKERS, `${name}: variants of a leaf`);
    const pieces = variants.flat().sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.start - b.start));
    let [files, bytes] = [0, 0];
    for (const [index, { path, start, end }] of pieces.entries()) {
      const previous = pieces[index - 1];
      if (previous?.path === path) {
        assert.equal(start, previous.end, `${name}: ${path} goes on where the last piece ended`);
      } else {
        assert.equal(start, 0, `${name}: ${path} begins at its start`);
        files++;
      }
      assert.ok(end > start, `${name}: ${path} has no empty piece`);
      bytes += end - start;
    }
    // Files begin at 0 and have no gaps, so all bytes are there when their sum is.
    assert.deepEqual({ files, bytes }, { files: FILES, bytes: TOTAL }, name);
  }
  return leaves.length;
}

test('100 variants hold every byte of 10,000 files once', async () => {
  const tables = await tpchStatistics(1_000_000, ({ name, rows }) => listedFiles(name, rows));
  const sql = `
    select o_orderpriority, count(*) from orders join lineitem a on a.l_orderkey = o_orderkey
    where exists (select 1 from lineitem b where b.l_orderkey = o_orderkey and b.l_suppkey <> a.l_suppkey)
    group by o_orderpriority`;
  assert.equal(checkLeaves('joins', await explain(tables, sql)), 3);
});

test('a plan document names a file once per leaf and once in what is stored, and reads back as the same plan', async () => {
  const tables = await tpchStatistics(1_000_000, ({ name, rows }) => listedFiles(name, rows));
  const sql = 'select count(*) from orders join lineitem on l_orderkey = o_orderkey';
  const formats = ['tree', 'json'] as const;
  const [tree = '', json = ''] = await explainDocument(
    JSON.stringify({ kind: 'distq.query', workers: WORKERS, tables, sql }),
    formats,
  );
  assert.equal(json.split('"lineitem/4321.parquet"').length - 1, 2);
  assert.deepEqual(await explainDocument(json, formats), [tree, json]);
});

test('pictures and pages tell the number of files instead of listing 10,000', async () => {
  const tables = await tpchStatistics(1_000_000, ({ name, rows }) => listedFiles(name, rows));
  const sql = 'select count(*) from orders join lineitem on l_orderkey = o_orderkey';
  const formats = ['svg', 'html', 'dot', 'mermaid'] as const;
  const spec = JSON.stringify({ kind: 'distq.query', workers: WORKERS, tables, sql });
  const texts = await explainDocument(spec, formats);
  for (const [index, text] of texts.entries()) {
    const format = formats[index] ?? '';
    assert.ok(text.length < 200_000, `${format} has ${text.length} characters`);
    assert.ok(!text.includes('lineitem/4321.parquet'), format);
    assert.match(text, /\d+ files/, format);
  }
});

test('TPC-H prints 100 variants over 10,000 files and 10 TB a table', { skip: skipWithoutCorpus('tpch') }, async () => {
  const tables = await tpchStatistics(1_000_000, () => ({ count: FILES, totalSize: '10TB' }));
  for (const { name, sql } of corpusQueries('tpch')) {
    const text = await explain(tables, sql);
    assert.ok(checkLeaves(name, text) >= 1, `${name} has leaves`);
    assert.match(text, /expected rows=\d+/, name);
  }
});
