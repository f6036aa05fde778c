import { asNumber, asText } from '../../expr/encoded-fields.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import { isList } from '../../physical/encoded-fields.js';
import { documentError, items, type Place } from '../document/fields.js';

/** The fields of an encoded plan that hold pieces of files: `[path, size, modifiedMs]`, with `start, end` behind when it is a part. */
const FIELDS_OF_FILES: ReadonlySet<string> = new Set(['fileGroups', 'variantGroups']);

export function holdsFiles(field: string): boolean {
  return FIELDS_OF_FILES.has(field);
}

export type StoredFile = readonly [path: string, size: number, modifiedMs: number];
export type StoredPieces = readonly (number | StoredPieces)[];

/**
 * The files of a stored plan, each once. A scan, the variants of its tasks and the plan for one node all name the same files: they hold
 * `[file]` or `[file, start, end]`, `file` being a position in this table; `[file, 0]` is a part that reaches to the file's end.
 */
export class FileTable {
  readonly files: StoredFile[] = [];
  /** By path; files of one path that differ in size or time have further entries under a longer name. */
  readonly #positions = new Map<string, number>();

  /** Lists of lists of pieces, however deep. */
  write(value: EncodedValue): StoredPieces {
    const list = isList(value) ? value : [];
    if (typeof list[0] !== 'string') return list.map((inner) => this.write(inner));
    const [path, size, modifiedMs, start, end] = list;
    const file = this.#position([
      asText(path, 'file path'),
      asNumber(size, 'file size'),
      asNumber(modifiedMs, 'file time'),
    ]);
    if (start === undefined) return [file];
    if (start === 0 && end === size) return [file, 0];
    return [file, asNumber(start, 'file range'), asNumber(end, 'file range')];
  }

  #position(file: StoredFile): number {
    const [path, size, modifiedMs] = file;
    for (let name = path; ; name += '\0') {
      const known = this.#positions.get(name);
      if (known === undefined) {
        this.#positions.set(name, this.files.length);
        return this.files.push(file) - 1;
      }
      const entry = this.files[known];
      if (entry?.[1] === size && entry[2] === modifiedMs) return known;
    }
  }
}

/** Reads what `FileTable.write` gave; a position that the table does not have is a `parse` error. */
export function readPieces(place: Place, files: readonly EncodedValue[]): EncodedValue {
  const { node } = place;
  if (node.kind !== 'list') throw documentError(place, 'expected a list of files');
  const [first, start, end] = node.items;
  if (first?.kind !== 'number') return items(place).map((inner) => readPieces(inner, files));
  const file = files[Number(first.text)];
  if (file === undefined || !isList(file)) {
    throw documentError(place, `there is no file ${first.text}`, 'the table is stored.files');
  }
  if (start?.kind !== 'number') return file;
  return [...file, Number(start.text), end?.kind === 'number' ? Number(end.text) : (file[1] ?? null)];
}
