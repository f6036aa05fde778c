/** Made tables whose files and row groups hold different ranges, so that dynamic filters have something to prune; DuckDB writes them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDB } from './duckdb.js';

/** Rows of a row group: the least DuckDB writes. */
const ROW_GROUP = 2048;
const FILES = 4;

/**
 * In `folder`: `orders` (8 row groups in 4 files) and `lines` (32 in 4), both ascending by key and date; `customers` and `parts`, small;
 * `mixed` (12 in 4), its columns of many types with nulls, NaN and many equals, `k` ascending.
 */
export async function makeClusteredData(folder: string, duckdb: DuckDB): Promise<void> {
  const write = async (table: string, count: number, columns: string, files = FILES): Promise<void> => {
    mkdirSync(join(folder, table), { recursive: true });
    for (let file = 0; file < files; file++) {
      const range = `range(${(count / files) * file}, ${(count / files) * (file + 1)}) t(i)`;
      const path = join(folder, table, `${String(file).padStart(2, '0')}.parquet`);
      await duckdb.run(
        `COPY (SELECT ${columns} FROM ${range} ORDER BY i) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE ${ROW_GROUP})`,
      );
    }
  };
  await write('customers', 400, `i c_key, CASE WHEN i % 40 = 7 THEN 'rare' ELSE 'common' END c_segment`, 1);
  // A customer's orders lie together.
  await write(
    'orders',
    16_384,
    `i o_key, i // 41 o_customer, DATE '2020-01-01' + CAST(i // 16 AS INTEGER) o_date, CAST((i * 7919) % 100003 AS DECIMAL(12, 2)) o_price`,
  );
  await write(
    'lines',
    65_536,
    `i // 4 l_order, i // 64 l_part, CAST(1 + (i * 31) % 50 AS DECIMAL(12, 2)) l_quantity,
     DATE '2020-01-01' + CAST(i // 64 AS INTEGER) l_date, 'line ' || lpad(CAST(i AS VARCHAR), 8, '0') l_text`,
  );
  await write('parts', 1_024, `i p_key, CASE WHEN i % 256 = 9 THEN 'ripe' ELSE 'raw' END p_state`, 1);
  await write(
    'mixed',
    24_576,
    `CAST(i AS INTEGER) k, CASE WHEN i % 7 = 3 THEN NULL ELSE CAST((i * 31) % 11 AS INTEGER) END AS few,
     CASE WHEN i % 97 = 5 THEN NULL ELSE (i * 2654435761) % 1000003 - 500000 END AS big,
     CASE WHEN i % 13 = 2 THEN NULL ELSE substr(md5(CAST(i % 977 AS VARCHAR)), 1, CAST(i % 6 AS INTEGER)) || chr(CAST(228 + i % 3 AS INTEGER)) END AS label,
     CASE WHEN i % 11 = 4 THEN NULL ELSE CAST((i * 7907) % 100019 - 50000 AS DECIMAL(18, 3)) / 8 END::DECIMAL(18, 3) AS price,
     CASE WHEN i % 17 = 1 THEN NULL ELSE CAST((i * 7907) % 100019 AS DECIMAL(30, 4)) * 1000000000000 END::DECIMAL(30, 4) AS wide,
     CASE WHEN i % 19 = 6 THEN NULL WHEN i % 101 = 50 THEN 'NaN' WHEN i % 103 = 50 THEN '-1e300'
       ELSE CAST(((i * 7907) % 20011 - 10000) / 16 AS VARCHAR) END::DOUBLE AS ratio,
     CASE WHEN i % 23 = 8 THEN NULL ELSE DATE '1999-06-01' + CAST((i * 131) % 4001 AS INTEGER) END AS day,
     CASE WHEN i % 29 = 9 THEN NULL ELSE TIMESTAMP '2001-01-01 00:00:00' + to_seconds((i * 7919) % 1000003) END AS moment,
     i % 3 = 0 flag, CAST(NULL AS INTEGER) AS empty`,
  );
}
