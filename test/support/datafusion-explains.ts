/** What DataFusion's EXPLAIN prints, as people paste it. */
import { parseStatements } from '../../src/sql/parser/parse-statements.js';
import type { DataFusionRequest } from './datafusion-steps.js';
import { runPython } from './yardsticks.js';

const SCRIPT = `
import json, sys
from datafusion import SessionConfig, SessionContext
request = json.load(sys.stdin)
config = SessionConfig().set("datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery", "false")
for key, value in request["settings"].items():
    config = config.set("datafusion." + key, value)
context = SessionContext(config)
for table, folder in request["tables"].items():
    context.register_parquet(table, folder.rstrip("/") + "/")
answers = []
for statements in request["queries"]:
    text = ""
    for statement in statements:
        if statement["kind"] == "query":
            text = str(context.sql("EXPLAIN " + statement["text"]))
        else:
            context.sql(statement["text"]).collect()
    answers.append(text)
json.dump(answers, sys.stdout)
`;

/** Per text the frame with both rows that EXPLAIN prints for its last query; views before it are made. */
export function datafusionExplains({ tables, queries, settings }: DataFusionRequest): readonly string[] {
  const statements = queries.map((sql) => parseStatements(sql).map(({ kind, text }) => ({ kind, text })));
  const answers = runPython(SCRIPT, { tables, queries: statements, settings });
  if (!Array.isArray(answers)) throw new Error('python printed no list');
  return answers.map(String);
}
