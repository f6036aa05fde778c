/** What DataFusion's SqlToRel makes of queries: its plans before any rule, over empty files of given schemas. */
import { isCi } from './repository.js';
import type { SchemaTexts } from './schema-tables.js';
import { runPython, skipWithoutYardstick } from './yardsticks.js';

/** The reason to skip a comparison; under CI the yardstick must be there. */
export const skipWithoutDataFusion: string | false = isCi ? false : skipWithoutYardstick('datafusion');

const SCRIPT = `
import json, os, re, sys, tempfile
import pyarrow, pyarrow.parquet
from datafusion import SessionConfig, SessionContext
request = json.load(sys.stdin)
types = {"int16": pyarrow.int16(), "int32": pyarrow.int32(), "int64": pyarrow.int64(), "float64": pyarrow.float64(),
         "date": pyarrow.date32(), "varchar": pyarrow.string(), "time": pyarrow.time32("ms"),
         "timestamp": pyarrow.timestamp("ns"), "boolean": pyarrow.bool_()}
context = SessionContext(SessionConfig())
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
        plan = None
        try:
            for sql in statements:
                if re.match(r"\\s*(create|drop)", sql, re.I):
                    context.sql(sql).collect()
                    continue
                for batch in context.sql("EXPLAIN VERBOSE " + sql).collect():
                    plan = dict(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist())).get("initial_logical_plan", plan)
        except Exception as error:
            plan = "error: " + str(error)
        answers.append(plan)
json.dump(answers, sys.stdout)
`;

/** One plan (or `error: …`) per query; a query is a list of statements, of which CREATE and DROP are only run. */
export function initialPlans(schemas: SchemaTexts, queries: readonly (readonly string[])[]): readonly string[] {
  const answers = runPython(SCRIPT, { schemas, queries });
  if (!Array.isArray(answers)) throw new Error('python printed no list');
  return answers.map(String);
}
