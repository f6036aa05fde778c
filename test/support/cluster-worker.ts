/** The worker's entry file in tests. */
import { runWorker } from '../../src/cluster/worker/run-worker.js';
import { testServices } from './cluster.js';

runWorker(testServices);
