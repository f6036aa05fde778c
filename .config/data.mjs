/**
 * Makes TPC-H data with tpchgen-cli, which it finds on PATH or installs into data/.tools.
 *
 *   npm run data -- tpch <scale> [--files n] [--out dir]   the eight tables, n files each (default 1), into data/tpch-<scale>
 *   npm run data -- fixtures                               fixtures/tpch again, byte for byte (fixtures/README.md)
 *
 * Files are <dir>/<table>/<n>.parquet, n from 1. A table with fewer rows than files (region, nation) gets one file per row.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Row counts, field ids and encodings depend on these; the fixtures were made with them. */
const TPCHGEN = 'tpchgen-cli==4.0.0';
const PYARROW = 'pyarrow==26.0.1';
const TABLES = ['customer', 'lineitem', 'nation', 'orders', 'part', 'partsupp', 'region', 'supplier'];
/** tpchgen-cli writes these as one file whatever it is asked, so they are cut afterwards. */
const TINY_TABLES = ['nation', 'region'];

const root = fileURLToPath(new URL('..', import.meta.url));
const toolsFolder = join(root, 'data/.tools');
const binFolder = process.platform === 'win32' ? 'Scripts' : 'bin';
const usage = 'npm run data -- tpch <scale> [--files n] [--out dir]  |  npm run data -- fixtures';

class Failure extends Error {
  constructor(sentence, code) {
    super(sentence);
    this.code = code;
  }
}

try {
  main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`data: ${error.message}`);
  process.exitCode = error.code;
}

function main() {
  const { values, positionals } = readArguments();
  if (positionals[0] === 'fixtures' && positionals.length === 1) return makeFixtures();
  const scale = Number(positionals[1]);
  const files = Number(values.files ?? 1);
  if (positionals[0] !== 'tpch' || positionals.length !== 2 || !(scale > 0)) fail(usage, 2);
  if (!Number.isInteger(files) || files < 1) fail(`--files takes a whole number from 1, not ${values.files}`, 2);
  const out = values.out === undefined ? join(root, 'data', `tpch-${positionals[1]}`) : resolve(values.out);
  if (existsSync(out) && readdirSync(out).length > 0) fail(`${out} exists already: remove it or pass --out`, 2);

  inTemporaryFolder(out, (folder) => {
    tpchgen(folder, TABLES, { scale, files });
    if (files > 1) for (const table of TINY_TABLES) split(join(folder, table), files);
    mkdirSync(out, { recursive: true });
    for (const table of TABLES) renameSync(join(folder, table), join(out, table));
  });
  console.log(out);
}

function readArguments() {
  try {
    const options = { files: { type: 'string' }, out: { type: 'string' } };
    return parseArgs({ args: process.argv.slice(2), allowPositionals: true, options });
  } catch (error) {
    return fail(`${error.message}\n${usage}`, 2);
  }
}

/** Small row groups, so that pruning, ranges and stealing have something to do at this scale. */
function makeFixtures() {
  const out = join(root, 'fixtures/tpch');
  inTemporaryFolder(out, (folder) => {
    const make = (tables, files, rowGroupBytes) => {
      const more = ['--row-group-bytes', String(rowGroupBytes)];
      tpchgen(folder, tables, { scale: 0.01, files, more, pinned: true });
    };
    make(['lineitem'], 4, 200_000);
    make(['orders'], 4, 80_000);
    make(['customer', 'part', 'partsupp'], 2, 200_000);
    make(['nation', 'region', 'supplier'], 1, 200_000);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    for (const table of TABLES) renameSync(join(folder, table), join(out, table));
  });
  console.log(out);
}

/** Beside the target, so that the finished tables can be renamed into place; gone afterwards whatever happens. */
function inTemporaryFolder(target, work) {
  mkdirSync(resolve(target, '..'), { recursive: true });
  const folder = mkdtempSync(`${target}.making-`);
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates tables as <folder>/<table>/<n>.parquet. */
function tpchgen(folder, tables, { scale, files, more = [], pinned = false }) {
  const parts = ['--parts', String(files)];
  const parameters = [
    'parquet',
    '-s',
    String(scale),
    '-o',
    folder,
    '-T',
    tables.join(','),
    '--quiet',
    ...parts,
    ...more,
  ];
  run(findTpchgen({ pinned }), parameters);
  for (const table of tables) {
    for (const file of readdirSync(join(folder, table))) {
      renameSync(join(folder, table, file), join(folder, table, file.replace(/^.*\.(\d+\.parquet)$/, '$1')));
    }
  }
}

/** Cuts the one file of a tiny table into `files` files, or one per row when it has fewer rows. */
function split(folder, files) {
  run(installed('pyarrow', PYARROW), [
    join(root, '.config/split-parquet.py'),
    join(folder, '1.parquet'),
    String(files),
  ]);
}

/** The fixtures are promised byte for byte, so they take no other version; any will do for the rest. */
function findTpchgen({ pinned }) {
  const name = process.platform === 'win32' ? 'tpchgen-cli.exe' : 'tpchgen-cli';
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const mine = join(toolsFolder, binFolder, name);
  const found = (pinned ? [mine] : [...onPath, mine]).find((file) => existsSync(file));
  if (found !== undefined) return found;
  installed('tpchgen_cli', TPCHGEN);
  return mine;
}

/** A Python that has a package: DISTQ_PYTHON if it does, else that of data/.tools, where it is installed when missing. */
function installed(module, requirement) {
  const probe = `import importlib.util,sys; sys.exit(importlib.util.find_spec('${module}') is None)`;
  const given = process.env.DISTQ_PYTHON;
  if (given !== undefined && spawnSync(given, ['-c', probe]).status === 0) return given;
  const python = join(toolsFolder, binFolder, process.platform === 'win32' ? 'python.exe' : 'python');
  if (!existsSync(python)) {
    const system = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
    if (system === undefined) {
      fail(`data is made by ${TPCHGEN}: install Python 3 (with venv), or put tpchgen-cli on PATH`, 1);
    }
    run(system, ['-m', 'venv', toolsFolder]);
  }
  if (spawnSync(python, ['-c', probe]).status !== 0) {
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement]);
  }
  return python;
}

function run(command, parameters) {
  const result = spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.error !== undefined) fail(`${command}: ${result.error.message}`, 1);
  if (result.status !== 0) fail(`${command} ${parameters[0]} … ended with ${result.signal ?? result.status}`, 1);
}

/** Throws, so that temporary folders go before the process ends. */
function fail(sentence, code) {
  throw new Failure(sentence, code);
}
