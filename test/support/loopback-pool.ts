/**
 * A pool whose "processes" are hosts of this one, with real sockets between them: exchange tests need no forks, see the memory of all
 * sides, and can look at every byte that went by.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryId } from '../../src/base/ids.js';
import type { PoolListener, ProcessPool } from '../../src/cluster/coordinator/worker-pool.js';
import {
  decodeFromWorker,
  decodeToWorker,
  encodeFromWorker,
  encodeToWorker,
  type ToWorker,
} from '../../src/cluster/protocol/messages.js';
import { DataServer } from '../../src/cluster/transport/data-server.js';
import { WorkerHost } from '../../src/cluster/worker/worker-host.js';
import type { WorkerServices } from '../../src/cluster/worker/services.js';
import { MemoryPool } from '../../src/columnar/memory-pool.js';

export class LoopbackPool implements ProcessPool {
  readonly hosts: WorkerHost[] = [];
  readonly memories: MemoryPool[] = [];
  readonly addresses: string[] = [];
  readonly #services: WorkerServices;
  readonly #limitBytes: number;
  readonly #directory: string;
  readonly #servers: DataServer[] = [];
  readonly #listeners = new Map<QueryId, PoolListener>();

  private constructor(services: WorkerServices, limitBytes: number) {
    this.#services = services;
    this.#limitBytes = limitBytes;
    this.#directory = mkdtempSync('/tmp/dqt-');
  }

  static async create(services: WorkerServices, limitBytes: number = 2 ** 28): Promise<LoopbackPool> {
    const pool = new LoopbackPool(services, limitBytes);
    await pool.ensureChildren(0);
    return pool;
  }

  get host(): WorkerHost {
    const [host] = this.hosts;
    if (host === undefined) throw new Error('the pool is not open');
    return host;
  }

  get runningChildren(): number {
    return this.hosts.length - 1;
  }

  join(query: QueryId, listener: PoolListener): void {
    this.#listeners.set(query, listener);
  }

  leave(query: QueryId): void {
    this.#listeners.delete(query);
  }

  async ensureChildren(count: number): Promise<void> {
    while (this.hosts.length <= count) {
      const processIndex = this.hosts.length;
      const memory = new MemoryPool(this.#limitBytes);
      const host = new WorkerHost({
        processIndex,
        services: this.#services,
        memory,
        token: new Uint8Array(16).fill(1),
        build: 'test',
        kill: null,
        emit: (message) => {
          const decoded = decodeFromWorker(encodeFromWorker(message));
          if (decoded.kind !== 'listening' && decoded.kind !== 'fatal') {
            this.#listeners.get(decoded.query)?.message(decoded, processIndex);
          }
        },
        backlog: () => 0,
      });
      const server = await DataServer.listen(join(this.#directory, `w${processIndex}`), host.accept);
      this.hosts.push(host);
      this.memories.push(memory);
      this.#servers.push(server);
      this.addresses.push(server.address);
    }
    for (const host of this.hosts) host.handle({ kind: 'peers', addresses: this.addresses });
  }

  send(processIndex: number, message: ToWorker): number {
    const bytes = encodeToWorker(message);
    // As a channel would: later, and in order.
    setImmediate(() => this.hosts[processIndex]?.handle(decodeToWorker(bytes)));
    return bytes.length;
  }

  async close(): Promise<void> {
    for (const host of this.hosts) await host.close();
    for (const server of this.#servers) server.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
