import type { FileGroup, FileScanConfig, PartitionedFile } from '../../catalog/file-scan.js';
import type { ColumnStatistics, Precision, Statistics } from '../../catalog/statistics.js';
import { asFlag, asList, asNumber, asObject, asText, malformed, nullable } from '../../expr/encoded-fields.js';
import type { EncodedValue, ExprCodec } from '../../expr/expr-codec.js';

/** A file scan as one value of the structured tree. */
export function encodeFileScan(scan: FileScanConfig, codec: ExprCodec): EncodedValue {
  return {
    fileType: scan.fileType,
    tableSchema: codec.schema(scan.tableSchema),
    fileGroups: encodeFileGroups(scan.fileGroups),
    projection: scan.projection.map(({ expr, name }) => [codec.expr(expr), name]),
    predicate: scan.predicate === null ? null : codec.expr(scan.predicate),
    limit: scan.limit,
    outputOrderings: scan.outputOrderings.map((keys) => codec.sortExprs(keys)),
    sortOrderForReorder: scan.sortOrderForReorder === null ? null : codec.sortExprs(scan.sortOrderForReorder),
    reverseRowGroups: scan.reverseRowGroups,
    tableStatistics: encodeStatistics(scan.tableStatistics, codec),
    hashKeys: scan.hashKeys === undefined ? null : scan.hashKeys.map((key) => codec.expr(key)),
  };
}

export function decodeFileScan(encoded: EncodedValue | undefined, codec: ExprCodec): FileScanConfig {
  const fields = asObject(encoded, 'file scan');
  const hashKeys = nullable(fields['hashKeys'], 'hashKeys', (keys) =>
    asList(keys, 'hashKeys').map((key) => codec.decodeExpr(key)),
  );
  return {
    fileType: fileType(fields['fileType']),
    tableSchema: codec.decodeSchema(fields['tableSchema'] ?? null),
    fileGroups: decodeFileGroups(fields['fileGroups'] ?? null),
    projection: asList(fields['projection'], 'projection').map((entry) => {
      const [expr, name] = asList(entry, 'projection entry');
      return { expr: codec.decodeExpr(expr ?? null), name: asText(name, 'projection entry') };
    }),
    predicate: nullable(fields['predicate'], 'predicate', (value) => codec.decodeExpr(value)),
    limit: nullable(fields['limit'], 'limit', (value) => asNumber(value, 'limit')),
    outputOrderings: asList(fields['outputOrderings'], 'outputOrderings').map((keys) => codec.decodeSortExprs(keys)),
    sortOrderForReorder: nullable(fields['sortOrderForReorder'], 'sortOrderForReorder', (value) =>
      codec.decodeSortExprs(value),
    ),
    reverseRowGroups: asFlag(fields['reverseRowGroups'], 'reverseRowGroups'),
    tableStatistics: decodeStatistics(fields['tableStatistics'], codec),
    ...(hashKeys === null ? {} : { hashKeys }),
  };
}

function fileType(value: EncodedValue | undefined): FileScanConfig['fileType'] {
  if (value === 'parquet' || value === 'csv' || value === 'json' || value === 'arrow') return value;
  throw malformed('file type');
}

export function encodeFileGroups(groups: readonly FileGroup[]): EncodedValue {
  return groups.map((group) => group.map(encodeFile));
}

export function decodeFileGroups(encoded: EncodedValue): FileGroup[] {
  return asList(encoded, 'fileGroups').map(decodeGroup);
}

/** A list, not an object: there may be a hundred thousand of them. */
function encodeFile({ path, size, modifiedMs, range }: PartitionedFile): EncodedValue {
  return range === null ? [path, size, modifiedMs] : [path, size, modifiedMs, range.start, range.end];
}

function decodeGroup(encoded: EncodedValue): FileGroup {
  return asList(encoded, 'file group').map((file) => {
    const [path, size, modifiedMs, start, end] = asList(file, 'file');
    return {
      path: asText(path, 'file path'),
      size: asNumber(size, 'file size'),
      modifiedMs: asNumber(modifiedMs, 'file time'),
      range: start === undefined ? null : { start: asNumber(start, 'file range'), end: asNumber(end, 'file range') },
    };
  });
}

function encodeStatistics({ numRows, totalByteSize, columns }: Statistics, codec: ExprCodec): EncodedValue {
  const figure = (precision: Precision<number>): EncodedValue => encodePrecision(precision, (value) => value);
  return {
    numRows: figure(numRows),
    totalByteSize: figure(totalByteSize),
    columns: columns.map(({ nullCount, min, max, distinctCount, byteSize }) => [
      figure(nullCount),
      encodePrecision(min, (value) => codec.scalar(value)),
      encodePrecision(max, (value) => codec.scalar(value)),
      figure(distinctCount),
      figure(byteSize),
    ]),
  };
}

function decodeStatistics(encoded: EncodedValue | undefined, codec: ExprCodec): Statistics {
  const fields = asObject(encoded, 'statistics');
  const figure = (value: EncodedValue | undefined): Precision<number> =>
    decodePrecision(value, (inner) => asNumber(inner, 'statistic'));
  return {
    numRows: figure(fields['numRows']),
    totalByteSize: figure(fields['totalByteSize']),
    columns: asList(fields['columns'], 'column statistics').map((column): ColumnStatistics => {
      const [nullCount, min, max, distinctCount, byteSize] = asList(column, 'column statistics');
      return {
        nullCount: figure(nullCount),
        min: decodePrecision(min, (value) => codec.decodeScalar(value)),
        max: decodePrecision(max, (value) => codec.decodeScalar(value)),
        distinctCount: figure(distinctCount),
        byteSize: figure(byteSize),
      };
    }),
  };
}

function encodePrecision<T>(precision: Precision<T>, encode: (value: T) => EncodedValue): EncodedValue {
  return precision.kind === 'absent' ? null : [precision.kind, encode(precision.value)];
}

function decodePrecision<T>(encoded: EncodedValue | undefined, decode: (value: EncodedValue) => T): Precision<T> {
  if (encoded === undefined) throw malformed('statistic');
  if (encoded === null) return { kind: 'absent' };
  const [kind, value] = asList(encoded, 'statistic');
  if ((kind !== 'exact' && kind !== 'inexact') || value === undefined) throw malformed('statistic');
  return { kind, value: decode(value) };
}
