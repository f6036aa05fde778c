/** The query texts of the corpora, read in place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusFolder } from './corpora.js';

export interface CorpusQuery {
  /** `q1`, `q2`, … */
  readonly name: string;
  readonly sql: string;
}

/** The queries of a suite in numeric order. */
export function corpusQueries(suite: 'tpch' | 'tpcds' | 'clickbench'): readonly CorpusQuery[] {
  const folder = join(corpusFolder(suite), 'queries');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(join(folder, file), 'utf8') }))
    .sort((a, b) => number(a.name) - number(b.name));
}

function number(name: string): number {
  return Number(/\d+/.exec(name)?.[0] ?? 0);
}
