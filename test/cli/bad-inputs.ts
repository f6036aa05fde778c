import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixturesTpch } from '../support/repository.js';

/** A data root with one broken table per directory. */
export function makeBadInputs(scratch: string): { readonly root: string } {
  const root = join(scratch, 'data');
  const table = (name: string): string => {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const nation = readFileSync(join(fixturesTpch, 'nation/1.parquet'));
  table('empty');
  writeFileSync(join(table('text'), 'a.parquet'), 'This is text and no Parquet file, although its name says so.\n');
  writeFileSync(join(table('nothing'), 'a.parquet'), '');
  writeFileSync(join(table('truncated'), 'a.parquet'), nation.subarray(0, nation.length - 100));
  const corrupt = Buffer.from(nation);
  // The first page lies right behind the magic number; its compressed bytes become nonsense, its header stays.
  corrupt.fill(0xff, 60, 120);
  writeFileSync(join(table('corrupt'), 'a.parquet'), corrupt);
  const mixed = table('mixed');
  copyFileSync(join(fixturesTpch, 'nation/1.parquet'), join(mixed, 'a.parquet'));
  copyFileSync(join(fixturesTpch, 'region/1.parquet'), join(mixed, 'b.parquet'));
  mkdirSync(join(table('hive'), 'year=2024'));
  copyFileSync(join(fixturesTpch, 'nation/1.parquet'), join(root, 'hive/year=2024/a.parquet'));
  return { root };
}
