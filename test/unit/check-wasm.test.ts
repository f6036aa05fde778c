/**
 * The kernel check, on modules assembled by hand: each differs from an accepted one by the one thing that must be refused.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { repositoryRoot } from '../support/repository.js';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'distq-check-wasm-'));
});
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Parts {
  imports?: readonly (readonly number[])[];
  more?: readonly number[];
  body?: readonly number[];
  data?: readonly number[];
  names?: boolean;
}

const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
/** Limits 1..65535, as asc writes them. */
const memoryImport = [...text('env'), ...text('memory'), 2, 1, 1, 0xff, 0xff, 3];
/** One active segment; `offset` is its address in LEB128 bytes. */
const segment = (offset: readonly number[], bytes: readonly number[]): number[] => [
  1,
  0,
  0x41,
  ...offset,
  0x0b,
  bytes.length,
  ...bytes,
];

function wasm({ imports = [memoryImport], more = [], body = [], data, names = true }: Parts): Uint8Array {
  const code = [0, ...body, 0x0b];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [imports.length, ...imports.flat()]),
    ...section(3, [1, 0]),
    ...more,
    ...section(10, [1, code.length, ...code]),
    ...(data === undefined ? [] : section(11, data)),
    ...(names ? section(0, [...text('name'), 0, 0]) : []),
  ]);
}

function check(bytes: Uint8Array): { code: number | null; message: string } {
  const file = join(folder, 'module.wasm');
  writeFileSync(file, bytes);
  const script = join(repositoryRoot, '.config/check-wasm.mjs');
  const result = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  return { code: result.status, message: result.stderr.trim() };
}

test('plain kernels pass: every shape of immediate is skipped', () => {
  const instructions = [
    ...[0x41, 0x80, 0x08, 0x28, 0x02, 0x80, 0x01, 0x1a], // i32.const 1024, i32.load align offset, drop
    ...[0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x40, 0x1a], // an i64.const whose bytes hold memory.grow's
    ...[0x43, 0x40, 0x40, 0x40, 0x40, 0x1a, 0x44, 0x40, 0, 0, 0, 0, 0, 0, 0x40, 0x1a], // f32 and f64 constants
    ...[0xfd, 12, ...new Array<number>(16).fill(0x40), 0x1a], // v128.const
    ...[0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 10, 0, 0], // memory.copy
    ...[0x02, 0x40, 0x41, 0, 0x0e, 1, 0, 0, 0x0b], // block, br_table, end
  ];
  const accepted = wasm({ body: instructions, data: segment([0x80, 0x08], [1, 2, 3]) });
  assert.ok(WebAssembly.validate(accepted), 'the test assembles a valid module');
  assert.deepEqual(check(accepted), { code: 0, message: '' });
  const withMath = wasm({ imports: [memoryImport, [...text('env'), ...text('Math.exp'), 0, 0]] });
  assert.deepEqual(check(withMath), { code: 0, message: '' });
});

const refused: readonly (readonly [string, Parts, RegExp])[] = [
  ['memory.grow', { body: [0x41, 1, 0x40, 0, 0x1a] }, /function 0 uses memory\.grow/],
  ['a start function', { more: section(8, [0]) }, /has a start function/],
  ['its own memory', { imports: [], more: section(5, [1, 1, 1, 2]) }, /a memory of its own/],
  ['no memory', { imports: [] }, /does not import env\.memory/],
  [
    'an import off the list',
    { imports: [memoryImport, [...text('env'), ...text('abort'), 0, 0]] },
    /env\.abort is not on the list/,
  ],
  ['a memory without maximum', { imports: [[...text('env'), ...text('memory'), 2, 0, 1]] }, /memory limits/],
  ['data below 1024', { data: segment([0xc0, 0x00], [1]) }, /data \[64, 65\) lies outside/],
  ['data past 65536', { data: segment([0xff, 0xff, 0x03], [1, 2]) }, /data \[65535, 65537\) lies outside/],
  ['no names', { names: false }, /name section is missing/],
  ['an unknown opcode', { body: [0x27] }, /unknown opcode 0x27/],
];

for (const [what, parts, message] of refused) {
  test(`refused: ${what}`, () => {
    const result = check(wasm(parts));
    assert.equal(result.code, 1);
    assert.match(result.message, message);
  });
}
