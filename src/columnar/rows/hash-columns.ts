import type { Arena } from '../arena.js';
import type { Column } from '../column.js';
import { flattenColumn } from '../flatten.js';
import { kernels } from '../kernels.js';
import { keyKind } from './key-kind.js';

/**
 * Hashes of rows over key columns: u64 per row, in the arena. Equal for equal values whatever their encoding and, for decimals and
 * integers of one type, their layout; the same in every process (engine rule 7.2). Columns are dense, `numRows` long.
 *
 * Low 32 bits choose shuffle buckets, high 32 bits serve hash tables (7.3).
 */
export function hashColumns(columns: readonly Column[], numRows: number, arena: Arena): number {
  const hashes = arena.alloc(numRows * 8);
  if (columns.length === 0) kernels.hashNothing(numRows, hashes);
  for (const [index, column] of columns.entries()) hashOne(column, numRows, hashes, index === 0 ? 1 : 0, arena);
  return hashes;
}

function hashOne(column: Column, numRows: number, hashes: number, first: number, arena: Arena): void {
  const kind = keyKind(column.layout);
  if (column.dictionary !== null) {
    const { values, size } = column.dictionary;
    if (size <= numRows) {
      const words = arena.alloc(size * 8);
      kernels.keyWords(kind, values, size, words);
      kernels.hashWords(words, column.values, column.validity, numRows, hashes, first);
    } else {
      kernels.hashColumn(kind, values, column.values, column.validity, numRows, hashes, first);
    }
    return;
  }
  const flat = flattenColumn(column, arena);
  // A column of type Null stays constant: its kind makes every row null.
  kernels.hashColumn(kind, flat.values, 0, flat.encoding === 'flat' ? flat.validity : 0, numRows, hashes, first);
}
