import { BOOLEAN } from '../../../columnar/data-type.js';
import { Schema } from '../../../columnar/schema.js';
import type { FileScanConfig, ScanProjection } from '../../../catalog/file-scan.js';
import { physicalColumn, type PhysicalSortExpr } from '../../../expr/physical-expr.js';
import { DataSourceExec } from '../../../physical/operators/data-source-exec.js';
import { didYouMean } from '../../../base/nearest-names.js';
import { lineError } from '../plan-line.js';
import { readExpr, readExprs, readNamedExprs, readSortKeys, type Slice } from '../expressions/read.js';
import type { LineReader } from '../line-reader.js';
import type { ReadContext } from '../read-context.js';
import { readFileGroups } from '../scans/file-groups.js';
import type { OperatorReader } from './operator-reader.js';

/**
 * `DataSourceExec: file_groups={…}, projection=[a, b], limit=5, output_ordering=[a@0 ASC], file_type=parquet, predicate=…,
 * sort_order_for_reorder=[…], reverse_row_groups=true, dynamic_rg_pruning=eligible, pruning_predicate=…, required_guarantees=[…]`
 */
export const dataSourceReader: OperatorReader = {
  name: 'DataSourceExec',
  inputs: 0,
  read(line, _children, context) {
    line.expect(': ');
    if (!line.startsWith('file_groups=')) {
      throw line.error('the rows of a table in memory are not in the text', line.position, 'give the query as SQL');
    }
    const named = readFileGroups(line);
    const found = context.tables.of(line.line);
    if (found === undefined) throw line.error('its files were not opened');
    const { table, fileGroups } = found;
    const target = context.config.get('execution.target_partitions');
    const projectionText = line.take(', projection=[') ? untilFields(line) : null;
    const limit = line.take(', limit=') ? line.count() : null;
    const base = table.scan({ projection: [], limit, targetPartitions: target });
    const projection = projectionText === null ? [] : readScanProjection(projectionText, table.schema, context);
    const output = new Schema(projection.map(({ expr, name }) => ({ name, type: expr.type, nullable: expr.nullable })));
    const outputOrderings = readOrderings(line, output, context);
    let hashKeys: FileScanConfig['hashKeys'];
    if (line.take(', output_partitioning=Hash([')) {
      hashKeys = readExprs(line.until('], '), output, context);
      line.count();
      line.expect(')');
    }
    if (line.take(', constraints=[')) line.until(']');
    line.expect(', file_type=');
    const fileType = line.choice(['parquet', 'csv', 'json', 'arrow', 'avro'], 'file type');
    if (fileType !== 'parquet') {
      throw line.error(`files of type ${fileType} cannot be read`, line.position, 'give the query over Parquet files');
    }
    const tail = readTail(line, output, table.schema, context);
    const scan: FileScanConfig = {
      ...base.fileScan,
      fileGroups,
      projection,
      limit,
      outputOrderings,
      ...tail,
      ...(hashKeys === undefined ? {} : { hashKeys }),
    };
    if (named.groups.length === 0) throw line.error('the scan names no file');
    return new DataSourceExec(base.withFileScan(scan));
  },
};

/** The projection's inside: names may hold brackets, so it ends where another field of the line follows. */
function untilFields(line: LineReader): Slice {
  const rest = line.text.slice(line.position, line.limit);
  const end = /\], (?:limit=|output_ordering|output_partitioning=|constraints=|file_type=)/.exec(rest);
  if (end === null) throw line.error('file_type= is missing: the line is cut short');
  const slice = { line: line.line, from: line.position, to: line.position + end.index };
  line.position = slice.to + 1;
  return slice;
}

/** Plain columns are named, in any order; what a scan computes is an expression over the table's columns. */
function readScanProjection(slice: Slice, schema: Schema, context: ReadContext): ScanProjection[] {
  const { line, from, to } = slice;
  const names = line.text.slice(from, to).split(', ');
  const columns = names.map((name) => schema.indexOf(name));
  if (columns.every((index) => index >= 0)) {
    return columns.map((index, i) => ({ expr: physicalColumn(schema, index), name: names[i] ?? '' }));
  }
  const parts: ScanProjection[] = [];
  let position = from;
  while (position < to) {
    const rest = line.text.slice(position, to);
    const plain = schema.fields.findIndex(({ name }) => rest === name || rest.startsWith(`${name}, `));
    if (plain >= 0) {
      const { name } = schema.field(plain);
      parts.push({ expr: physicalColumn(schema, plain), name });
      position += name.length + 2;
      continue;
    }
    // What follows is read as one list up to the next plain column.
    const next = nextPlainColumn(rest, schema);
    const end = next === undefined ? to : position + next;
    const word = /^[A-Za-z_][\w$]*(?=$|, )/.exec(line.text.slice(position, end))?.[0];
    if (word !== undefined) {
      const hint = didYouMean(
        word,
        schema.fields.map(({ name }) => name),
      );
      throw lineError(line, position, `the files have no column ${word}`, hint ?? 'name columns of the files');
    }
    parts.push(...readNamedExprs({ line, from: position, to: end }, schema, context));
    position = end + 2;
  }
  return parts;
}

/** The offset of the `, ` before the next part that is a column's name. */
function nextPlainColumn(rest: string, schema: Schema): number | undefined {
  for (let at = rest.indexOf(', '); at >= 0; at = rest.indexOf(', ', at + 1)) {
    const after = rest.slice(at + 2);
    if (schema.fields.some(({ name }) => after === name || after.startsWith(`${name}, `))) return at;
  }
  return undefined;
}

function readOrderings(line: LineReader, output: Schema, context: ReadContext): PhysicalSortExpr[][] {
  if (line.take(', output_ordering=[')) {
    const slice = untilFields(line);
    return [readSortKeys(slice, output, context)];
  }
  if (!line.take(', output_orderings=[[')) return [];
  const slice = untilFields(line);
  const orderings: PhysicalSortExpr[][] = [];
  let from = slice.from;
  const to = slice.to - 1;
  for (;;) {
    const next = line.text.slice(0, to).indexOf('], [', from);
    orderings.push(readSortKeys({ line: line.line, from, to: next < 0 ? to : next }, output, context));
    if (next < 0) return orderings;
    from = next + 4;
  }
}

type Tail = Pick<FileScanConfig, 'predicate' | 'sortOrderForReorder' | 'reverseRowGroups'>;

/** What a Parquet source adds. The pruning predicate follows from the predicate; the check of the whole line compares it. */
function readTail(line: LineReader, output: Schema, table: Schema, context: ReadContext): Tail {
  const guarantees = line.takeEndList('required_guarantees');
  if (guarantees !== null) {
    const at = line.text.slice(0, line.limit).lastIndexOf(', pruning_predicate=');
    if (at >= line.position) line.limit = at;
  }
  line.takeEnd(/, dynamic_rg_pruning=eligible$/);
  const reverseRowGroups = line.takeEnd(/, reverse_row_groups=true$/) !== null;
  const order = line.takeEndList('sort_order_for_reorder');
  const sortOrderForReorder = order === null ? null : readSortKeys(order, output, context);
  const predicate = line.take(', predicate=') ? readExpr(line.rest(), table, BOOLEAN, context) : null;
  line.end();
  return { predicate, sortOrderForReorder, reverseRowGroups };
}
