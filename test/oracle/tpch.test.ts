/**
 * The 22 TPC-H queries over the fixtures give DuckDB's rows: at 1, 2 and 4 workers, in process and in child processes, with default
 * settings and spread as far as possible, and with batches of one row.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { skipWithoutCorpus } from '../support/corpora.js';
import type { DuckDBRows } from '../support/duckdb.js';
import { fixturesTpch } from '../support/repository.js';
import { assertSameRows } from './compare-rows.js';
import { queryRows } from './run-text.js';
import { TPCH, tpchAnswers, tpchSql } from './tpch-queries.js';

interface Configuration {
  readonly name: string;
  readonly settings: readonly (readonly [string, string])[];
  /** Child processes must have run stages. */
  readonly processes?: boolean;
}

const SPREAD: readonly (readonly [string, string])[] = [
  ['execution.target_partitions', '3'],
  ['distributed.file_scan_config_bytes_per_partition', '1'],
];

function configurations(): Configuration[] {
  const all: Configuration[] = [];
  for (const workers of ['1', '2', '4']) {
    for (const mode of ['in_process', 'processes']) {
      const base: readonly (readonly [string, string])[] = [
        ['distq.workers', workers],
        ['distq.worker_mode', mode],
      ];
      all.push({ name: `${workers} workers, ${mode}, defaults`, settings: base });
      all.push({
        name: `${workers} workers, ${mode}, spread`,
        settings: [...base, ...SPREAD],
        processes: mode === 'processes' && workers !== '1',
      });
    }
  }
  all.push({
    name: '2 workers, in_process, spread, batch size 1',
    settings: [['distq.workers', '2'], ['distq.worker_mode', 'in_process'], ...SPREAD, ['execution.batch_size', '1']],
  });
  return all;
}

const queries = Object.keys(TPCH);

describe('TPC-H against DuckDB', { skip: skipWithoutCorpus('tpch') }, () => {
  let expected: ReadonlyMap<string, DuckDBRows>;
  before(async () => {
    expected = await tpchAnswers(fixturesTpch);
  });

  for (const { name, settings, processes } of configurations()) {
    describe(name, () => {
      let session: SessionContext;
      before(async () => {
        session = await SessionContext.create({ data: [fixturesTpch], settings });
      });
      after(async () => {
        await session.close();
      });
      for (const query of queries) {
        test(query, async () => {
          const { rows, frame } = await queryRows(session, tpchSql(query));
          const want = expected.get(query);
          const expectation = TPCH[query];
          assert.ok(want !== undefined && expectation !== undefined);
          assertSameRows(rows, want, expectation);
          if (processes === true) assert.ok(frame.tasksInChildren > 0, 'no task ran in a child process');
        });
      }
    });
  }
});
