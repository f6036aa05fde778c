/**
 * Data sets too large for the repository, made by `npm run data` into `data/` (or DISTQ_DATA). Tests that want one skip with the
 * command that makes it; .ci/run makes the ones that tests use where a package registry can be reached, so no set is promised.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.js';

/** Name → the parameters of `npm run data --` that make it. */
const recipes = {
  'tpch-0.02': 'tpch 0.02 --files 16',
  'tpch-1': 'tpch 1 --files 16',
} as const;

export type MadeDataName = keyof typeof recipes;

/** Where the set is, or would be: `<folder>/<table>/<n>.parquet`. */
export function madeDataFolder(name: MadeDataName): string {
  return join(process.env.DISTQ_DATA ?? join(repositoryRoot, 'data'), name);
}

/** The reason to skip, for node:test's `skip` option; false when the set is there. */
export function skipWithoutMadeData(name: MadeDataName): string | false {
  if (existsSync(madeDataFolder(name))) return false;
  return `no data at ${madeDataFolder(name)} (npm run data -- ${recipes[name]})`;
}
