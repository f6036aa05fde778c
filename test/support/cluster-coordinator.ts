/**
 * A coordinator in a process of its own, for tests that send it signals: runs a query that never ends by itself, says on stdout what it
 * does, and handles Ctrl-C as the command line does (the first cancels, the second ends everything by force).
 */
import { DistqError } from '../../src/base/errors.js';
import { collectRows, TestCluster } from './cluster.js';
import { joined } from './rows-plans.js';

const ending = process.argv[2] === 'spin' ? 'spin' : 'block';
const cluster = new TestCluster();
const run = cluster.run(joined(4, { ending }), {
  settings: { 'distq.workers': '4', 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'never' },
  onProgress: () => {
    say({ pids: cluster.pool.childPids, directory: cluster.pool.runDirectory });
  },
});

let interrupts = 0;
process.on('SIGINT', () => {
  interrupts++;
  if (interrupts > 1) {
    cluster.pool.kill();
    process.exit(130);
  }
  run.cancel(new DistqError('cancelled', 'interrupted'));
});
say({ starting: true });

try {
  await collectRows(run);
} catch (error) {
  if (!(error instanceof DistqError)) throw error;
  process.exitCode = error.exitCode;
  say({ error: error.message, leaks: run.leaks });
} finally {
  await cluster.pool.close();
}

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
