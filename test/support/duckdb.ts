/** DuckDB as oracle: the rows it gives for the same SQL over the same files. */
import { readdirSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

export interface DuckDBRows {
  /** In output order; the type is DuckDB's own spelling, such as `DECIMAL(38,2)` or `BIGINT`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Each value as DuckDB's client prints it: decimals and integers exact and with their scale, doubles as JavaScript does; null for NULL. */
  readonly rows: readonly (readonly (string | null)[])[];
}

export class DuckDB {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** An in-memory database with a view for each `<folder>/<table>/*.parquet`, on one thread so that row order is stable. */
  static async over(folder?: string): Promise<DuckDB> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    const duckdb = new DuckDB(instance, connection);
    if (folder !== undefined) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isDirectory() || /^[._]/.test(entry.name)) continue;
        const files = `${folder}/${entry.name}/*.parquet`.replaceAll("'", "''");
        await connection.run(`CREATE VIEW "${entry.name}" AS SELECT * FROM read_parquet('${files}')`);
      }
    }
    return duckdb;
  }

  /** Runs statements whose rows nobody asks for. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** Runs one query. */
  async query(sql: string): Promise<DuckDBRows> {
    const reader = await this.#connection.runAndReadAll(sql);
    const types = reader.columnTypes().map(String);
    const columns = reader.columnNames().map((name, index) => ({ name, type: types[index] ?? '' }));
    const rows = reader.getRows().map((row) => row.map((value) => (value === null ? null : toText(value))));
    return { columns, rows };
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** DuckDB's value classes print themselves as DuckDB does. */
function toText(value: unknown): string {
  return String(value);
}
