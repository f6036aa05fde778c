import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DistqError } from '../../base/errors.js';
import { pace } from '../../base/time-slice.js';
import { dataError, systemError } from './data-error.js';
import type { PartitionedFile } from '../../catalog/file-scan.js';

/** `_SUCCESS`, `_delta_log`, `.crc`: what writers leave beside data. */
function isHidden(name: string): boolean {
  return name.startsWith('_') || name.startsWith('.');
}

/**
 * The data files of a table, sorted by path bytes: the `suffix` files directly in a directory, one file, or what a pattern
 * (`*`, `?`, `[a-z]`, `{a,b}`, `**`) matches. `path` is relative to the working directory unless absolute.
 * Nothing found is a `data_source` error, a `k=v` sub-directory `not_implemented`.
 */
export async function listFiles(path: string, suffix: string): Promise<PartitionedFile[]> {
  const absolute = resolve(path);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  let files: PartitionedFile[];
  if (stats === undefined) {
    if (!/[*?[{]/.test(path)) throw new DistqError('data_source', `there is no file or directory ${path}`);
    files = await filesMatching(path, suffix);
  } else if (stats.isDirectory()) {
    files = await filesIn(absolute, path, suffix);
  } else {
    files = [partitionedFile(absolute, stats)];
  }
  return files.sort((a, b) => compareByBytes(a.path, b.path));
}

async function filesIn(directory: string, asGiven: string, suffix: string): Promise<PartitionedFile[]> {
  const files: PartitionedFile[] = [];
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    throw systemError(asGiven, error);
  }
  for (const entry of entries) {
    if (isHidden(entry.name)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.includes('=')) continue;
      throw new DistqError(
        'not_implemented',
        `${asGiven} is partitioned by directories (${entry.name}): Hive layouts are not supported yet`,
        { hint: `name one partition's directory, or a pattern such as ${join(asGiven, '*', `*${suffix}`)}` },
      );
    }
    if (!entry.name.endsWith(suffix)) continue;
    const stats = statFile(path);
    if (stats.isFile()) files.push(partitionedFile(path, stats));
    await pace();
  }
  if (files.length === 0) throw new DistqError('data_source', `the directory ${asGiven} holds no ${suffix} files`);
  return files;
}

async function filesMatching(pattern: string, suffix: string): Promise<PartitionedFile[]> {
  const { glob } = await import('tinyglobby');
  const paths = await glob(pattern.replaceAll('\\', '/'), { absolute: true, expandDirectories: false });
  const files = paths
    .filter((path) => path.endsWith(suffix) && !isHidden(basename(path)))
    .map((path) => partitionedFile(path, statFile(path)));
  if (files.length === 0) throw new DistqError('data_source', `no ${suffix} file matches ${pattern}`);
  return files;
}

function statFile(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw systemError(path, error);
  }
}

function partitionedFile(path: string, stats: Stats): PartitionedFile {
  // Opening a pipe would wait for its writer.
  if (!stats.isFile()) throw dataError(path, 'it is not a regular file');
  if (stats.size === 0) throw dataError(path, 'the file is empty (0 bytes)');
  return { path, size: stats.size, modifiedMs: stats.mtimeMs, range: null };
}

/** Order of the UTF-8 bytes, which is that of code points, not of JavaScript's UTF-16 units. */
export function compareByBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codeUnitRank(x) - codeUnitRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function codeUnitRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
