import { DistqError } from '../../base/errors.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { Slot } from './emit-context.js';
import type { WasmImport } from './wasm-code.js';

/** The exported function of a module: parameter block, selection (0 = all), rows → result. */
export type RunFunction = (block: number, selection: number, count: number) => number;

/** Compiled code with the slots of its parameter block. */
export interface CompiledModule {
  readonly run: RunFunction;
  readonly slots: readonly Slot[];
}

/** Compiled modules are code only, so every stream of the process shares them. The oldest go when there are too many. */
const MAX_MODULES = 2000;
const modules = new Map<string, CompiledModule>();

/** The module of a fingerprint (expressions and shapes of the inputs), emitted at first use. */
export function cachedModule(fingerprint: string, emit: () => CompiledModule): CompiledModule {
  const known = modules.get(fingerprint);
  if (known !== undefined) return known;
  const made = emit();
  if (modules.size >= MAX_MODULES) {
    const [oldest] = modules.keys();
    if (oldest !== undefined) modules.delete(oldest);
  }
  modules.set(fingerprint, made);
  return made;
}

/** Compiles bytes and links them to the process's memory, the kernels and V8's Math. */
export function instantiate(bytes: Uint8Array<ArrayBuffer>, imports: readonly WasmImport[]): RunFunction {
  const linked: WebAssembly.ModuleImports = {};
  const math: WebAssembly.ModuleImports = {};
  for (const { module, name } of imports) {
    const found: unknown =
      module === 'kernels'
        ? Object.getOwnPropertyDescriptor(kernels, name)?.value
        : Object.getOwnPropertyDescriptor(Math, name)?.value;
    if (typeof found !== 'function') throw new DistqError('internal', `emitted code imports unknown ${module}.${name}`);
    (module === 'kernels' ? linked : math)[name] = found as (...args: never[]) => unknown;
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: { memory: heap.memory },
    kernels: linked,
    math,
  });
  const { run } = instance.exports;
  if (typeof run !== 'function') throw new DistqError('internal', 'emitted code exports no run');
  return run as RunFunction;
}
