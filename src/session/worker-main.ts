import { runWorker } from '../cluster/worker/run-worker.js';

// The entry of a worker process. Ignoring Ctrl-C comes first; registries load when the first message asks for them.
runWorker(async (plugins) => {
  const [{ createRegistries }, { workerServices }, { loadPluginModules }] = await Promise.all([
    import('./registries.js'),
    import('./worker-services.js'),
    import('./plugins/load-plugins.js'),
  ]);
  return workerServices(createRegistries(await loadPluginModules(plugins)));
});
