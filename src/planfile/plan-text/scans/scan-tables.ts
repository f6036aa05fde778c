import { invariant } from '../../../base/errors.js';
import { type FileGroup, type PartitionedFile } from '../../../catalog/file-scan.js';
import { byteSplit } from '../../../catalog/byte-split.js';
import type { SessionConfig } from '../../../config/session-config.js';
import { describeFileGroups } from '../../../sources/files/describe-file-scan.js';
import type { ParquetTable } from '../../../sources/parquet/parquet-table.js';
import { LineReader } from '../line-reader.js';
import type { PlanLine } from '../plan-line.js';
import { type TextNode, nodeName, visitNodes } from '../tree.js';
import { fileError, type NamedFile, type NamedGroups, readFileGroups } from './file-groups.js';

/** Finds the tables behind the files that scans name. */
export interface FileTables {
  /** The absolute path of a file as a plan names it (object stores leave the slash in front out), or undefined when there is none. */
  locate(path: string): Promise<string | undefined>;
  /** A table of exactly these files (absolute, in order). */
  ofFiles(paths: readonly string[]): Promise<ParquetTable>;
  /** The table of the session that holds the file: by its path, or else by the names of its folder and itself. */
  holding(path: string): Promise<ParquetTable | undefined>;
}

/** What a scan reads. */
export interface FoundScan {
  readonly table: ParquetTable;
  readonly fileGroups: readonly FileGroup[];
}

/** The tables and files of all scans of a plan, found before its nodes are read. */
export class ScanTables {
  readonly #found = new Map<PlanLine, FoundScan>();

  static async open(root: TextNode, files: FileTables, config: SessionConfig): Promise<ScanTables> {
    const tables = new ScanTables();
    const lines: PlanLine[] = [];
    const finder = new ScanFinder(files, config);
    const nodes: TextNode[] = [];
    visitNodes(root, (node) => {
      if (nodeName(node) === 'DataSourceExec' && node.line.text.startsWith('DataSourceExec: file_groups='))
        nodes.push(node);
    });
    for (const node of nodes) {
      lines.push(node.line);
      const reader = new LineReader(node);
      reader.expect(': ');
      tables.#found.set(node.line, await finder.find(node.line, readFileGroups(reader)));
    }
    return tables;
  }

  of(line: PlanLine): FoundScan | undefined {
    return this.#found.get(line);
  }
}

class ScanFinder {
  readonly #files: FileTables;
  readonly #config: SessionConfig;
  /** By the paths of their files. */
  readonly #tables = new Map<string, Promise<ParquetTable>>();

  constructor(files: FileTables, config: SessionConfig) {
    this.#files = files;
    this.#config = config;
  }

  async find(line: PlanLine, named: NamedGroups): Promise<FoundScan> {
    const first = named.groups.flat()[0];
    if (first === undefined) {
      throw fileError(line, 0, 'the scan names no file', 'give the file groups as DataFusion prints them');
    }
    const held = await this.#files.holding(first.path);
    if (named.elided) return this.#completed(line, named, first, held);
    const files = held === undefined ? await this.#located(line, named) : placedIn(held, named);
    const table = held !== undefined && files !== undefined ? held : await this.#tableOf(line, named);
    const placed = files ?? (await this.#located(line, named));
    const byPath = new Map(table.files.map((file) => [file.path, file]));
    const fileGroups = named.groups.map((group) =>
      group.map((file): PartitionedFile => {
        const known = byPath.get(placed.get(file.path) ?? '');
        invariant(known !== undefined, 'a table holds the files it was opened over');
        return { ...known, range: checkedRange(line, file, known) };
      }),
    );
    return { table, fileGroups };
  }

  /** The absolute path of every file. */
  async #located(line: PlanLine, named: NamedGroups): Promise<Map<string, string>> {
    const placed = new Map<string, string>();
    for (const { path, at } of named.groups.flat()) {
      if (placed.has(path)) continue;
      const found = await this.#files.locate(path);
      if (found === undefined) {
        throw fileError(line, at, `there is no file ${path}`, 'give the directory of its table with --data');
      }
      placed.set(path, found);
    }
    return placed;
  }

  async #tableOf(line: PlanLine, named: NamedGroups): Promise<ParquetTable> {
    const paths = [...new Set((await this.#located(line, named)).values())];
    const key = paths.join('\n');
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = this.#files.ofFiles(paths);
      this.#tables.set(key, table);
    }
    return await table;
  }

  /** The groups of which the line shows the beginnings, made from the whole table as DataFusion makes them. */
  #completed(line: PlanLine, named: NamedGroups, first: NamedFile, table: ParquetTable | undefined): FoundScan {
    if (table === undefined) {
      throw fileError(line, first.at, 'the list of files is cut short', CUT_SHORT);
    }
    for (const fileGroups of this.#candidates(table, named.count)) {
      const ours = describeFileGroups(fileGroups, false);
      if (sameNames(ours, `file_groups=${named.text}`, table.files[0]?.path ?? '', first.path)) {
        return { table, fileGroups };
      }
    }
    throw fileError(
      line,
      first.at,
      'the list of files is cut short, and the table of --data does not give these groups',
      'print the plan with EXPLAIN VERBOSE, or give the directory that was read and its number of partitions with --partitions',
    );
  }

  *#candidates(table: ParquetTable, count: number): Generator<readonly FileGroup[], void, undefined> {
    const wanted = this.#config.get('execution.target_partitions');
    for (const targetPartitions of new Set([wanted, count])) {
      const { fileGroups } = table.scan({ projection: [], limit: null, targetPartitions }).fileScan;
      yield fileGroups;
      for (const keepOrder of [false, true]) {
        const split = byteSplit(fileGroups, { targetGroups: targetPartitions, minBytes: 0, keepOrder });
        if (split !== null) yield split;
      }
    }
  }
}

const CUT_SHORT = 'give the table with --data, or print the plan with EXPLAIN VERBOSE, which lists all files';

/** The files by their names in the plan, if the table has them all. */
function placedIn(table: ParquetTable, named: NamedGroups): Map<string, string> | undefined {
  const byName = new Map(table.files.map(({ path }) => [nameOf(path), path]));
  const placed = new Map<string, string>();
  for (const { path } of named.groups.flat()) {
    const found = byName.get(nameOf(path));
    if (found === undefined) return undefined;
    placed.set(path, found);
  }
  // Files of several folders may share a name.
  return new Set(placed.values()).size === placed.size ? placed : undefined;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function checkedRange(line: PlanLine, { path, range, at }: NamedFile, { size }: PartitionedFile): NamedFile['range'] {
  if (range === null || range.end <= size) return range;
  throw fileError(
    line,
    at,
    `the range ${range.start}..${range.end} ends behind ${path}, which has ${size} bytes`,
    'the file has changed since: print the plan anew',
  );
}

/** Whether two lists of groups are the same, the folders of their files apart. */
function sameNames(ours: string, theirs: string, ourPath: string, theirPath: string): boolean {
  const folder = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1).replace(/^\/+/, '');
  return ours.replaceAll(folder(ourPath), '') === theirs.replaceAll(folder(theirPath), '');
}
