import { known } from '../../src/catalog/statistics.js';
import { typeName } from '../../src/columnar/data-type.js';
import { SessionContext } from '../../src/session/index.js';
import { fixturesTpch } from '../support/repository.js';

/** The tables of the TPC-H fixtures as statistics only, `scale` times as large, each in that many files. */
export async function tpchStatistics(scale: number, count: number, totalSize: string): Promise<object> {
  const session = await SessionContext.create({ data: [fixturesTpch] });
  try {
    const tables: Record<string, object> = {};
    for (const name of session.catalog.tableNames()) {
      const table = await session.catalog.table(name);
      if (table === undefined) continue;
      const statistics = {
        rows: (known(table.statistics().numRows) ?? 0) * scale,
        files: { count, totalSize },
        columns: table.schema.fields.map((field) => ({
          name: field.name,
          type: typeName(field.type),
          nullable: field.nullable,
        })),
      };
      tables[name] = { statistics };
    }
    return tables;
  } finally {
    await session.close();
  }
}
