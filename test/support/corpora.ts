/**
 * Corpora that nobody here wrote (query texts, Parquet files with expected rows or errors) are read in place and never copied.
 * They lie in `<shared>/corpora`, where <shared> is DISTQ_SHARED or `../shared` beside the repository.
 *
 *     test('…', { skip: skipWithoutCorpus('tpch') }, () => { const folder = corpusFolder('tpch'); … });
 *
 * Without them a test skips with the reason; under CI=true it runs into the error below instead.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isCi, repositoryRoot } from './repository.js';

export type CorpusName = 'clickbench' | 'hyparquet' | 'parquet-testing' | 'tpcds' | 'tpch';

function place(name: CorpusName): string {
  const shared = process.env.DISTQ_SHARED ?? resolve(repositoryRoot, '../shared');
  return join(shared, 'corpora', name);
}

/** The reason to skip, for node:test's `skip` option; false when the corpus is there, or must be. */
export function skipWithoutCorpus(name: CorpusName): string | false {
  if (existsSync(place(name)) || isCi) return false;
  return `no corpus at ${place(name)} (set DISTQ_SHARED to the folder that holds corpora/)`;
}

/** The corpus's folder; throws when it is missing. */
export function corpusFolder(name: CorpusName): string {
  const folder = place(name);
  if (!existsSync(folder))
    throw new Error(`no corpus at ${folder}: set DISTQ_SHARED to the folder that holds corpora/`);
  return folder;
}
