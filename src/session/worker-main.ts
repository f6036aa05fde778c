import { runWorker } from '../cluster/worker/run-worker.js';

// The entry of a worker process. Ignoring Ctrl-C comes first; registries load when the first message asks for them.
runWorker(async () => {
  const [{ createRegistries }, { workerServices }] = await Promise.all([
    import('./registries.js'),
    import('./worker-services.js'),
  ]);
  return workerServices(createRegistries());
});
