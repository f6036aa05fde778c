/**
 * The build: prune → vendor → [kernels ∥ tsc -b] → assets → bundle → notices. Everything it writes lies in dist/:
 *
 *   dist/src, dist/test   tsc's output; tests run from here
 *   dist/vendor           the SQL parser's glue, which its package does not export
 *   dist/assets           kernels.wasm, sqlparser.wasm, JSON Schemas
 *   dist/bundle/js        the CLI and its worker, one file per entry plus shared chunks
 *   dist/lib/js           the library and its worker, with apache-arrow left to the importer (its `instanceof` must agree)
 *
 * `--prepare` is how npm calls it after an install: it never fails an install that has no compiler, and does nothing when
 * `npx distq` inside a built checkout triggers it.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
process.chdir(root);

if (process.argv.includes('--prepare')) {
  if (process.env.npm_command === 'exec' && existsSync('dist/bundle/js/main.js')) process.exit(0);
  if (!['typescript', 'esbuild', 'assemblyscript'].every((name) => findPackage(name) !== undefined)) {
    console.log('distq: compilers are not installed, so nothing was built (npm install --include=dev builds)');
    process.exit(0);
  }
}

prune('dist/src', 'src');
prune('dist/test', 'test');
vendor();
await Promise.all([kernels(), typescript()]);
assets();
await bundle();

/** Every file below a folder, as paths with forward slashes relative to the working directory. */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).split(sep).join('/'))
    .sort();
}

/** tsc -b leaves the output of a deleted source behind, and a deleted test would go on running. */
function prune(outputFolder, sourceFolder) {
  for (const file of filesBelow(outputFolder)) {
    const output = /^(.*)(\.js|\.js\.map|\.d\.ts)$/.exec(file);
    if (output === null) continue;
    const source = join(sourceFolder, relative(outputFolder, `${output[1]}.ts`));
    if (!existsSync(source)) rmSync(file);
  }
}

/** Copies only what differs, so that modification times tell tsc the truth. */
function copyIfChanged(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  const [source, target] = [statSync(from), statSync(to, { throwIfNoEntry: false })];
  if (target !== undefined && target.size === source.size && readFileSync(to).equals(readFileSync(from))) return;
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}

/**
 * The parser's synchronous glue is missing from its package's `exports`; tsc needs it before it starts. An instance that trapped
 * stays broken and the glue never makes a second one, so the copy gains `dispose()`: the next `initSync` instantiates anew.
 */
function vendor() {
  const wasm = join(packageFolder('@guanmingchiu/sqlparser-ts'), 'wasm');
  const glue = readFileSync(join(wasm, 'sqlparser_rs_wasm.js'), 'utf8');
  const types = readFileSync(join(wasm, 'sqlparser_rs_wasm.d.ts'), 'utf8');
  writeIfChanged('dist/vendor/sqlparser.js', `${glue}\nexport function dispose() {\n    wasm = undefined;\n}\n`);
  writeIfChanged('dist/vendor/sqlparser.d.ts', `${types}\nexport function dispose(): void;\n`);
}

function writeIfChanged(target, text) {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return;
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
}

function assets() {
  const sqlparser = join(packageFolder('@guanmingchiu/sqlparser-ts'), 'wasm/sqlparser_rs_wasm_bg.wasm');
  copyIfChanged(sqlparser, 'dist/assets/sqlparser.wasm');
  for (const schema of filesBelow('src/planfile/schemas')) copyIfChanged(schema, `dist/assets/${basename(schema)}`);
}

/** A package's folder, found by walking up as Node does, since not every package exports its package.json. */
function findPackage(name) {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  return folders.find((folder) => existsSync(join(folder, 'package.json')));
}

function packageFolder(name) {
  const folder = findPackage(name);
  if (folder === undefined) throw new Error(`${name} is not installed: npm ci`);
  return folder;
}

async function typescript() {
  await run('tsc', [require.resolve('typescript/bin/tsc'), '-b', 'tsconfig.json']);
}

/** asc takes seconds, so it runs only when a kernel, this script, the check or asc itself changed. */
async function kernels() {
  const folder = 'src/columnar/kernels';
  const sources = filesBelow(folder).filter((file) => file.endsWith('.ts'));
  if (!sources.includes(`${folder}/index.ts`)) return;
  const { version } = JSON.parse(readFileSync(join(packageFolder('assemblyscript'), 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(version);
  for (const file of [...sources, '.config/build.mjs', '.config/check-wasm.mjs']) {
    hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  const digest = hash.digest('hex');
  const stamp = 'dist/.kernels.sha256';
  const target = 'dist/assets/kernels.wasm';
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;

  mkdirSync(dirname(target), { recursive: true });
  const fresh = `${target}.new`;
  // abort= turns abort() into a trap; the memory limits make the module link only to distq's memory; the number after
  // --lowMemoryLimit (bytes) makes asc fail when static data outgrows the reserved first page.
  const options =
    '--runtime stub --use abort= --importMemory --noExportMemory --initialMemory 1 --maximumMemory 65535 ' +
    '--memoryBase 1024 --lowMemoryLimit 65536 --enable simd -O3 --noAssert --debug';
  const asc = join(packageFolder('assemblyscript'), 'bin/asc.js');
  await run('asc', [asc, `${folder}/index.ts`, '-o', fresh, ...options.split(' ')]);
  const { checkKernels } = await import('./check-wasm.mjs');
  checkKernels(readFileSync(fresh));
  renameSync(fresh, target);
  writeFileSync(stamp, digest);
}

async function bundle() {
  const esbuild = await import('esbuild');
  const cli = existingEntries({ main: 'dist/src/cli/main.js', 'worker-main': 'dist/src/session/worker-main.js' });
  const library = existingEntries({
    index: 'dist/src/session/index.js',
    'worker-main': 'dist/src/session/worker-main.js',
  });
  const results = await Promise.all([
    bundleInto(esbuild, 'dist/bundle', cli, []),
    bundleInto(esbuild, 'dist/lib', library, ['apache-arrow']),
  ]);
  notices(results.flatMap((result) => Object.keys(result.metafile.inputs)));
}

function existingEntries(entries) {
  return Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
}

async function bundleInto(esbuild, folder, entryPoints, external) {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (Object.keys(entryPoints).length === 0) return { metafile: { inputs: {} } };
  const result = await esbuild.build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    outdir: `${fresh}/js`,
    chunkNames: 'chunk-[name]-[hash]',
    sourcemap: 'linked',
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: 'warning',
    // commander and cli-table3 are CommonJS inside and call require('node:…').
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  // Swapped in whole, because chunk names carry hashes and would pile up.
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return result;
}

/** dist/THIRD-PARTY-NOTICES: the licence of every package whose code or WASM the tarball carries. */
function notices(inputs) {
  const folders = new Set(['@guanmingchiu/sqlparser-ts'].map(packageFolder));
  for (const input of inputs) {
    const inside = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input);
    if (inside !== null) folders.add(realpathSync(inside[0]));
  }
  const packages = [...folders].map((folder) => ({ folder: realpathSync(folder), name: packageName(folder) }));
  packages.sort((a, b) => (a.name < b.name ? -1 : 1));
  const seen = new Set();
  const sections = packages.flatMap(({ folder, name }) => {
    if (seen.has(folder)) return [];
    seen.add(folder);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = [folder, join(folder, 'wasm')]
      .filter((place) => existsSync(place))
      .flatMap((place) => readdirSync(place).map((file) => join(place, file)))
      .filter((file) => /\/(licen[cs]e|notice|copying)[^/]*$/i.test(file.split(sep).join('/')))
      .sort()
      .map((file) => readFileSync(file, 'utf8').trim());
    const title = `${name} ${about.version} (${about.license ?? 'see below'})`;
    return [`${title}\n${'='.repeat(title.length)}`, ...texts].join('\n\n');
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES', `${sections.join('\n\n\n')}\n`);
}

function packageName(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
}

/** Runs a Node script to its end; its own messages go straight to the terminal. */
async function run(name, parameters) {
  const child = spawn(process.execPath, parameters, { stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve(signal ?? exitCode));
  });
  if (code !== 0) {
    console.error(`build: ${name} ended with ${code}`);
    process.exit(1);
  }
}
