/**
 * Prints the tables of a folder as the `tables` of a query spec: schemas, files and statistics without the data.
 *
 *     node dist/test/plans/describe-tables.js <folder> [--scale n] > test/plans/tables/<suite>.json
 *
 * `--scale` says that each file has n times the rows and bytes. The bounds of long texts are left out.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { known, type Precision, type Statistics } from '../../src/catalog/statistics.js';
import { typeName } from '../../src/columnar/data-type.js';
import type { ScalarValue } from '../../src/columnar/scalar-value.js';
import { SessionConfig } from '../../src/config/session-config.js';
import { scalarText } from '../../src/expr/scalar-text.js';
import { ParquetTable } from '../../src/sources/parquet/parquet-table.js';
import { tableFolders } from '../support/planning-session.js';

const LONGEST_BOUND = 24;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '1' } },
});
const scale = Number(values.scale);
const lines: string[] = [];
for (const [name, folder] of Object.entries(tableFolders(positionals[0] ?? ''))) {
  const table = await ParquetTable.open(folder, SessionConfig.fromEntries([]));
  lines.push(`${JSON.stringify(name)}: ${describe(name, table)}`);
}
console.log(`{\n${lines.join(',\n')}\n}`);

/** One line for the files and one per column, so that changes can be read. */
function describe(name: string, table: ParquetTable): string {
  const statistics = table.statistics();
  const rows = (known(statistics.numRows) ?? 0) * scale;
  const files = table.files.map(({ path, size }) => ({ path: `${name}/${basename(path)}`, size: size * scale }));
  const columns = table.schema.fields.map((field, index) => {
    const { nullCount, min, max, distinctCount, byteSize } = statistics.columns[index] ?? unknownColumn(statistics);
    return JSON.stringify({
      name: field.name,
      type: typeName(field.type),
      ...(field.nullable ? { nullCount: times(nullCount) } : { nullable: false }),
      distinctCount: known(distinctCount),
      min: bound(min),
      max: bound(max),
      byteSize: times(byteSize),
    });
  });
  return `{ "statistics": { "rows": ${rows}, "files": ${JSON.stringify(files)}, "columns": [\n  ${columns.join(',\n  ')}\n] } }`;
}

function unknownColumn(statistics: Statistics): never {
  throw new Error(`${statistics.columns.length} columns have statistics, the schema has more`);
}

function times(figure: Precision<number>): number | undefined {
  const value = known(figure);
  return value === undefined ? undefined : value * scale;
}

function bound(figure: Precision<ScalarValue>): string | undefined {
  const value = known(figure);
  if (value === undefined || value.value === null || value.value instanceof Uint8Array) return undefined;
  const text = scalarText(value);
  return text.length > LONGEST_BOUND ? undefined : text;
}
