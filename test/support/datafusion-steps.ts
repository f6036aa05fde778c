/** DataFusion's EXPLAIN VERBOSE: the plan after each of its steps, for comparison with ours step by step. */
import { parseStatements } from '../../src/sql/parser/parse-statements.js';
import { runPython } from './yardsticks.js';

/** One row of EXPLAIN VERBOSE: `initial_physical_plan`, `physical_plan after join_selection`, `physical_plan`, … */
export interface DataFusionStep {
  readonly kind: string;
  readonly text: string;
}

export interface DataFusionRequest {
  /** Table name → folder with its Parquet files. */
  readonly tables: Readonly<Record<string, string>>;
  /** SQL texts; statements that create views are run, the last query of each text is explained. */
  readonly queries: readonly string[];
  /** `execution.target_partitions` and the like. */
  readonly settings: Readonly<Record<string, string>>;
}

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
    steps = []
    try:
        for statement in statements:
            if statement["kind"] == "query":
                rows = context.sql("EXPLAIN VERBOSE " + statement["text"]).collect()
                steps = [row for b in rows for row in zip(b.column(0).to_pylist(), b.column(1).to_pylist())]
            else:
                context.sql(statement["text"]).collect()
    except Exception as error:
        steps = [("error", str(error))]
    answers.append(steps)
json.dump(answers, sys.stdout)
`;

/** The steps of each query, \`SAME TEXT AS ABOVE\` spelled out. A query that DataFusion refuses has one step of kind `error`. */
export function datafusionSteps({ tables, queries, settings }: DataFusionRequest): readonly DataFusionStep[][] {
  const statements = queries.map((sql) => parseStatements(sql).map(({ kind, text }) => ({ kind, text })));
  const answers = runPython(SCRIPT, { tables, queries: statements, settings });
  if (!Array.isArray(answers)) throw new Error('python printed no list');
  return answers.map((answer: unknown) => {
    let last = '';
    return (answer as readonly (readonly [string, string])[]).map(([kind, text]) => {
      if (text !== 'SAME TEXT AS ABOVE') last = text.trimEnd();
      return { kind, text: last };
    });
  });
}
