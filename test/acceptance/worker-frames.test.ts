/**
 * What workers receive: the product's worker processes write down the control messages that come to them while the 22 TPC-H queries
 * run, and each plan in them is decoded. It holds no DistributedLeafExec and the files of its own task only; the plans of a stage's
 * tasks together read each byte of the stage's files once.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { PartitionedFile } from '../../src/catalog/file-scan.js';
import { QueryRun } from '../../src/cluster/coordinator/query-run.js';
import { WorkerPool } from '../../src/cluster/coordinator/worker-pool.js';
import { decodeToWorker, type ToWorker } from '../../src/cluster/protocol/messages.js';
import { DistributedLeafExec } from '../../src/distributed/operators/distributed-leaf-exec.js';
import { NetworkBoundary } from '../../src/distributed/network-boundary.js';
import { planStages, type PlanStage } from '../../src/distributed/plan-stages.js';
import { stageNodes } from '../../src/distributed/task-nodes.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { DataSourceExec } from '../../src/physical/operators/data-source-exec.js';
import { SessionContext } from '../../src/session/session-context.js';
import { workerServices } from '../../src/session/worker-services.js';
import { skipWithoutCorpus } from '../support/corpora.js';
import { corpusQueries } from '../support/queries.js';
import { FRAMES_FOLDER_VARIABLE, readFrames } from '../support/recorded-frames.js';
import { fixturesTpch } from '../support/repository.js';

type SetPlan = Extract<ToWorker, { kind: 'set_plan' }>;

const settings = Object.entries({
  'distq.workers': '4',
  'distq.worker_mode': 'processes',
  // Every stage task goes through a pipe to another process.
  'distq.coordinator_tasks': 'never',
  'execution.target_partitions': '3',
  'distributed.file_scan_config_bytes_per_partition': '1',
  'distributed.cardinality_task_count_factor': '1.5',
});

const folder = mkdtempSync(join(tmpdir(), 'distq-frames-'));
after(() => {
  rmSync(folder, { recursive: true });
});

describe('the frames that workers receive', { skip: skipWithoutCorpus('tpch') }, () => {
  test('22 queries: each task gets its own files, and no task a choice', { timeout: 300_000 }, async () => {
    process.env[FRAMES_FOLDER_VARIABLE] = folder;
    const session = await SessionContext.create({ data: [fixturesTpch], settings });
    const services = workerServices(session.registries);
    const pool = new WorkerPool({ services, workerUrl: new URL('../support/recording-worker.js', import.meta.url) });
    const plans = new Map<string, { readonly name: string; readonly plan: ExecutionPlan }>();
    try {
      for (const { name, sql } of corpusQueries('tpch')) {
        for await (const frame of session.queries(sql)) {
          const { plan } = frame.plan;
          const run = new QueryRun({ pool, codec: session.registries.codec, plan, config: session.config });
          plans.set(run.id, { name, plan });
          for await (const batch of run.batches()) assert.ok(batch.numRows > 0);
          assert.ok(run.tasksInChildren > 0);
        }
      }
    } finally {
      await pool.close();
      await session.close();
    }
    assert.equal(plans.size, 22);

    const received = new Map<string, SetPlan[]>();
    const frames = readFrames(folder);
    assert.ok(frames.size >= 2, 'one process received everything');
    for (const bytes of [...frames.values()].flat()) {
      const message = decodeToWorker(bytes);
      if (message.kind === 'set_plan') received.set(message.query, [...(received.get(message.query) ?? []), message]);
    }
    assert.deepEqual([...received.keys()].sort(), [...plans.keys()].sort());

    let leaves = 0;
    for (const [query, messages] of received) {
      const planned = plans.get(query);
      assert.ok(planned !== undefined);
      const stages = planStages(planned.plan).filter(({ id }) => id !== 0);
      const decoded = messages.map((message) => ({ message, plan: services.codec.decodePlan(message.plan) }));
      assert.equal(
        messages.length,
        stages.reduce((sum, { tasks }) => sum + tasks, 0),
        `${planned.name}: tasks`,
      );
      for (const { plan } of decoded) {
        for (const node of stageNodes(plan)) {
          assert.ok(!(node instanceof DistributedLeafExec), `${planned.name}: a worker was to choose`);
          assert.ok(!(node instanceof NetworkBoundary) || node.inputStage.state === 'remote', planned.name);
        }
      }
      for (const stage of stages) {
        const tasks = decoded.filter(({ message }) => message.stage === stage.id);
        assert.deepEqual(
          tasks.map(({ message }) => message.task).sort((a, b) => a - b),
          Array.from({ length: stage.tasks }, (_, task) => task),
        );
        leaves += assertOwnFiles(stage, new Map(tasks.map(({ message, plan }) => [message.task, plan])), planned.name);
      }
    }
    assert.ok(leaves > 80, `only ${leaves} leaves were looked at`);
  });
});

/** Each leaf of the stage, by its place among the stage's leaves: what every task was sent is its variant, and all of them everything once. */
function assertOwnFiles(stage: PlanStage, sent: ReadonlyMap<number, ExecutionPlan>, query: string): number {
  const planned = stageNodes(stage.plan).filter(
    (node) => node.children.length === 0 && !(node instanceof NetworkBoundary),
  );
  for (const [index, leaf] of planned.entries()) {
    assert.ok(leaf instanceof DistributedLeafExec, `${query}: ${leaf.name}`);
    const pieces: string[][] = [];
    for (const [task, plan] of sent) {
      const own = stageNodes(plan).filter((node) => node.children.length === 0 && !(node instanceof NetworkBoundary))[
        index
      ];
      assert.ok(own !== undefined);
      const texts = piecesOf(own).map(pieceText);
      assert.deepEqual(texts, piecesOf(leaf.variant(task)).map(pieceText), `${query}: stage ${stage.id} task ${task}`);
      pieces.push(texts);
    }
    const all = pieces.flat();
    assert.equal(new Set(all).size, all.length, `${query}: stage ${stage.id}: two tasks were sent the same piece`);
    assertOnce(all, filesBeside(piecesOf(leaf.original)[0]?.path ?? ''), `${query}: stage ${stage.id}`);
  }
  return planned.length;
}

function piecesOf(leaf: ExecutionPlan): PartitionedFile[] {
  assert.ok(leaf instanceof DataSourceExec && leaf.source.fileScan !== null, leaf.name);
  return leaf.source.fileScan.fileGroups.flat();
}

function pieceText({ path, size, range }: PartitionedFile): string {
  return `${range?.start ?? 0}..${range?.end ?? size} ${path}`;
}

/** Every file of the table that the file belongs to, as it lies on the disk. */
function filesBeside(path: string): { readonly path: string; readonly size: number }[] {
  const table = dirname(path);
  return readdirSync(table).map((name) => ({ path: join(table, name), size: statSync(join(table, name)).size }));
}

/** The pieces cover each file from its first byte to its last, and nothing else. */
function assertOnce(pieces: readonly string[], files: ReturnType<typeof filesBeside>, where: string): void {
  const read = new Map<string, [number, number][]>();
  for (const piece of pieces) {
    const [, start, end, path = ''] = /^(\d+)\.\.(\d+) (.*)$/.exec(piece) ?? [];
    read.set(path, [...(read.get(path) ?? []), [Number(start), Number(end)]]);
  }
  assert.deepEqual([...read.keys()].sort(), files.map(({ path }) => path).sort(), where);
  for (const { path, size } of files) {
    let covered = 0;
    for (const [start, end] of (read.get(path) ?? []).sort(([a], [b]) => a - b)) {
      assert.equal(start, covered, `${where}: ${path}`);
      covered = end;
    }
    assert.equal(covered, size, `${where}: ${path}`);
  }
}
