import type { WorkerServices } from '../cluster/worker/services.js';
import { createExpressionCompiler } from '../expr/expression-compiler.js';
import type { ExpressionMode } from '../expr/evaluator.js';
import type { SessionConfig } from '../config/session-config.js';
import { rewriteWorkerPlan } from './plugins/guarded-handlers.js';
import type { Registries } from './registries.js';

/** What a process needs to run tasks; the same in the coordinator and in its children. */
export function workerServices({ codec, plugins }: Registries): WorkerServices {
  return {
    codec,
    compiler: (config) => createExpressionCompiler(expressionMode(config)),
    rewritePlan: (plan, { stage, task, taskCount, worker }, config) =>
      rewriteWorkerPlan(plan, plugins.rewrites, { stage, taskIndex: task, taskCount, worker }, config),
  };
}

function expressionMode(config: SessionConfig): ExpressionMode {
  const mode = config.get('debug.expressions');
  return mode === 'interpreter' || mode === 'both' ? mode : 'wasm';
}
