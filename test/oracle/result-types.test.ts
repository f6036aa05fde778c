/** The 22 TPC-H queries have DataFusion's columns: names, types, nullability. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { typeName } from '../../src/columnar/data-type.js';
import { SessionContext } from '../../src/session/session-context.js';
import { skipWithoutCorpus } from '../support/corpora.js';
import { fixturesTpch } from '../support/repository.js';
import { runPython, skipWithoutYardstick } from '../support/yardsticks.js';
import { TPCH, tpchSql } from './tpch-queries.js';

/** Statements in, the columns of each query out, as pyarrow prints types. */
const SCRIPT = `
import json, os, sys
from datafusion import SessionContext
request = json.load(sys.stdin)
context = SessionContext()
for table in sorted(os.listdir(request["folder"])):
    folder = os.path.join(request["folder"], table)
    if os.path.isdir(folder) and table[0] not in "._":
        context.register_parquet(table, folder + "/")
answers = []
for statements in request["queries"]:
    columns = None
    for sql in statements:
        frame = context.sql(sql)
        if sql.lstrip().lower().startswith(("select", "with")):
            columns = [[f.name, str(f.type), f.nullable] for f in frame.schema()]
        else:
            frame.collect()
    answers.append(columns)
json.dump(answers, sys.stdout)
`;

/** Types that pyarrow calls by another name than Arrow's in lower case. */
const PYARROW: Readonly<Record<string, string>> = {
  Float32: 'float',
  Float64: 'double',
  Date32: 'date32[day]',
  Utf8: 'string',
  Utf8View: 'string_view',
};

describe('the columns of results', { skip: skipWithoutCorpus('tpch') }, () => {
  test('are DataFusion’s', { skip: skipWithoutYardstick('datafusion'), timeout: 120_000 }, async () => {
    const names = Object.keys(TPCH);
    const queries = names.map((name) =>
      tpchSql(name)
        .split(';')
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    );
    const expected = runPython(SCRIPT, { folder: fixturesTpch, queries });
    assert.ok(Array.isArray(expected) && expected.length === names.length);
    const session = await SessionContext.create({ data: [fixturesTpch] });
    try {
      for (const [index, name] of names.entries()) {
        let columns: unknown;
        for await (const frame of session.queries(tpchSql(name))) {
          columns = frame.schema.fields.map((field) => [
            field.name,
            PYARROW[field.type.kind] ?? typeName(field.type).toLowerCase(),
            field.nullable,
          ]);
        }
        assert.deepEqual(columns, expected[index], name);
      }
    } finally {
      await session.close();
    }
  });
});
