/**
 * EXPLAIN, EXPLAIN VERBOSE and the settings that choose what it shows, over ten queries, beside DataFusion: every row that both have is
 * the same text. Steps of rules that one of them lacks are left out.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { EXPLAIN_QUERIES } from '../support/explain-queries.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { tableFolders } from '../support/planning-session.js';
import { queryRows } from '../support/query-rows.js';
import { fixturesTpch } from '../support/repository.js';
import { runPython } from '../support/yardsticks.js';

const DATAFUSION = `
import json, sys
from datafusion import SessionConfig, SessionContext
request = json.load(sys.stdin)
config = SessionConfig().set("datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery", "false")
for key, value in request["settings"]:
    config = config.set("datafusion." + key, value)
context = SessionContext(config)
for table, folder in request["tables"].items():
    context.register_parquet(table, folder.rstrip("/") + "/")
def explain(sql):
    return [row for b in context.sql(sql).collect() for row in zip(b.column(0).to_pylist(), b.column(1).to_pylist())]
json.dump([explain(sql) for sql in request["statements"]], sys.stdout)
`;

const tables = tableFolders(fixturesTpch);
const PARTITIONS = ['execution.target_partitions', '3'] as const;
const SHOWN: readonly (readonly (readonly [string, string])[])[] = [
  [],
  [['explain.show_statistics', 'true']],
  [['explain.show_schema', 'true']],
  [['explain.logical_plan_only', 'true']],
  [
    ['explain.physical_plan_only', 'true'],
    ['explain.show_schema', 'true'],
  ],
];

async function ours(
  settings: readonly (readonly [string, string])[],
  statements: readonly string[],
): Promise<unknown[][][]> {
  const session = await SessionContext.create({ settings: [['distq.worker_mode', 'in_process'], ...settings] });
  try {
    for (const [name, folder] of Object.entries(tables)) await session.registerParquet(name, folder);
    const rows: unknown[][][] = [];
    for (const statement of statements) rows.push(await queryRows(session, statement));
    return rows;
  } finally {
    await session.close();
  }
}

/** Rows by name: of several of one name the last, without the steps of single rules and what DataFusion does not have. */
function named(rows: readonly unknown[][]): Record<string, string> {
  const kept = rows.filter(([name]) => !String(name).includes(' after ') && name !== 'distributed_plan');
  return Object.fromEntries(kept.map(([name, text]) => [String(name), withoutStates(String(text).trimEnd())]));
}

/**
 * The columns of partial states (`sum(x)[sum]`) are each engine's own: distq sums exactly, in wider decimals and compensated floats. Their
 * lines lose the schema, and the byte sizes that follow from it stay.
 */
function withoutStates(text: string): string {
  return text.replace(/, schema=\[.*\[[\w ]+\]:.*$/gm, ', schema=(states)');
}

describe('EXPLAIN beside DataFusion', { skip: skipWithoutDataFusion }, () => {
  for (const shown of SHOWN) {
    for (const verb of ['EXPLAIN', 'EXPLAIN VERBOSE']) {
      test(`${verb} ${shown.map(([key]) => key).join(', ')}`, async () => {
        const settings = [PARTITIONS, ...shown];
        const statements = Object.values(EXPLAIN_QUERIES).map((query) => `${verb} ${query}`);
        const theirs = runPython(DATAFUSION, { tables, statements, settings }) as string[][][];
        const mine = await ours(settings, statements);
        for (const [i, statement] of statements.entries()) {
          const [own, other] = [named(mine[i] ?? []), named(theirs[i] ?? [])];
          assert.deepEqual(Object.keys(own), Object.keys(other), statement);
          for (const [name, text] of Object.entries(other)) {
            for (const [line, expected] of text.split('\n').entries()) {
              assert.equal(own[name]?.split('\n')[line], expected, `${name} of ${statement}`);
            }
            assert.equal(own[name], text);
          }
        }
      });
    }
  }
});
