import { lineError, type PlanLine } from '../plan-line.js';
import type { LineReader } from '../line-reader.js';

/** A file as a scan's line names it. */
export interface NamedFile {
  readonly path: string;
  readonly range: { readonly start: number; readonly end: number } | null;
  /** Offset in the line. */
  readonly at: number;
}

/** `file_groups={2 groups: [[a.parquet:0..10, ...], [...]]}` as it stands. */
export interface NamedGroups {
  readonly count: number;
  readonly groups: readonly (readonly NamedFile[])[];
  /** Whether files or groups are left out. */
  readonly elided: boolean;
  /** From `{` to `}`, both included. */
  readonly text: string;
}

const EXPLAIN_VERBOSE = 'print the plan with EXPLAIN VERBOSE, which lists all files';

/** Reads `file_groups={…}` at the reader's position. */
export function readFileGroups(reader: LineReader): NamedGroups {
  reader.expect('file_groups=');
  const start = reader.position;
  const head = reader.match(/\{(\d+) groups?: \[/y, 'a list of file groups such as {1 group: [[a.parquet]]}');
  const groups: NamedFile[][] = [];
  let elided = false;
  while (!reader.take(']}')) {
    if (groups.length > 0) reader.expect(', ');
    if (reader.take('...')) {
      elided = true;
      reader.expect(']}');
      break;
    }
    reader.expect('[');
    const files: NamedFile[] = [];
    while (!reader.take(']')) {
      if (files.length > 0) reader.expect(', ');
      if (reader.take('...')) {
        elided = true;
        reader.expect(']');
        break;
      }
      files.push(readFile(reader));
    }
    groups.push(files);
  }
  const count = Number(head[1]);
  if (elided ? groups.length > count : groups.length !== count) {
    throw reader.error(`${count} groups are announced and ${groups.length} are there`, start, EXPLAIN_VERBOSE);
  }
  return { count, groups, elided, text: reader.text.slice(start, reader.position) };
}

function readFile(reader: LineReader): NamedFile {
  const at = reader.position;
  // A path may hold anything; it ends where a range, the next file or the group's end follows a file's suffix.
  const found = reader.match(/(.+?\.\w+)(?::(\d+)\.\.(\d+))?(?=, |\])/y, 'a file');
  const [, path = '', from, to] = found;
  const range = from === undefined ? null : { start: Number(from), end: Number(to) };
  if (range !== null && range.start > range.end) throw reader.error('the range ends before it starts', at);
  return { path, range, at };
}

/** An error about a file of a scan's line. */
export function fileError(line: PlanLine, at: number, message: string, hint: string): Error {
  return lineError(line, at, message, hint, 'data_source');
}
