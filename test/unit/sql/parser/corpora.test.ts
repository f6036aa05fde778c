import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatements } from '../../../../src/sql/parser/parse-statements.js';
import { skipWithoutCorpus } from '../../../support/corpora.js';
import { corpusQueries } from '../../../support/queries.js';

const counts = { tpch: 22, tpcds: 99, clickbench: 43 } as const;

for (const suite of ['tpch', 'tpcds', 'clickbench'] as const) {
  test(`every query of ${suite} becomes a syntax tree`, { skip: skipWithoutCorpus(suite) }, () => {
    const queries = corpusQueries(suite);
    assert.equal(queries.length, counts[suite]);
    for (const { name, sql } of queries) {
      const statements = parseStatements(sql);
      const kinds = statements.map(({ kind }) => kind);
      if (suite === 'tpch' && name === 'q15') assert.deepEqual(kinds, ['create_view', 'query', 'drop']);
      else if (suite === 'tpcds') assert.ok(kinds.length > 0 && kinds.every((kind) => kind === 'query'), name);
      else assert.deepEqual(kinds, ['query'], name);
    }
  });
}
