/** One query text in a fresh DuckDB, for timing whole processes: `node duckdb-cold.js query.sql dataFolder threads`. */
import { readdirSync, readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [file = '', data = '', threads = '1'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads });
const connection = await instance.connect();
for (const table of readdirSync(data)) {
  await connection.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet('${data}/${table}/*.parquet')`);
}
for (const statement of readFileSync(file, 'utf8').split(';')) {
  if (statement.trim() !== '') await connection.runAndReadAll(statement);
}
connection.closeSync();
instance.closeSync();
