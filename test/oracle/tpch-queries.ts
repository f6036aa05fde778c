import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusFolder } from '../support/corpora.js';
import { DuckDB, type DuckDBRows } from '../support/duckdb.js';
import type { Expectation } from './compare-rows.js';

/** The output columns that each of the 22 queries is ordered by. */
export const TPCH: Readonly<Record<string, Expectation>> = {
  q1: { orderedBy: [0, 1] },
  q2: { orderedBy: [0, 2, 1, 3] },
  q3: { orderedBy: [1, 2] },
  q4: { orderedBy: [0] },
  q5: { orderedBy: [1] },
  q6: { orderedBy: [] },
  q7: { orderedBy: [0, 1, 2] },
  q8: { orderedBy: [0] },
  q9: { orderedBy: [0, 1] },
  q10: { orderedBy: [2] },
  q11: { orderedBy: [1] },
  q12: { orderedBy: [0] },
  q13: { orderedBy: [1, 0] },
  q14: { orderedBy: [] },
  q15: { orderedBy: [0] },
  q16: { orderedBy: [3, 0, 1, 2] },
  q17: { orderedBy: [] },
  q18: { orderedBy: [4, 3] },
  q19: { orderedBy: [] },
  q20: { orderedBy: [0], mayBeEmpty: true },
  q21: { orderedBy: [1, 0] },
  q22: { orderedBy: [0] },
};

export function tpchSql(name: string): string {
  return readFileSync(join(corpusFolder('tpch'), 'queries', `${name}.sql`), 'utf8');
}

/** DuckDB's answers over `<folder>/<table>/*.parquet`, by query. */
export async function tpchAnswers(folder: string): Promise<ReadonlyMap<string, DuckDBRows>> {
  const answers = new Map<string, DuckDBRows>();
  const duckdb = await DuckDB.over(folder);
  for (const name of Object.keys(TPCH)) {
    for (const sql of tpchSql(name).split(';')) {
      if (/^\s*$/.test(sql)) continue;
      if (/^\s*(create|drop)\b/i.test(sql)) await duckdb.run(sql);
      else answers.set(name, await duckdb.query(sql));
    }
  }
  duckdb.close();
  return answers;
}
