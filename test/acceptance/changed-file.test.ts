/**
 * Files that are not what their writer or the planner said: checksums that do not match, and files that change while a query runs. Each
 * is one sentence, exit 4, as its golden says. The command line is caught in the act by not reading its answer: its output fills the
 * pipe, and it waits in the middle of the first file.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { DistqError } from '../../src/base/errors.js';
import { SessionContext } from '../../src/session/session-context.js';
import { runDistq } from '../cli/run-distq.js';
import { corpusFolder, skipWithoutCorpus } from '../support/corpora.js';
import { goldenFolder } from '../support/golden.js';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';

const goldens = goldenFolder('test/acceptance/golden/changed-file');
const scratch = mkdtempSync(join(tmpdir(), 'distq-changed-'));
after(() => {
  rmSync(scratch, { recursive: true });
});

/** A data root with a copy of lineitem of its own. */
function copyOfLineitem(name: string): { readonly root: string; readonly file: (number: number) => string } {
  const root = join(scratch, name.replaceAll(' ', '-'));
  const file = (number: number): string => join(root, 'lineitem', `${number}.parquet`);
  mkdirSync(join(root, 'lineitem'), { recursive: true });
  for (let i = 1; i <= 4; i++) copyFileSync(join(fixturesTpch, 'lineitem', `${i}.parquet`), file(i));
  return { root, file };
}

function overwrite(path: string, position: number, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

function replace(path: string, bytes: Uint8Array): void {
  const beside = `${path}.new`;
  appendFileSync(beside, bytes);
  renameSync(beside, path);
}

interface Change {
  /** What happens to the file that is being read, or to a later one. */
  readonly change: (file: (number: number) => string) => void;
  /** Lines of the answer when the change is no error. */
  readonly lines?: number;
}

const changes: Readonly<Record<string, Change>> = {
  'a later file is replaced': {
    change: (file) => {
      replace(file(3), readFileSync(join(fixturesTpch, 'lineitem/1.parquet')));
    },
  },
  'a later file is appended to': {
    change: (file) => {
      appendFileSync(file(3), 'more');
    },
  },
  'a later file is removed': {
    change: (file) => {
      unlinkSync(file(3));
    },
  },
  'the file being read is appended to': {
    change: (file) => {
      appendFileSync(file(1), 'more');
    },
  },
  'the file being read is cut off': {
    change: (file) => {
      truncateSync(file(1), 1000);
    },
  },
  'the file being read is overwritten': {
    change: (file) => {
      overwrite(file(1), 4, new Uint8Array(600_000).fill(0x55));
    },
  },
  'the file being read is overwritten with the same': {
    change: (file) => {
      overwrite(file(1), 4, readFileSync(file(1)).subarray(4, 1000));
    },
  },
  // The old file is still there for who has it open: its rows are those that were planned.
  'the file being read is replaced': {
    change: (file) => {
      replace(file(1), readFileSync(join(fixturesTpch, 'lineitem/2.parquet')));
    },
    lines: 60_176,
  },
};

describe('a file that changes while the command line reads', () => {
  for (const [name, { change, lines }] of Object.entries(changes)) {
    test(name, { timeout: 60_000 }, async () => {
      const { root, file } = copyOfLineitem(name);
      const args = ['exec', '--sql', 'select * from lineitem', '--data', root, '--partitions', '1', '--format', 'csv'];
      const child = spawn(
        process.execPath,
        [join(repositoryRoot, 'bin/distq.js'), ...args, '--metrics', 'none', '--quiet'],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      // The first bytes are here, so the first file is open; far more of it is to come than the pipe holds.
      await once(child.stdout, 'readable');
      change(file);
      let seen = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen++;
      });
      const code = await ended;
      if (lines !== undefined) {
        assert.deepEqual({ code, stderr, seen }, { code: 0, stderr: '', seen: lines });
        return;
      }
      assert.ok(seen < 60_176, 'all rows came');
      goldens.match(`${name.replaceAll(' ', '-')}.txt`, `exit ${String(code)}\n${stderr.replaceAll(root, '<data>')}`);
    });
  }
});

describe('a file that changes between planning and reading', () => {
  for (const mode of ['in_process', 'processes']) {
    test(mode, { timeout: 60_000 }, async () => {
      const { root, file } = copyOfLineitem(`planned ${mode}`);
      const session = await SessionContext.create({
        data: [root],
        settings: [
          ['distq.workers', '2'],
          ['distq.worker_mode', mode],
          ['distributed.file_scan_config_bytes_per_partition', '1'],
        ],
      });
      try {
        const frame = await session.sql('select sum(l_quantity) from lineitem');
        appendFileSync(file(2), 'more');
        await assert.rejects(frame.collect(), (error) => {
          assert.ok(error instanceof DistqError);
          assert.deepEqual([error.kind, error.exitCode], ['data_source', 4]);
          assert.equal(error.message, `cannot read ${file(2)}: the file changed while the query was running`);
          assert.equal(error.hint, 'run the query again');
          assert.equal(error.task?.stage, 1);
          return true;
        });
      } finally {
        await session.close();
      }
    });
  }

  test('the next query of a session reads the files as they are by then', { timeout: 60_000 }, async () => {
    const { root, file } = copyOfLineitem('session');
    const session = await SessionContext.create({ data: [root] });
    try {
      const count = async (): Promise<unknown> => {
        const [batch] = await (await session.sql('select count(*) from lineitem where l_orderkey > 0')).collect();
        return batch?.getChildAt(0)?.get(0);
      };
      assert.equal(await count(), 60_175n);
      replace(file(2), readFileSync(file(1)));
      const [first, second] = [await count(), 60_175n];
      assert.ok(typeof first === 'bigint' && first > 0n && first !== second);
      unlinkSync(file(2));
      const fewer = await count();
      assert.ok(typeof fewer === 'bigint' && fewer < first);
    } finally {
      await session.close();
    }
  });
});

describe('a page whose checksum does not match', { skip: skipWithoutCorpus('parquet-testing') }, () => {
  for (const name of ['datapage_v1-corrupt-checksum', 'rle-dict-uncompressed-corrupt-checksum']) {
    test(name, { timeout: 60_000 }, async () => {
      const path = join(corpusFolder('parquet-testing'), 'data', `${name}.parquet`);
      const args = ['exec', '--sql', `select * from '${path}'`, '--json', '--metrics', 'none', '--quiet'];
      const { code, stdout, stderr } = await runDistq(args);
      assert.ok(!stdout.includes(']'), 'the answer looks complete');
      goldens.match(`${name}.txt`, `exit ${String(code)}\n${stderr.replaceAll(path, basename(path))}`);
    });
  }
});
