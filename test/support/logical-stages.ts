/**
 * A query's logical plan after every rule, ours and DataFusion's (EXPLAIN VERBOSE), over tables that are only schemas: where two final
 * plans differ, the first stage that differs says which rule to look at.
 */
import { SessionConfig } from '../../src/config/session-config.js';
import { evaluateConstant } from '../../src/expr/constant-evaluator.js';
import { analyze } from '../../src/logical/analyzer.js';
import { displayPlan } from '../../src/logical/display.js';
import { optimize } from '../../src/logical/optimizer.js';
import type { LogicalPlan } from '../../src/logical/plan.js';
import { bindQuery } from '../../src/sql/binder/bind-query.js';
import { parseStatements } from '../../src/sql/parser/parse-statements.js';
import { planningFunctions } from './planning-functions.js';
import { isCi } from './repository.js';
import { schemaCatalog, type SchemaTexts } from './schema-tables.js';
import { runPython, skipWithoutYardstick } from './yardsticks.js';

export interface Stage {
  /** The rule that has run, `initial_logical_plan` before the first, `logical_plan` for the result. */
  readonly rule: string;
  readonly text: string;
}

/** The reason to skip a comparison; under CI the yardstick must be there. */
export const skipWithoutDataFusion: string | false = isCi ? false : skipWithoutYardstick('datafusion');

export interface PlannedQuery {
  readonly stages: readonly Stage[];
  readonly plan: LogicalPlan;
}

/** Plans the last query of some statements; views among them are there for it. */
export async function planQuery(
  sql: string,
  schemas: SchemaTexts,
  config: SessionConfig = SessionConfig.defaults,
): Promise<PlannedQuery> {
  const statements = parseStatements(sql);
  const views = Object.fromEntries(
    statements.flatMap((s) => (s.kind === 'create_view' ? [[s.name[0]?.value ?? '', s.text]] : [])),
  );
  const catalog = schemaCatalog(schemas, views);
  const functions = planningFunctions();
  const query = statements.findLast((statement) => statement.kind === 'query');
  if (query === undefined) throw new Error(`no query in ${sql}`);
  const stages: Stage[] = [];
  const record = (rule: string, plan: LogicalPlan): void => {
    stages.push({ rule, text: displayPlan(plan) });
  };
  const bound = await bindQuery(query.query, { catalog, functions, config });
  record('initial_logical_plan', bound);
  const constants = { evaluate: evaluateConstant };
  const plan = optimize(analyze(bound, record), { config, constants, functions, onRule: record });
  record('logical_plan', plan);
  return { stages, plan };
}

const SCRIPT = `
import json, os, re, sys, tempfile
import pyarrow, pyarrow.parquet
from datafusion import SessionConfig, SessionContext
request = json.load(sys.stdin)
types = {"int16": pyarrow.int16(), "int32": pyarrow.int32(), "int64": pyarrow.int64(), "float64": pyarrow.float64(),
         "date": pyarrow.date32(), "varchar": pyarrow.string(), "time": pyarrow.time32("ms"),
         "timestamp": pyarrow.timestamp("ns"), "boolean": pyarrow.bool_()}
config = SessionConfig().set("datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery", "false")
context = SessionContext(config)
with tempfile.TemporaryDirectory() as root:
    for table, text in request["schemas"].items():
        fields = []
        for name, kind, precision, scale, nullable in re.findall(r"(\\w+)\\s*:\\s*(\\w+)(?:\\((\\d+)\\s*,\\s*(\\d+)\\))?(\\?)?", text):
            kind = pyarrow.decimal128(int(precision), int(scale)) if kind == "decimal" else types[kind]
            fields.append(pyarrow.field(name, kind, nullable=nullable == "?"))
        os.makedirs(os.path.join(root, table))
        pyarrow.parquet.write_table(pyarrow.schema(fields).empty_table(), os.path.join(root, table, "0.parquet"))
        context.register_parquet(table, os.path.join(root, table) + "/")
    answers = []
    for statements in request["queries"]:
        stages = []
        try:
            for sql in statements:
                if re.match(r"\\s*(create|drop)", sql, re.I):
                    context.sql(sql).collect()
                    continue
                stages = []
                for batch in context.sql("EXPLAIN VERBOSE " + sql).collect():
                    for kind, text in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist()):
                        if "physical" in kind: continue
                        if text == "SAME TEXT AS ABOVE": text = stages[-1]["text"]
                        stages.append({"rule": kind.replace("logical_plan after ", ""), "text": text})
        except Exception as error:
            stages = [{"rule": "error", "text": "error: " + str(error)}]
        answers.append(stages)
json.dump(answers, sys.stdout)
`;

/** DataFusion's stages for each query; a query is a list of statements, of which CREATE and DROP are only run. */
export function dataFusionStages(
  schemas: SchemaTexts,
  queries: readonly (readonly string[])[],
): readonly (readonly Stage[])[] {
  const answers = runPython(SCRIPT, { schemas, queries });
  if (!Array.isArray(answers)) throw new Error('python printed no list');
  return answers.map((answer: unknown) => {
    if (!Array.isArray(answer) || !answer.every(isStage)) throw new Error('python printed no stages');
    return answer;
  });
}

function isStage(value: unknown): value is Stage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'rule' in value &&
    typeof value.rule === 'string' &&
    'text' in value &&
    typeof value.text === 'string'
  );
}

/** Where two runs part: the first stages, of those that changed the plan, that differ. Undefined when all are equal. */
export function firstDifference(ours: readonly Stage[], theirs: readonly Stage[]): string | undefined {
  const left = changes(ours);
  const right = changes(theirs);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const a = left[index];
    const b = right[index];
    if (a !== undefined && b !== undefined && a.rule === b.rule && a.text === b.text) continue;
    return `ours after ${a?.rule ?? 'the end'}:\n${a?.text ?? ''}\nDataFusion's after ${b?.rule ?? 'the end'}:\n${b?.text ?? ''}`;
  }
  return undefined;
}

/** The stages at which the text changed. */
function changes(stages: readonly Stage[]): Stage[] {
  return stages.filter(({ text }, index) => index === 0 || text !== stages[index - 1]?.text);
}
