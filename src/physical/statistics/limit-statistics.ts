import { ABSENT, exact, inexact, known, type Precision, type Statistics, toInexact } from '../../catalog/statistics.js';

/** Rows after skipping `skip` and stopping after `fetch` (null = never), in each of `partitions`. Bytes shrink with the rows. */
export function limitedStatistics(input: Statistics, skip: number, fetch: number | null, partitions = 1): Statistics {
  if (skip === 0 && fetch === null) return input;
  const before = known(input.numRows);
  if (before !== undefined && skip === 0 && before <= (fetch ?? Number.POSITIVE_INFINITY)) return input;
  const numRows = limitedRows(input.numRows, skip, fetch, partitions);
  const ratio = before === undefined || before === 0 || numRows.kind === 'absent' ? 0 : numRows.value / before;
  const scaled = (bytes: Precision<number>): Precision<number> =>
    bytes.kind === 'absent' ? ABSENT : inexact(Math.floor(bytes.value * ratio));
  const capped = (count: Precision<number>): Precision<number> =>
    count.kind === 'absent' || numRows.kind === 'absent'
      ? toInexact(count)
      : inexact(Math.min(count.value, numRows.value));
  const columns = input.columns.map((column) => ({
    nullCount: toInexact(column.nullCount),
    min: toInexact(column.min),
    max: toInexact(column.max),
    distinctCount: capped(column.distinctCount),
    byteSize: scaled(column.byteSize),
  }));
  const sizes = columns.map(({ byteSize }) => known(byteSize));
  const counted = sizes.filter((size) => size !== undefined);
  const totalByteSize =
    counted.length === sizes.length
      ? inexact(counted.reduce((sum, size) => sum + size, 0))
      : scaled(input.totalByteSize);
  return { numRows, totalByteSize, columns };
}

function limitedRows(
  rows: Precision<number>,
  skip: number,
  fetch: number | null,
  partitions: number,
): Precision<number> {
  if (rows.kind === 'absent') return fetch === null ? ABSENT : inexact(fetch * partitions);
  if (rows.value <= skip) return exact(0);
  const left = Math.min(rows.value - skip, fetch ?? Number.POSITIVE_INFINITY) * partitions;
  return rows.kind === 'exact' ? exact(left) : inexact(left);
}
