/** A broadcast producer reads its table once, however many tasks consume what it gives. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BroadcastExec } from '../../src/distributed/operators/broadcast-exec.js';
import { planStages } from '../../src/distributed/plan-stages.js';
import { SessionContext } from '../../src/session/session-context.js';
import { queryRows } from '../oracle/run-text.js';
import { fixturesTpch } from '../support/repository.js';

const WORKERS = 4;
/** Two broadcast sides over one probe side: suppliers and nations. */
const SQL =
  'select n_name, count(*) from lineitem join supplier on l_suppkey = s_suppkey join nation on s_nationkey = n_nationkey group by n_name';
const tableRows: Readonly<Record<string, number>> = { supplier: 100, nation: 25 };

describe('broadcast producers run once', () => {
  for (const mode of ['in_process', 'processes']) {
    test(mode, { timeout: 60_000 }, async () => {
      const session = await SessionContext.create({
        data: [fixturesTpch],
        settings: Object.entries({
          'distq.workers': String(WORKERS),
          'distq.worker_mode': mode,
          'execution.target_partitions': '3',
          'distributed.file_scan_config_bytes_per_partition': '1',
          'distributed.cardinality_task_count_factor': '1.5',
        }),
      });
      try {
        const { rows, frame } = await queryRows(session, SQL);
        assert.equal(
          rows.rows.reduce((sum, [, count]) => sum + Number(count), 0),
          60_175,
        );
        const operators = frame.metrics()?.operators ?? [];
        const seen: string[] = [];
        for (const stage of planStages(frame.plan.plan)) {
          const { plan: top } = stage;
          if (!(top instanceof BroadcastExec)) continue;
          assert.equal(top.consumerTasks, WORKERS);
          const own = operators.filter((row) => row.stage === stage.id);
          const rowsOf = (operator: string): number =>
            own.filter((row) => row.operator === operator).reduce((total, row) => total + row.output_rows, 0);
          const read = rowsOf('DistributedLeafExec');
          const table = Object.keys(tableRows).find((name) => tableRows[name] === read);
          assert.ok(table !== undefined, `stage ${stage.id} read ${read} rows`);
          seen.push(table);
          // What left the stage: everything once for every consumer.
          assert.equal(rowsOf('BroadcastExec'), read * WORKERS);
        }
        assert.deepEqual(seen.sort(), ['nation', 'supplier']);
      } finally {
        await session.close();
      }
    });
  }
});
