import type { DataSource, SourceCodec } from '../../src/catalog/data-source.js';
import { projectionStatistics, statisticsToInexact } from '../../src/catalog/projection-statistics.js';
import type { FileScanConfig } from '../../src/catalog/file-scan.js';
import { exact, type Statistics, UNKNOWN_COLUMN } from '../../src/catalog/statistics.js';
import { decimal, type Field, INT64 } from '../../src/columnar/data-type.js';
import type { RecordBatch } from '../../src/columnar/record-batch.js';
import { Schema } from '../../src/columnar/schema.js';
import type { EncodedNode, ExprCodec } from '../../src/expr/expr-codec.js';
import type { AggregateFunction, FunctionRegistry } from '../../src/expr/function.js';
import { lag } from '../../src/functions/window/lag.js';
import { displayPhysicalExpr, displaySortExprs } from '../../src/expr/physical-expr-display.js';
import { physicalColumn } from '../../src/expr/physical-expr.js';
import { DataSourceExec } from '../../src/physical/operators/data-source-exec.js';

/** A file source that only describes: for tests of planning, where nothing is read. */
class DescribedSource implements DataSource {
  readonly fileScan: FileScanConfig;
  readonly schema: Schema;
  readonly partitionCount: number;

  constructor(fileScan: FileScanConfig) {
    this.fileScan = fileScan;
    this.schema = new Schema(
      fileScan.projection.map(({ expr, name }) => ({ name, type: expr.type, nullable: expr.nullable })),
    );
    this.partitionCount = fileScan.fileGroups.length;
  }

  statistics(): Statistics {
    const projected = projectionStatistics(this.fileScan.tableStatistics, this.fileScan.projection);
    return this.fileScan.predicate === null ? projected : statisticsToInexact(projected);
  }

  withFileScan(config: FileScanConfig): DataSource {
    return new DescribedSource(config);
  }

  get fetch(): number | null {
    return this.fileScan.limit;
  }

  withFetch(fetch: number): DataSource {
    return this.withFileScan({ ...this.fileScan, limit: fetch });
  }

  withProjection(columns: readonly number[]): DataSource {
    return this.withFileScan({
      ...this.fileScan,
      projection: columns.map((index) => this.fileScan.projection[index]!),
    });
  }

  open(): AsyncIterable<RecordBatch> {
    throw new Error('a described source is never read');
  }

  describe(): string {
    const { fileGroups, projection, predicate, limit, sortOrderForReorder, reverseRowGroups } = this.fileScan;
    const groups = fileGroups.map((group) => {
      const files = group.map(({ path, range }) => (range === null ? path : `${path}:${range.start}..${range.end}`));
      return `[${files.join(', ')}]`;
    });
    const columns = projection.map(({ expr, name }) =>
      expr.kind === 'column' && expr.name === name ? name : `${displayPhysicalExpr(expr)} as ${name}`,
    );
    let text = `file_groups={${groups.length} ${groups.length === 1 ? 'group' : 'groups'}: [${groups.join(', ')}]}`;
    if (columns.length > 0) text += `, projection=[${columns.join(', ')}]`;
    if (limit !== null) text += `, limit=${limit}`;
    text += ', file_type=parquet';
    if (predicate !== null) text += `, predicate=${displayPhysicalExpr(predicate)}`;
    if (sortOrderForReorder !== null) text += `, sort_order_for_reorder=[${displaySortExprs(sortOrderForReorder)}]`;
    if (reverseRowGroups) text += ', reverse_row_groups=true';
    return text;
  }

  encode(codec: ExprCodec): EncodedNode {
    const { fileScan } = this;
    return {
      kind: 'described',
      schema: codec.schema(fileScan.tableSchema),
      files: fileScan.fileGroups.map((group) => group.map(({ path, size }) => [path, size])),
      projection: fileScan.projection.map(({ expr, name }) => [codec.expr(expr), name]),
      predicate: fileScan.predicate === null ? null : codec.expr(fileScan.predicate),
      limit: fileScan.limit,
    };
  }
}

export const describedSourceCodec: SourceCodec = {
  kind: 'described',
  decode(fields, codec) {
    const schema = codec.decodeSchema(fields['schema'] ?? null);
    const files = fields['files'] as readonly (readonly (readonly [string, number])[])[];
    const projection = fields['projection'] as readonly (readonly [EncodedNode, string])[];
    const predicate = fields['predicate'] ?? null;
    return new DescribedSource({
      ...describedScan(schema.fields, { rows: 0, files: 1 }),
      fileGroups: files.map((group) => group.map(([path, size]) => ({ path, size, modifiedMs: 0, range: null }))),
      projection: projection.map(([expr, name]) => ({ expr: codec.decodeExpr(expr), name })),
      predicate: predicate === null ? null : codec.decodeExpr(predicate),
      limit: fields['limit'] as number | null,
    });
  },
};

export interface DescribedTable {
  readonly rows: number;
  /** Files of the table, one group each. */
  readonly files?: number;
  readonly bytesPerFile?: number;
  readonly name?: string;
}

/** The scan of all columns of a table with that many rows. */
function describedScan(fields: readonly Field[], table: DescribedTable): FileScanConfig {
  const { rows, files = 1, bytesPerFile = 1000, name = 't' } = table;
  const schema = new Schema(fields);
  return {
    fileType: 'parquet',
    tableSchema: schema,
    fileGroups: Array.from({ length: files }, (_, i) => [
      { path: `${name}/${i}.parquet`, size: bytesPerFile, modifiedMs: 0, range: null },
    ]),
    projection: fields.map((field, index) => ({ expr: physicalColumn(schema, index), name: field.name })),
    predicate: null,
    limit: null,
    outputOrderings: [],
    sortOrderForReorder: null,
    reverseRowGroups: false,
    tableStatistics: {
      numRows: exact(rows),
      totalByteSize: { kind: 'absent' },
      columns: fields.map(() => UNKNOWN_COLUMN),
    },
  };
}

export function describedTable(fields: readonly Field[], table: DescribedTable): DataSourceExec {
  return new DataSourceExec(new DescribedSource(describedScan(fields, table)));
}

/** `sum` as far as planning needs it. */
export const testSum: AggregateFunction = {
  name: 'sum',
  aliases: [],
  doc: { summary: 'The sum.', example: { sql: 'SELECT sum(a) FROM (VALUES (1)) AS t (a)', result: '1' } },
  coerce: (types) => [...types],
  returnType: ([type]) =>
    type?.kind === 'Decimal128' ? decimal(Math.min(38, type.precision + 10), type.scale) : INT64,
  nullable: true,
  stateFields: (name, [type]) => [{ name: `${name}[sum]`, type: type ?? INT64, nullable: true }],
  orderSensitive: false,
  createAccumulator: () => {
    throw new Error('the planning double of sum does not run');
  },
};

export const testFunctions: FunctionRegistry = {
  scalar: () => undefined,
  aggregate: (name) => (name === 'sum' ? testSum : undefined),
  window: (name) => (name === 'lag' ? lag : undefined),
  names: () => ['lag', 'sum'],
};
