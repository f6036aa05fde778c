import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { heap } from '../../../../src/columnar/heap.js';
import { corpusFolder, skipWithoutCorpus } from '../../../support/corpora.js';
import { canonicalColumns } from '../../../support/parquet-rows.js';
import { fixturesTpch } from '../../../support/repository.js';

const folder = mkdtempSync(join(tmpdir(), 'distq-damage-'));
after(() => {
  rmSync(folder, { recursive: true });
});

/** mulberry32: the seed printed by a failing test repeats it. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

let files = 0;

/** Reads the bytes as a file: rows (true) or a clear error (false); anything else, and memory left behind, fails. */
async function survives(bytes: Uint8Array, what: string): Promise<boolean> {
  files++;
  const path = join(folder, `${files}.parquet`);
  writeFileSync(path, bytes);
  const before = heap.usedBytes;
  try {
    await canonicalColumns(path, 1000);
    return true;
  } catch (error) {
    assert.ok(error instanceof DistqError, `${what}: ${error instanceof Error ? String(error.stack) : String(error)}`);
    assert.ok(
      ['data_source', 'not_implemented', 'resources_exhausted'].includes(error.kind),
      `${what}: ${error.stack ?? ''}`,
    );
    assert.ok(error.message.length < 600 && !error.message.includes('\n'), error.message);
    return false;
  } finally {
    assert.equal(heap.usedBytes, before, `${what}: memory was left behind`);
    rmSync(path);
  }
}

const nation = readFileSync(`${fixturesTpch}/nation/1.parquet`);

test('every cut of a file is refused', async () => {
  for (let length = 0; length < nation.length; length++) {
    assert.equal(await survives(nation.subarray(0, length), `cut to ${length} bytes`), false);
  }
  assert.equal(await survives(nation, 'whole'), true);
});

test('a damaged byte gives rows or a clear error', async () => {
  let refused = 0;
  for (let at = 0; at < nation.length; at += 2) {
    const damaged = Buffer.from(nation);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << ((at >> 1) & 7));
    if (!(await survives(damaged, `byte ${at} flipped`))) refused++;
  }
  assert.ok(refused > nation.length / 8, `only ${refused} of ${nation.length / 2} were noticed`);
});

/** Damages `count` random bytes of a file, near the end (the footer) half of the time. */
async function hammer(original: Uint8Array, name: string, trials: number): Promise<void> {
  const seed = Number(process.env.DISTQ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const next = random(seed);
  for (let trial = 0; trial < trials; trial++) {
    const damaged = Buffer.from(original);
    const count = 1 + Math.floor(next() * 4);
    for (let i = 0; i < count; i++) {
      const reach = next() < 0.5 ? damaged.length : Math.min(damaged.length, 2000);
      damaged[damaged.length - 1 - Math.floor(next() * reach)] = Math.floor(next() * 256);
    }
    await survives(damaged, `${name}, DISTQ_SEED=${seed}, trial ${trial}`);
  }
}

test('random damage to a fixture', async () => {
  await hammer(readFileSync(`${fixturesTpch}/supplier/1.parquet`), 'supplier', 150);
});

test('random damage to the corpora', { skip: skipWithoutCorpus('parquet-testing') }, async () => {
  const place = join(corpusFolder('parquet-testing'), 'data');
  for (const name of readdirSync(place)) {
    if (!name.endsWith('.parquet')) continue;
    const bytes = readFileSync(join(place, name));
    if (bytes.length < 70_000) await hammer(bytes, name, 25);
  }
});
