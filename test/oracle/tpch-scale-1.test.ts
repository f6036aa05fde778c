/** The 22 TPC-H queries at scale 1 give DuckDB's rows with 2 workers and default settings, each with its time as a note. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { skipWithoutCorpus } from '../support/corpora.js';
import type { DuckDBRows } from '../support/duckdb.js';
import { madeDataFolder, skipWithoutMadeData } from '../support/made-data.js';
import { assertSameRows } from './compare-rows.js';
import { queryRows } from './run-text.js';
import { TPCH, tpchAnswers, tpchSql } from './tpch-queries.js';

describe('TPC-H at scale 1 against DuckDB', {
  skip: skipWithoutCorpus('tpch') || skipWithoutMadeData('tpch-1'),
}, () => {
  let expected: ReadonlyMap<string, DuckDBRows>;
  let session: SessionContext;
  const inChildren: string[] = [];
  before(async () => {
    expected = await tpchAnswers(madeDataFolder('tpch-1'));
    session = await SessionContext.create({ data: [madeDataFolder('tpch-1')], settings: [['distq.workers', '2']] });
  });
  after(async () => {
    await session.close();
  });

  for (const [name, expectation] of Object.entries(TPCH)) {
    test(name, { timeout: 300_000 }, async (t) => {
      const start = performance.now();
      const { rows, frame } = await queryRows(session, tpchSql(name));
      t.diagnostic(
        `${name}: ${Math.round(performance.now() - start)} ms, ${frame.tasksInChildren} tasks in child processes`,
      );
      if (frame.tasksInChildren > 0) inChildren.push(name);
      const want = expected.get(name);
      assert.ok(want !== undefined);
      // At this scale every query has rows.
      assert.ok(want.rows.length > 0);
      assertSameRows(rows, want, expectation);
    });
  }

  test('what is worth it ran in child processes', () => {
    assert.ok(inChildren.includes('q1') && inChildren.includes('q9'), `only ${inChildren.join(', ')}`);
  });
});
