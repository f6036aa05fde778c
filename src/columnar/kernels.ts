import { readFileSync } from 'node:fs';
import { assetUrl } from '../base/assets.js';
import { DistqError } from '../base/errors.js';
import { heap } from './heap.js';
import type { AccumulateKernels } from './kernel-types/accumulate-kernels.js';
import type { BitmapKernels } from './kernel-types/bitmap-kernels.js';
import type { DateKernels } from './kernel-types/date-kernels.js';
import type { DistinctKernels } from './kernel-types/distinct-kernels.js';
import type { GatherKernels } from './kernel-types/gather-kernels.js';
import type { IpcKernels } from './kernel-types/ipc-kernels.js';
import type { HashKernels } from './kernel-types/hash-kernels.js';
import type { HashTableKernels } from './kernel-types/hash-table-kernels.js';
import type { KeySetKernels } from './kernel-types/key-set-kernels.js';
import type { RowKernels } from './kernel-types/row-kernels.js';
import type { SortKernels } from './kernel-types/sort-kernels.js';
import type { PageKernels } from './kernel-types/page-kernels.js';
import type { StringKernels } from './kernel-types/string-kernels.js';

/**
 * The functions of the one kernel module, in the process's memory. One line per subject; the interface of a subject stands in
 * `kernel-types/<subject>-kernels.ts`, its AssemblyScript in `kernels/<subject>.ts`.
 *
 * Parameters and results are 32-bit integers or floats as JavaScript numbers. A kernel that returns an address returns it signed:
 * pass it through `addr()`.
 */
export interface Kernels
  extends AccumulateKernels,
    BitmapKernels,
    DateKernels,
    DistinctKernels,
    GatherKernels,
    HashKernels,
    HashTableKernels,
    IpcKernels,
    KeySetKernels,
    PageKernels,
    RowKernels,
    SortKernels,
    StringKernels {}

/** Host functions kernels may import: V8's own, so that every path gives the same bits (engine rule 10.2). */
function hostFunctions(module: WebAssembly.Module): WebAssembly.ModuleImports {
  const imports: WebAssembly.ModuleImports = {};
  for (const { kind, name } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') continue;
    const method = name.startsWith('Math.') ? Object.getOwnPropertyDescriptor(Math, name.slice(5)) : undefined;
    const value: unknown = method?.value;
    if (typeof value !== 'function') throw new DistqError('internal', `the kernel module imports unknown ${name}`);
    imports[name] = value as (...args: never[]) => unknown;
  }
  return imports;
}

function load(): Kernels {
  const module = new WebAssembly.Module(readFileSync(assetUrl('kernels.wasm')));
  const { exports } = new WebAssembly.Instance(module, { env: { memory: heap.memory, ...hostFunctions(module) } });
  // The build makes module and interfaces from the same sources; the exports' type says nothing of signatures.
  const functions: unknown = exports;
  return functions as Kernels;
}

/** The kernels over `heap.memory`. Calls take at most ~10 ms each: callers cut long work (engine rule 3.2). */
export const kernels: Kernels = load();
