import { unreachable } from '../base/errors.js';
import { comparingCompiler } from './emitter/comparing-compiler.js';
import { wasmCompiler } from './emitter/wasm-compiler.js';
import type { ExpressionCompiler, ExpressionMode } from './evaluator.js';
import { interpreterCompiler } from './interpreter/interpreter.js';

/** The compiler of a mode (`debug.expressions`). */
export function createExpressionCompiler(mode: ExpressionMode): ExpressionCompiler {
  switch (mode) {
    case 'interpreter':
      return interpreterCompiler;
    case 'wasm':
      return wasmCompiler;
    case 'both':
      return comparingCompiler(wasmCompiler, interpreterCompiler);
  }
  return unreachable(mode, 'expression mode');
}
