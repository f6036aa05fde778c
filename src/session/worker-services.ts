import type { WorkerServices } from '../cluster/worker/services.js';
import { createExpressionCompiler } from '../expr/expression-compiler.js';
import type { ExpressionMode } from '../expr/evaluator.js';
import type { SessionConfig } from '../config/session-config.js';
import type { Registries } from './registries.js';

/** What a process needs to run tasks; the same in the coordinator and in its children. */
export function workerServices({ codec }: Registries): WorkerServices {
  return { codec, compiler: (config) => createExpressionCompiler(expressionMode(config)) };
}

function expressionMode(config: SessionConfig): ExpressionMode {
  const mode = config.get('debug.expressions');
  return mode === 'interpreter' || mode === 'both' ? mode : 'wasm';
}
