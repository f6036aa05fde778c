import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { DistqError } from '../base/errors.js';

/** A `--data` argument: a directory of tables, or one table when it is named or a file. */
export interface DataRoot {
  /** Set by `name=path`: the whole path is that one table. */
  readonly name: string | null;
  /** Absolute. */
  readonly path: string;
}

/** What stands behind a table name before anybody opens it. */
export interface TableLocation {
  readonly name: string;
  readonly path: string;
}

/** File extensions that are data. */
const DATA_EXTENSIONS: ReadonlySet<string> = new Set(['.parquet']);

/** `dir` or `name=path`; a path that itself exists with `=` in it is a path. Relative to `cwd`. */
export async function parseDataRoot(text: string, cwd: string): Promise<DataRoot> {
  const asPath = resolve(cwd, text);
  const equals = text.indexOf('=');
  if (equals > 0 && !text.slice(0, equals).includes('/') && (await stat(asPath).catch(() => undefined)) === undefined) {
    return { name: text.slice(0, equals), path: resolve(cwd, text.slice(equals + 1)) };
  }
  return { name: null, path: asPath };
}

/** True for names that listings skip: `_temporary`, `.hidden`. */
function isHidden(name: string): boolean {
  return name.startsWith('_') || name.startsWith('.');
}

/** True for a hive directory name such as `year=2024`. */
function isHivePart(name: string): boolean {
  return /^[^=]+=/.test(name);
}

/**
 * The tables of a root: each sub-directory and each data file, named for it; a root whose children are `k=v` is one table named for
 * the root. Only names are read, no file is opened. A missing root is a `data_source` error.
 */
export async function listTables(root: DataRoot): Promise<TableLocation[]> {
  if (root.name !== null) {
    await requirePath(root.path);
    return [{ name: root.name, path: root.path }];
  }
  const found = await requirePath(root.path);
  if (found === 'file') return [{ name: tableName(root.path), path: root.path }];
  const entries = (await readdir(root.path, { withFileTypes: true })).filter((entry) => !isHidden(entry.name));
  if (entries.some((entry) => entry.isDirectory() && isHivePart(entry.name))) {
    return [{ name: tableName(root.path), path: root.path }];
  }
  const tables: TableLocation[] = [];
  for (const entry of entries) {
    const path = join(root.path, entry.name);
    const kind = entry.isSymbolicLink() ? await pathKind(path) : entry.isDirectory() ? 'directory' : 'file';
    const isData = DATA_EXTENSIONS.has(extname(entry.name).toLowerCase());
    if (kind === 'directory' || (kind === 'file' && isData)) tables.push({ name: tableName(path), path });
  }
  return tables.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function tableName(path: string): string {
  const name = basename(path);
  const extension = extname(name).toLowerCase();
  return DATA_EXTENSIONS.has(extension) ? name.slice(0, -extension.length) : name;
}

async function pathKind(path: string): Promise<'file' | 'directory' | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return found.isDirectory() ? 'directory' : 'file';
}

async function requirePath(path: string): Promise<'file' | 'directory'> {
  const kind = await pathKind(path);
  if (kind === undefined) {
    throw new DistqError('data_source', `no such file or directory: ${path}`, { hint: 'check --data' });
  }
  return kind;
}
