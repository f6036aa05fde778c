/**
 * Yardsticks that live in Python: DataFusion (its plans are ours) and DuckDB's data generators. The interpreter is DISTQ_PYTHON,
 * or the one that .ci/run sets up in build/yardsticks, or python3. A test that needs one skips with the reason when it is absent:
 *
 *     test('…', { skip: skipWithoutYardstick('datafusion') }, () => { … runPython(script, input) … });
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
