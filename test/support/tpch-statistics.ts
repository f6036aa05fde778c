import { known } from '../../src/catalog/statistics.js';
import { typeName } from '../../src/columnar/data-type.js';
import { SessionContext } from '../../src/session/index.js';
import { fixturesTpch } from './repository.js';

/** How a described TPC-H table is stored: `share` is its part, from 0 to 1, of the values of all tables. */
export type DescribeFiles = (table: {
  readonly name: string;
  readonly rows: number;
  readonly share: number;
}) => unknown;

/** The tables of the TPC-H fixtures as statistics only, `scale` times as large, in the files that `files` tells of each. */
export async function tpchStatistics(scale: number, files: DescribeFiles): Promise<Record<string, object>> {
  const session = await SessionContext.create({ data: [fixturesTpch] });
  try {
    const names = session.catalog.tableNames();
    const tables = await Promise.all(
      names.map(async (name) => {
        const table = await session.catalog.table(name);
        if (table === undefined) throw new Error(`the fixtures have no table ${name}`);
        const rows = known(table.statistics().numRows) ?? 0;
        return { name, schema: table.schema, rows: rows * scale, values: rows * table.schema.fields.length };
      }),
    );
    const all = tables.reduce((sum, { values }) => sum + values, 0);
    return Object.fromEntries(
      tables.map(({ name, schema, rows, values }) => [
        name,
        {
          statistics: {
            rows,
            files: files({ name, rows, share: values / all }),
            columns: schema.fields.map((field) => ({
              name: field.name,
              type: typeName(field.type),
              nullable: field.nullable,
            })),
          },
        },
      ]),
    );
  } finally {
    await session.close();
  }
}
