import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv from 'ajv';
import { DistqError } from '../../../src/base/errors.js';
import type { DataFrame, ExplainOptions } from '../../../src/session/data-frame.js';
import { SessionContext } from '../../../src/session/session-context.js';
import { skipWithoutCorpus } from '../../support/corpora.js';
import { corpusQueries } from '../../support/queries.js';
import { fixturesTpch, repositoryRoot } from '../../support/repository.js';

const SPREAD: readonly (readonly [string, string])[] = [
  ['distq.workers', '3'],
  ['distributed.file_scan_config_bytes_per_partition', '1'],
  ['distq.worker_mode', 'in_process'],
];
const WAYS: readonly ExplainOptions[] = [{}, { format: 'indent' }, { format: 'json' }, { plan: 'physical' }];

const conforms = new Ajv().compile(
  JSON.parse(readFileSync(join(repositoryRoot, 'src/planfile/schemas/plan.schema.json'), 'utf8')) as object,
);

async function document(sql: string): Promise<{ text: string; shown: string[]; rows: string }> {
  const session = await SessionContext.create({ data: [fixturesTpch], settings: SPREAD });
  try {
    const frame = await session.sql(sql);
    const shown = await Promise.all(WAYS.map((way) => frame.explain(way)));
    return { text: await frame.explain({ format: 'json' }), shown, rows: await rowsOf(frame) };
  } finally {
    await session.close();
  }
}

async function rowsOf(frame: DataFrame): Promise<string> {
  const batches = await frame.collect();
  const rows = batches.flatMap((batch) => batch.toArray().map((row) => JSON.stringify(row.toJSON(), exact)));
  // Not every query says in which order its rows come.
  return rows.sort().join('\n');
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

interface Opening {
  readonly settings?: readonly (readonly [string, string])[];
  readonly data?: readonly string[];
  readonly replan?: boolean;
}

/** Runs `use` on the frame of a document. */
async function withDocument<T>(text: string, opening: Opening, use: (frame: DataFrame) => Promise<T>): Promise<T> {
  const { settings = [['distq.worker_mode', 'in_process']], data = [], replan = false } = opening;
  const session = await SessionContext.create({ data, settings });
  try {
    for await (const frame of session.queriesOf({ text, form: 'json', directory: '.', replan }))
      return await use(frame);
    throw new Error('the document gave no frame');
  } finally {
    await session.close();
  }
}

test('the 22 TPC-H plans read back print the same texts and give the same rows', {
  skip: skipWithoutCorpus('tpch'),
}, async () => {
  let rowCount = 0;
  for (const { name, sql } of corpusQueries('tpch')) {
    const { text, shown, rows } = await document(sql);
    await withDocument(text, {}, async (frame) => {
      const again = await Promise.all(WAYS.map((way) => frame.explain(way)));
      assert.deepEqual(again, shown, name);
      assert.ok(conforms(JSON.parse(text)), `${name}: the published schema: ${JSON.stringify(conforms.errors)}`);
      assert.equal(await rowsOf(frame), rows, name);
    });
    rowCount += rows.split('\n').length;
  }
  assert.ok(rowCount > 100, `${rowCount} rows were compared`);
});

const SQL = 'select o_orderpriority, count(*) as n from orders group by 1 order by 1';

test('flags that would make another plan are refused without --replan', async () => {
  const { text } = await document(SQL);
  for (const opening of [
    { settings: [['distq.workers', '2']] },
    { settings: [['optimizer.join_reordering', 'false']] },
    { data: [fixturesTpch] },
  ] satisfies Opening[]) {
    await assert.rejects(
      withDocument(text, opening, () => Promise.resolve()),
      (error) => error instanceof DistqError && error.exitCode === 2 && error.hint?.includes('--replan') === true,
    );
  }
});

test('--replan distributes the stored plan anew, or plans the statement anew over tables', async () => {
  const { text, rows } = await document(SQL);
  await withDocument(text, { replan: true, settings: [['distq.workers', '2']] }, async (frame) => {
    assert.match(await frame.explain(), /tasks=2,/);
    assert.equal(await rowsOf(frame), rows);
  });
  await withDocument(text, { replan: true, data: [fixturesTpch] }, async (frame) => {
    assert.match(await frame.explain({ plan: 'logical' }), /Aggregate/);
    assert.equal(await rowsOf(frame), rows);
  });
  await assert.rejects(
    withDocument(text, { replan: true, settings: [['execution.target_partitions', '3']] }, () => Promise.resolve()),
    { message: /needs the statement planned anew/ },
  );
});

test('damaged documents are told in one sentence with the place', async () => {
  const { text } = await document(SQL);
  const damages: readonly (readonly [from: string | RegExp, to: string, message: RegExp])[] = [
    ['"version": 2', '"version": 3', /^version: this version of a plan document is not known/],
    ['"encoding":2', '"encoding":7', /^stored\.encoding: another version of distq wrote this plan/],
    [
      /"files": \[\[("[^"]+"),\d+/,
      '"files": [[$1,7',
      /files\[0\]\[1\]: the list of files is not that of the stored plan/,
    ],
    [
      /"groups": \[\n *\[\[0,0,|"groups": \[\[\[?0/,
      '"groups": [[[7',
      /the list of file groups has 1 items and 3 are stored/,
    ],
    [/"fileGroups":\[\[\[0/, '"fileGroups":[[[99', /there is no file 99/],
    [/"kind":"SortExec"/, '"kind":"SrotExec"', /unknown kind "SrotExec"/],
    [/"text": "CoalescePartitions|"text": "Sort/, '"text": "Nothing', /the text is not that of the stored plan/],
    ['"stages":', '"stagse":', /unknown field "stagse"/],
    [/"stored": .*/, '"findings": []', /field "stored" is missing/],
    [/"scheme":"hash"/, '"scheme":"hush"', /field scheme of an encoded \w+ is no value among/],
  ];
  for (const [from, to, message] of damages) {
    const damaged = text.replace(from, to);
    assert.notEqual(damaged, text, String(from));
    await assert.rejects(
      withDocument(damaged, {}, () => Promise.resolve()),
      (error) => {
        assert.ok(error instanceof DistqError && error.kind === 'parse' && error.span !== undefined, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  }
});
