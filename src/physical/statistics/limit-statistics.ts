import { statisticsToInexact } from '../../catalog/projection-statistics.js';
import { ABSENT, exact, inexact, type Precision, type Statistics } from '../../catalog/statistics.js';

/** Rows after skipping `skip` and stopping after `fetch` (null = never). Bytes shrink with the rows. */
export function limitedStatistics(input: Statistics, skip: number, fetch: number | null): Statistics {
  if (skip === 0 && fetch === null) return input;
  const limit = fetch ?? Number.POSITIVE_INFINITY;
  let numRows: Precision<number>;
  if (input.numRows.kind === 'absent') numRows = Number.isFinite(limit) ? inexact(limit) : ABSENT;
  else {
    if (skip === 0 && input.numRows.value <= limit) return input;
    const rows = Math.min(Math.max(input.numRows.value - skip, 0), limit);
    numRows = input.numRows.kind === 'exact' ? exact(rows) : inexact(rows);
  }
  const before = input.numRows.kind === 'absent' ? 0 : input.numRows.value;
  const totalByteSize: Precision<number> =
    input.totalByteSize.kind === 'absent' || numRows.kind === 'absent' || before === 0
      ? ABSENT
      : inexact(Math.ceil((input.totalByteSize.value * numRows.value) / before));
  return { ...statisticsToInexact(input), numRows, totalByteSize };
}
