/**
 * Yardsticks that live in Python: DataFusion (its plans are ours) and DuckDB's data generators. The interpreter is DISTQ_PYTHON,
 * or the one that .ci/run sets up in build/yardsticks, or python3. A test that needs one skips with the reason when it is absent:
 *
 *     test('…', { skip: skipWithoutYardstick('datafusion') }, () => { … explainWithDataFusion(…) … });
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.js';

/** The versions that plans and answers were written against; another one does not count. */
const wanted = { datafusion: '55.0.0', duckdb: '1.5.5' } as const;

export type YardstickName = keyof typeof wanted;

let found: Record<string, unknown> | undefined;

function python(): string {
  const ours = join(repositoryRoot, 'build/yardsticks/bin/python');
  return process.env.DISTQ_PYTHON ?? (existsSync(ours) ? ours : 'python3');
}

/** Module → version, of what this Python has; asked once per process. */
function versions(): Record<string, unknown> {
  if (found !== undefined) return found;
  const script = [
    'import importlib.metadata as m, json',
    'def v(n):',
    '    try: return m.version(n)',
    '    except m.PackageNotFoundError: return None',
    `print(json.dumps({n: v(n) for n in ${JSON.stringify(Object.keys(wanted))}}))`,
  ].join('\n');
  const answer = spawnSync(python(), ['-c', script], { encoding: 'utf8' });
  const parsed: unknown = answer.status === 0 ? JSON.parse(answer.stdout) : {};
  found = isRecord(parsed) ? parsed : {};
  return found;
}

/** The reason to skip, for node:test's `skip` option; false when the yardstick is there. */
export function skipWithoutYardstick(name: YardstickName): string | false {
  if (versions()[name] === wanted[name]) return false;
  return `no Python with ${name} ${wanted[name]} (set DISTQ_PYTHON; .ci/yardsticks.txt lists the packages)`;
}

/** Runs a Python script with one JSON value on stdin and one on stdout. Throws with its stderr when it fails. */
export function runPython(script: string, input: unknown): unknown {
  const options = { encoding: 'utf8', input: JSON.stringify(input), maxBuffer: 1 << 28 } as const;
  const answer = spawnSync(python(), ['-c', script], options);
  if (answer.error !== undefined) throw answer.error;
  if (answer.status !== 0) throw new Error(`python ended with ${String(answer.status)}: ${answer.stderr.trim()}`);
  return JSON.parse(answer.stdout);
}

export interface DataFusionPlans {
  readonly logical: string;
  readonly physical: string;
}

export interface DataFusionOptions {
  /** `<folder>/<table>/*.parquet`; every sub-folder is registered as a table. */
  readonly folder: string;
  readonly queries: readonly string[];
  /** `execution.target_partitions` and the like, without or with the `datafusion.` prefix. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * What DataFusion's EXPLAIN prints for each query, in order, on the settings under which its physical plan is the one that gets
 * distributed: uncorrelated scalar subqueries become joins. Paths print as DataFusion prints them, without the leading slash.
 */
export function explainWithDataFusion(options: DataFusionOptions): readonly DataFusionPlans[] {
  const script = `
import json, os, sys
from datafusion import SessionConfig, SessionContext
request = json.load(sys.stdin)
config = SessionConfig().set("datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery", "false")
for key, value in request["settings"].items():
    config = config.set(key if key.startswith("datafusion.") else "datafusion." + key, value)
context = SessionContext(config)
for table in sorted(os.listdir(request["folder"])):
    folder = os.path.join(request["folder"], table)
    if os.path.isdir(folder) and table[0] not in "._":
        context.register_parquet(table, folder + "/")
answers = []
for sql in request["queries"]:
    plans = {}
    for batch in context.sql("EXPLAIN " + sql).collect():
        plans.update(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist()))
    answers.append({"logical": plans["logical_plan"], "physical": plans["physical_plan"]})
json.dump(answers, sys.stdout)
`;
  const { folder, queries, settings = {} } = options;
  const answers = runPython(script, { folder, queries, settings });
  if (!Array.isArray(answers)) throw new Error('python printed no list');
  return answers.map((answer: unknown) => {
    if (!isRecord(answer)) throw new Error('python printed no plan');
    return { logical: String(answer['logical']), physical: String(answer['physical']).trimEnd() };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
