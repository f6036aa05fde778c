import type { ColumnStatistics, Precision, Statistics } from '../../catalog/statistics.js';
import { displayLiteral } from '../../expr/expr-display.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';

/** What `explain.show_statistics` appends to a line: `statistics=[Rows=Exact(5), Bytes=Absent, [(Col[0]: Min=… Max=… Null=… …)]]`. */
export function statisticsText({ numRows, totalByteSize, columns }: Statistics): string {
  const perColumn = columns.map((column, i) => `(Col[${i}]:${columnText(column)})`).join(',');
  return `statistics=[Rows=${count(numRows)}, Bytes=${count(totalByteSize)}, [${perColumn}]]`;
}

function columnText({ min, max, nullCount, distinctCount, byteSize }: ColumnStatistics): string {
  const parts: readonly (readonly [string, Precision<number | ScalarValue>])[] = [
    ['Min', min],
    ['Max', max],
    ['Null', nullCount],
    ['Distinct', distinctCount],
    ['ScanBytes', byteSize],
  ];
  return parts
    .filter(([, precision]) => precision.kind !== 'absent')
    .map(
      ([name, precision]) =>
        ` ${name}=${precisionText(precision, (v) => (typeof v === 'number' ? String(v) : displayLiteral(v)))}`,
    )
    .join('');
}

function count(precision: Precision<number>): string {
  return precisionText(precision, String);
}

function precisionText<T>(precision: Precision<T>, text: (value: T) => string): string {
  switch (precision.kind) {
    case 'absent':
      return 'Absent';
    case 'exact':
      return `Exact(${text(precision.value)})`;
    case 'inexact':
      return `Inexact(${text(precision.value)})`;
  }
}
