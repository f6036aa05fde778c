/**
 * The part of the WebAssembly JavaScript interface that distq uses. TypeScript declares it only in lib.dom, which would also
 * make browser globals (`name`, `event`, `close`) legal names here, and @types/node 20 does not declare it at all.
 * `BufferSource` and the web stream and fetch names below are mentioned by the types of the two bundled WASM glues.
 * Keep these types out of the public API: users may compile with lib.dom, which has its own.
 */
declare namespace WebAssembly {
  interface MemoryDescriptor {
    /** Pages of 64 KiB. */
    initial: number;
    /** Pages of 64 KiB. */
    maximum?: number;
    shared?: boolean;
  }
  class Memory {
    constructor(descriptor: MemoryDescriptor);
    readonly buffer: ArrayBuffer;
    grow(delta: number): number;
  }
  interface TableDescriptor {
    element: 'anyfunc' | 'externref';
    initial: number;
    maximum?: number;
  }
  class Table {
    constructor(descriptor: TableDescriptor);
    readonly length: number;
    get(index: number): unknown;
    grow(delta: number): number;
    set(index: number, value?: unknown): void;
  }
  interface GlobalDescriptor {
    value: 'i32' | 'i64' | 'f32' | 'f64';
    mutable?: boolean;
  }
  class Global {
    constructor(descriptor: GlobalDescriptor, value?: number | bigint);
    value: number | bigint;
  }
  type ImportExportKind = 'function' | 'global' | 'memory' | 'table' | 'tag';
  interface ModuleExportDescriptor {
    kind: ImportExportKind;
    name: string;
  }
  interface ModuleImportDescriptor {
    kind: ImportExportKind;
    module: string;
    name: string;
  }
  class Module {
    constructor(bytes: BufferSource);
    static customSections(module: Module, sectionName: string): ArrayBuffer[];
    static exports(module: Module): ModuleExportDescriptor[];
    static imports(module: Module): ModuleImportDescriptor[];
  }
  /** An exported function. Arguments and results are `number` for i32, f32, f64 and `bigint` for i64. */
  type ExportValue = ((...args: never[]) => unknown) | Memory | Table | Global;
  type Exports = Readonly<Record<string, ExportValue>>;
  type ImportValue = ((...args: never[]) => unknown) | Memory | Table | Global | number | bigint;
  type ModuleImports = Record<string, ImportValue>;
  type Imports = Record<string, ModuleImports>;
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}
  function validate(bytes: BufferSource): boolean;
  function compile(bytes: BufferSource): Promise<Module>;
  function instantiate(module: Module, imports?: Imports): Promise<Instance>;
}

type BufferSource = ArrayBufferView | ArrayBuffer;
type RequestInfo = string | URL;
