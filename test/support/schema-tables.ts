/**
 * Tables that are nothing but a schema: enough to bind and plan queries.
 *
 *     const catalog = schemaCatalog({ t: 'a: int64, b: varchar?' });
 */
import { notImplemented } from '../../src/base/errors.js';
import type { Catalog, TableProvider } from '../../src/catalog/data-source.js';
import { unknownStatistics } from '../../src/catalog/statistics.js';
import {
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  field,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  timestamp,
  UTF8_VIEW,
} from '../../src/columnar/data-type.js';
import { Schema } from '../../src/columnar/schema.js';

/** Table name → `column: type, …`; a type that ends in `?` is nullable. */
export type SchemaTexts = Readonly<Record<string, string>>;

/** View name → its SQL. */
export type ViewTexts = Readonly<Record<string, string>>;

const TYPES: Readonly<Record<string, DataType>> = {
  int16: INT16,
  int32: INT32,
  int64: INT64,
  float64: FLOAT64,
  boolean: BOOLEAN,
  date: DATE32,
  time: { kind: 'Time32', unit: 'ms' },
  timestamp: timestamp('ns'),
  varchar: UTF8_VIEW,
};

function parseSchema(text: string): Schema {
  const columns = [...text.matchAll(/(\w+)\s*:\s*(\w+)(?:\((\d+)\s*,\s*(\d+)\))?(\?)?/g)];
  return new Schema(
    columns.map(([, name = '', type = '', precision, scale, nullable]) => {
      const found = type === 'decimal' ? decimal(Number(precision), Number(scale)) : TYPES[type];
      if (found === undefined) throw new Error(`no type ${type} for ${name}`);
      return field(name, found, nullable !== undefined);
    }),
  );
}

function provider(schema: Schema, viewSql: string | null): TableProvider {
  return {
    schema,
    viewSql,
    statistics: () => unknownStatistics(schema.length),
    scan: () => {
      throw notImplemented('scanning a table that is only a schema');
    },
  };
}

export interface SchemaCatalog extends Catalog {
  /** The names asked for so far, in order. */
  readonly asked: string[];
}

export function schemaCatalog(tables: SchemaTexts, views: ViewTexts = {}): SchemaCatalog {
  const providers = new Map<string, TableProvider>([
    ...Object.entries(tables).map(([name, text]): [string, TableProvider] => [name, provider(parseSchema(text), null)]),
    ...Object.entries(views).map(([name, sql]): [string, TableProvider] => [name, provider(new Schema([]), sql)]),
  ]);
  const asked: string[] = [];
  return {
    asked,
    table: async (name) => {
      asked.push(name);
      return providers.get(name);
    },
    tableFromPath: async (path) => {
      asked.push(`path ${path}`);
      const found = providers.get(path.replace(/^.*\/|\..*$/g, ''));
      if (found === undefined) throw notImplemented(`reading ${path}`);
      return found;
    },
    tableNames: () => [...providers.keys()],
  };
}

/** TPC-H as tpchgen writes it. */
export const TPCH_SCHEMAS: SchemaTexts = {
  customer:
    'c_custkey: int64, c_name: varchar, c_address: varchar, c_nationkey: int64, c_phone: varchar, c_acctbal: decimal(15,2), c_mktsegment: varchar, c_comment: varchar',
  lineitem:
    'l_orderkey: int64, l_partkey: int64, l_suppkey: int64, l_linenumber: int32, l_quantity: decimal(15,2), l_extendedprice: decimal(15,2), l_discount: decimal(15,2), l_tax: decimal(15,2), l_returnflag: varchar, l_linestatus: varchar, l_shipdate: date, l_commitdate: date, l_receiptdate: date, l_shipinstruct: varchar, l_shipmode: varchar, l_comment: varchar',
  nation: 'n_nationkey: int64, n_name: varchar, n_regionkey: int64, n_comment: varchar',
  orders:
    'o_orderkey: int64, o_custkey: int64, o_orderstatus: varchar, o_totalprice: decimal(15,2), o_orderdate: date, o_orderpriority: varchar, o_clerk: varchar, o_shippriority: int32, o_comment: varchar',
  part: 'p_partkey: int64, p_name: varchar, p_mfgr: varchar, p_brand: varchar, p_type: varchar, p_size: int32, p_container: varchar, p_retailprice: decimal(15,2), p_comment: varchar',
  partsupp:
    'ps_partkey: int64, ps_suppkey: int64, ps_availqty: int32, ps_supplycost: decimal(15,2), ps_comment: varchar',
  region: 'r_regionkey: int64, r_name: varchar, r_comment: varchar',
  supplier:
    's_suppkey: int64, s_name: varchar, s_address: varchar, s_nationkey: int64, s_phone: varchar, s_acctbal: decimal(15,2), s_comment: varchar',
};
