import { unreachable } from '../base/errors.js';
import type { ExpressionCompiler, ExpressionMode } from './evaluator.js';
import { interpreterCompiler } from './interpreter/interpreter.js';

/** The compiler of a mode (`debug.expressions`). */
export function createExpressionCompiler(mode: ExpressionMode): ExpressionCompiler {
  switch (mode) {
    case 'interpreter':
    case 'wasm':
    case 'both':
      return interpreterCompiler;
  }
  return unreachable(mode, 'expression mode');
}
