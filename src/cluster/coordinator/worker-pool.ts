import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageJsonUrl } from '../../base/assets.js';
import { deferred } from '../../base/deferred.js';
import { asDistqError, DistqError } from '../../base/errors.js';
import type { QueryId } from '../../base/ids.js';
import type { HeapDebug } from '../../columnar/heap.js';
import { MemoryPool } from '../../columnar/memory-pool.js';
import { TOKEN_BYTES } from '../protocol/hello.js';
import {
  decodeFromWorker,
  decodeToWorker,
  encodeToWorker,
  type FromWorker,
  type ToWorker,
  type WorkerPlugin,
} from '../protocol/messages.js';
import { type ChildExit, ChildWorker } from '../transport/child-worker.js';
import { DataServer } from '../transport/data-server.js';
import { RunDirectory } from '../transport/run-directory.js';
import type { WorkerServices } from '../worker/services.js';
import { WorkerHost } from '../worker/worker-host.js';
import { lostProcess } from './lost-process.js';
import { processMemoryBytes, totalMemoryBytes } from './memory-budget.js';

/** How long a child may take from fork to listening. */
const START_MS = 30_000;

export interface WorkerPoolOptions {
  readonly services: WorkerServices;
  /** The worker's entry file: it calls `runWorker`. */
  readonly workerUrl: URL;
  /** Budget over all processes; 0 = from the machine. */
  readonly memoryBytes?: number;
  /** Debug modes of the children's memory; this process's are set by whoever starts it. */
  readonly heapDebug?: HeapDebug;
  /** Modules that children load before they do anything. */
  readonly plugins?: readonly WorkerPlugin[];
}

/** What the pool tells a query about its processes. */
export interface PoolListener {
  message(message: FromWorker, processIndex: number): void;
  /** A process of the pool ended, whether it ran anything of the query or not. `told` are its own last words. */
  lost(processIndex: number, pid: number, exit: ChildExit, told: DistqError | undefined): void;
}

/** What a query needs of the processes it runs in. */
export interface ProcessPool {
  /** This process's tasks. */
  readonly host: WorkerHost;
  readonly runningChildren: number;
  join(query: QueryId, listener: PoolListener): void;
  leave(query: QueryId): void;
  ensureChildren(count: number): Promise<void>;
  /** Gives the bytes that went out. */
  send(processIndex: number, message: ToWorker): number;
}

interface Child {
  readonly worker: ChildWorker;
  readonly socketPath: string;
  told: DistqError | undefined;
}

/**
 * The processes of a session: this one, which hosts tasks like any other, and children that are started when a query first wants them
 * and kept for the next ones.
 */
export class WorkerPool implements ProcessPool {
  readonly host: WorkerHost;
  readonly memory: MemoryPool;
  readonly #options: WorkerPoolOptions;
  readonly #token: Uint8Array = randomBytes(TOKEN_BYTES);
  readonly #build = buildId();
  readonly #listeners = new Map<QueryId, PoolListener>();
  /** Process i + 1. */
  #children: Child[] = [];
  #directory: RunDirectory | undefined;
  #server: DataServer | undefined;
  /** Sockets named so far: a path is never used twice, since a process that is ending may still hold its own. */
  #sockets = 0;
  #starting: Promise<void> = Promise.resolve();
  /** Children that were told to end and have not yet. */
  readonly #leaving = new Set<ChildWorker>();
  #closed = false;
  readonly #onExit = (): void => {
    this.kill();
  };

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.memory = new MemoryPool(processMemoryBytes(totalMemoryBytes(options.memoryBytes ?? 0), 1));
    this.host = new WorkerHost({
      processIndex: 0,
      services: options.services,
      memory: this.memory,
      token: this.#token,
      build: this.#build,
      kill: null,
      emit: (message) => {
        this.#receive(message, 0);
      },
      backlog: () => 0,
    });
  }

  get runningChildren(): number {
    return this.#children.length;
  }

  /** Process ids of the children, for messages and tests. */
  get childPids(): number[] {
    return this.#children.map(({ worker }) => worker.pid);
  }

  /** Where sockets are, while there are any. */
  get runDirectory(): string | undefined {
    return this.#directory?.path;
  }

  /** Tells a query what happens to its processes, until `leave`. */
  join(query: QueryId, listener: PoolListener): void {
    this.#listeners.set(query, listener);
    for (const { worker } of this.#children) worker.setReferenced(true);
  }

  leave(query: QueryId): void {
    this.#listeners.delete(query);
    if (this.#listeners.size > 0) return;
    // An idle session does not keep the program alive.
    for (const { worker } of this.#children) worker.setReferenced(false);
  }

  /**
   * At least so many children run and know one another. May be called early, while a query is still planned. Calls are served one
   * after the other; a failed start leaves none of the new children behind.
   */
  async ensureChildren(count: number): Promise<void> {
    const before = this.#starting;
    const start = (async (): Promise<void> => {
      await before;
      if (this.#closed) throw new DistqError('cancelled', 'the session is closed');
      if (this.#children.length < count) await this.#start(count);
    })();
    this.#starting = start.catch(() => undefined);
    await start;
  }

  /** Sends a message to a process; to this one through the same bytes. */
  send(processIndex: number, message: ToWorker): number {
    const bytes = encodeToWorker(message);
    if (processIndex === 0) this.host.handle(decodeToWorker(bytes));
    else this.#children[processIndex - 1]?.worker.send(bytes);
    return bytes.length;
  }

  /** Ends all children and removes what they leave. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#starting;
    await this.host.close();
    const children = this.#children;
    this.#children = [];
    this.#server?.close();
    for (const { worker } of children) this.#retire(worker);
    await Promise.all([...this.#leaving].map((worker) => worker.exited));
    this.#directory?.remove();
    process.off('exit', this.#onExit);
  }

  /** Ends all children at once, by force. Also called when this process exits. */
  kill(): void {
    for (const worker of [...this.#leaving, ...this.#children.map((child) => child.worker)]) worker.kill();
    this.#directory?.remove();
  }

  async #start(count: number): Promise<void> {
    if (this.#directory === undefined) {
      this.#directory = RunDirectory.create();
      process.on('exit', this.#onExit);
    }
    const directory = this.#directory;
    this.#server ??= await DataServer.listen(directory.socketPath(this.#sockets++), this.host.accept);
    this.#server.unref();
    const memoryBytes = processMemoryBytes(totalMemoryBytes(this.#options.memoryBytes ?? 0), count + 1);
    this.memory.resize(memoryBytes);
    const first = this.#children.length;
    const fresh = Array.from({ length: count - first }, (_, i) => this.#fork(first + i + 1, directory, memoryBytes));
    try {
      await Promise.all(fresh.map(({ listening }) => listening));
    } catch (error) {
      for (const { child } of fresh) child.worker.kill();
      throw asDistqError(error);
    }
    for (const { child, index } of fresh) {
      this.#children.push(child);
      void child.worker.exited.then((exit) => {
        this.#lost(index, child, exit);
      });
      child.worker.setReferenced(this.#listeners.size > 0);
    }
    const addresses = [this.#server.address, ...this.#children.map(({ socketPath }) => socketPath)];
    for (const index of addresses.keys()) this.send(index, { kind: 'peers', addresses });
  }

  #fork(
    index: number,
    directory: RunDirectory,
    memoryBytes: number,
  ): { readonly child: Child; readonly index: number; readonly listening: Promise<undefined> } {
    const listening = deferred<undefined>();
    const socketPath = directory.socketPath(this.#sockets++);
    const worker = new ChildWorker({ url: this.#options.workerUrl }, (bytes) => {
      let message: FromWorker;
      try {
        message = decodeFromWorker(bytes);
      } catch (error) {
        child.told ??= asDistqError(error);
        worker.kill();
        return;
      }
      if (message.kind === 'listening') listening.resolve(undefined);
      else if (message.kind === 'fatal') child.told ??= message.error;
      else this.#receive(message, index);
    });
    const child: Child = { worker, socketPath, told: undefined };
    const late = setTimeout(() => {
      listening.reject(new DistqError('worker_lost', `a worker process did not start within ${START_MS / 1000} s`));
    }, START_MS);
    void worker.exited.then((exit) => {
      listening.reject(child.told ?? lostProcess(`worker process ${worker.pid}`, exit, 'before it was ready'));
    });
    const clear = (): void => {
      clearTimeout(late);
    };
    listening.promise.then(clear, clear);
    worker.send(
      encodeToWorker({
        kind: 'start',
        token: this.#token,
        build: this.#build,
        processIndex: index,
        runDirectory: directory.path,
        socketPath,
        memoryBytes,
        poison: this.#options.heapDebug?.poison ?? false,
        highAddresses: this.#options.heapDebug?.highAddresses ?? false,
        hotReuse: this.#options.heapDebug?.hotReuse ?? false,
        plugins: this.#options.plugins ?? [],
      }),
    );
    return { child, index, listening: listening.promise };
  }

  /** A pool that lost one process starts all of them anew for its next query: the others may hold what the lost one left behind. */
  #lost(index: number, child: Child, exit: ChildExit): void {
    if (!this.#children.includes(child)) return;
    const others = this.#children.filter((other) => other !== child);
    this.#children = [];
    for (const listener of [...this.#listeners.values()]) {
      listener.lost(index, child.worker.pid, exit, child.told);
    }
    for (const { worker } of others) this.#retire(worker);
  }

  #retire(worker: ChildWorker): void {
    this.#leaving.add(worker);
    void worker.stop(encodeToWorker({ kind: 'stop' })).then(() => this.#leaving.delete(worker));
  }

  #receive(message: FromWorker, processIndex: number): void {
    if (message.kind === 'listening' || message.kind === 'fatal') return;
    this.#listeners.get(message.query)?.message(message, processIndex);
  }
}

/** Coordinator and workers must be one build: the version and the Node that runs it. */
function buildId(): string {
  const about: unknown = JSON.parse(readFileSync(packageJsonUrl(), 'utf8'));
  const version = typeof about === 'object' && about !== null && 'version' in about ? String(about.version) : 'unknown';
  return `${version}/${process.version}`;
}
