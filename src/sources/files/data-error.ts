import { DistqError, type ErrorDetails } from '../../base/errors.js';

/** Where in a file: names a column as the user knows it, counts row groups from 0 as every Parquet tool does. */
export interface FilePlace {
  readonly rowGroup?: number;
  readonly column?: string;
}

/** A `data_source` error: `cannot read data/x.parquet, row group 2, column "a": the page is damaged`. */
export function dataError(path: string, reason: string, place: FilePlace = {}, details: ErrorDetails = {}): DistqError {
  return new DistqError('data_source', `cannot read ${inFile(path, place)}: ${reason}`, details);
}

/** `data/x.parquet, row group 2, column "a"` */
export function inFile(path: string, { rowGroup, column }: FilePlace): string {
  const group = rowGroup === undefined ? '' : `, row group ${rowGroup}`;
  return `${path}${group}${column === undefined ? '' : `, column ${quoted(column)}`}`;
}

/** A failed call of the operating system as a `data_source` error that names the file. */
export function systemError(path: string, error: unknown): DistqError {
  if (error instanceof DistqError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = SYSTEM_REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  return dataError(path, reason, {}, { cause: error });
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'its symbolic links go in circles',
  EMFILE: 'too many files are open',
  EIO: 'the device failed',
};

/** A name from a file inside a message: whatever it holds, it stays on its line. */
export function quoted(name: string): string {
  return JSON.stringify(name);
}
