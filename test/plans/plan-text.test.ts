/**
 * Plans that DataFusion's EXPLAIN printed, read back: the same distributed tree and the same rows as the SQL gives. `fixtures/plans` holds
 * what DataFusion 55 printed for `fixtures/queries`; where DataFusion is at hand it prints the TPC-H queries anew.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { skipWithoutCorpus } from '../support/corpora.js';
import { datafusionExplains } from '../support/datafusion-explains.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { shownPlans, sortedRows, withFrame } from '../support/plan-text.js';
import { tableFolders } from '../support/planning-session.js';
import { corpusQueries } from '../support/queries.js';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';

const plans = join(repositoryRoot, 'fixtures/plans');
const names = readdirSync(plans).map((file) => file.replace(/\.plan$/, ''));
const data = [fixturesTpch];
const skip = skipWithoutCorpus('tpch');
const tpch = skip === false ? corpusQueries('tpch') : [];

function planOf(name: string): string {
  return readFileSync(join(plans, `${name}.plan`), 'utf8');
}

function sqlOf(name: string): string {
  return readFileSync(join(repositoryRoot, `fixtures/queries/${name}.sql`), 'utf8');
}

/** The plan by way of its text and by way of SQL: the same trees, the same rows. */
async function assertSame(sql: string, text: string): Promise<void> {
  const wanted = await withFrame(sql, 'sql', { data }, async (frame) => ({
    ...(await shownPlans(frame)),
    rows: await sortedRows(frame),
  }));
  const read = await withFrame(text, 'plan', {}, async (frame) => ({
    ...(await shownPlans(frame)),
    rows: await sortedRows(frame),
  }));
  assert.equal(read.physical, wanted.physical);
  assert.equal(read.distributed, wanted.distributed);
  assert.equal(read.rows, wanted.rows);
  assert.notEqual(wanted.rows, '');
}

test('every query of fixtures/queries has its plan', () => {
  const queries = readdirSync(join(repositoryRoot, 'fixtures/queries')).map((file) => file.replace(/\.sql$/, ''));
  assert.deepEqual(names.sort(), queries.sort());
});

for (const name of names) {
  test(`${name}: the same tree and rows as the SQL`, async () => {
    await assertSame(sqlOf(name), planOf(name));
  });
}

test('what DataFusion prints for TPC-H gives the same 22 trees and rows as the SQL', {
  skip: skip === false ? skipWithoutDataFusion : skip,
}, async () => {
  const texts = datafusionExplains({
    tables: tableFolders(fixturesTpch),
    queries: tpch.map(({ sql }) => sql),
    settings: { 'execution.target_partitions': '2' },
  });
  assert.equal(texts.length, 22);
  for (const [i, { name, sql }] of tpch.entries()) {
    await assertSame(sql, texts[i]!).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`, { cause: error });
    });
  }
});

/** The rows of EXPLAIN out of a file with plain titles. */
function rowsOf(text: string): readonly [title: string, plan: string][] {
  return text
    .trim()
    .split('\n\n')
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]);
}

function framed(rows: readonly (readonly [string, string])[]): string {
  const lines = rows.flatMap(([title, plan]) =>
    plan.split('\n').map((line, i) => [i === 0 ? title : '', line] as const),
  );
  const widths = [0, 1].map((column) => Math.max(9, ...lines.map((line) => line[column]!.length)));
  const border = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`;
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [border, row(['plan_type', 'plan']), border, ...lines.map(row), border].join('\n');
}

const FORMS: Readonly<Record<string, (rows: readonly (readonly [string, string])[]) => string>> = {
  'a frame': framed,
  'a frame under a title, with CRLF': (rows) => `DataFrame()\n${framed(rows)}\n`.replaceAll('\n', '\r\n'),
  'the rows of pyarrow': (rows) =>
    [
      'pyarrow.Table\nplan_type: string not null\nplan: string not null\n----',
      `plan_type: [[${rows.map(([title]) => `"${title}"`).join(',')}]]`,
      `plan: [[${rows.map(([, plan]) => `"${plan}\n"`).join(',')}]]`,
    ].join('\n'),
  'numbered lines': (rows) =>
    rows
      .flatMap(([title, plan]) => [
        title,
        ...plan
          .split('\n')
          .map(
            (line, i) =>
              `${String(i + 1).padStart(2, '0')})${line.replace(/^ +/, (blanks) => '-'.repeat(blanks.length))}`,
          ),
      ])
      .join('\n'),
  'the sections of explain --plan all': (rows) =>
    rows.map(([title, plan]) => `== ${title.replace('_', ' ')} ==\n${plan}\n`).join('\n'),
  'indented, with a BOM': (rows) =>
    `\uFEFF${rows.map(([title, plan]) => `    ${title}\n${plan.replace(/^/gm, '    ')}`).join('\n')}`,
};

for (const [form, write] of Object.entries(FORMS)) {
  test(`the same plan out of ${form}`, async () => {
    const text = planOf('how-do-regions-trade');
    const wanted = await withFrame(text, 'plan', {}, shownPlans);
    assert.deepEqual(await withFrame(write(rowsOf(text)), 'plan', {}, shownPlans), wanted);
  });
}

test('TPC-H: what explain prints reads back and prints the same', { skip }, async () => {
  for (const { name, sql } of tpch) {
    const printed = await withFrame(sql, 'sql', { data, partitions: '3' }, shownPlans);
    const read = await withFrame(printed.physical, 'plan', { partitions: '3' }, shownPlans);
    assert.deepEqual(read, printed, name);
  }
});
