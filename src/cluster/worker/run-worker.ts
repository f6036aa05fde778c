import { writeFileSync } from 'node:fs';
import { asDistqError } from '../../base/errors.js';
import { heap } from '../../columnar/heap.js';
import { MemoryPool } from '../../columnar/memory-pool.js';
import { onTurn } from '../../base/time-slice.js';
import {
  decodeToWorker,
  encodeFromWorker,
  type FromWorker,
  type ToWorker,
  type WorkerPlugin,
} from '../protocol/messages.js';
import { DataServer } from '../transport/data-server.js';
import { ParentChannel } from '../transport/parent-channel.js';
import { abandonRunDirectory } from '../transport/run-directory.js';
import type { WorkerServices } from './services.js';
import { WorkerHost } from './worker-host.js';

/**
 * The whole of a worker process. Returns at once; the process ends when its coordinator goes away or closes the control channel, or by
 * an error nobody caught, which is told first. Call it before anything else: it also takes the process out of Ctrl-C's reach.
 *
 * `services` is asked for when the first message comes, so that registries load while the coordinator still plans; it is given the
 * plug-ins that the coordinator has.
 */
export function runWorker(services: ServicesOf): void {
  const worker = new WorkerProcess(services);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      void worker.die(error);
    });
  }
}

type ServicesOf = (plugins: readonly WorkerPlugin[]) => WorkerServices | Promise<WorkerServices>;

class WorkerProcess {
  readonly #channel: ParentChannel;
  readonly #services: ServicesOf;
  /** Messages are handled in their order, the first of them asynchronously. */
  #before: Promise<void> = Promise.resolve();
  #host: WorkerHost | undefined;
  #server: DataServer | undefined;
  #dying = false;

  constructor(services: ServicesOf) {
    this.#services = services;
    this.#channel = new ParentChannel((bytes) => {
      const before = this.#before;
      this.#before = (async () => {
        await before;
        await this.#receive(bytes);
      })().catch((error: unknown) => this.die(error));
    });
    onTurn(this.#channel.checkParent);
  }

  async #receive(bytes: Uint8Array): Promise<void> {
    const message = decodeToWorker(bytes);
    if (message.kind === 'start') await this.#start(message);
    else if (message.kind === 'stop') this.#channel.leave();
    else this.#host?.handle(message);
  }

  async #start(message: Extract<ToWorker, { kind: 'start' }>): Promise<void> {
    const { token, build, processIndex, runDirectory, socketPath, memoryBytes } = message;
    const { poison, highAddresses, hotReuse } = message;
    this.#channel.onParentGone((parent) => {
      this.#server?.close();
      abandonRunDirectory(runDirectory, parent);
    });
    // Before anything is allocated; the registries below may allocate.
    heap.configure({ poison, highAddresses, hotReuse });
    preferToBeKilled();
    const host = new WorkerHost({
      processIndex,
      services: await this.#services(message.plugins),
      memory: new MemoryPool(memoryBytes),
      token,
      build,
      kill: () => {
        process.kill(process.pid, 'SIGKILL');
      },
      emit: (event) => {
        void this.#emit(event);
      },
      backlog: () => this.#channel.backlog,
    });
    this.#host = host;
    this.#server = await DataServer.listen(socketPath, host.accept);
    void this.#emit({ kind: 'listening' });
  }

  #emit(message: FromWorker): Promise<void> {
    return this.#channel.send(encodeFromWorker(message));
  }

  /** Last words: the process ends only after they are out (engine rule 4.8). */
  async die(error: unknown): Promise<void> {
    if (this.#dying) return;
    this.#dying = true;
    const failure = asDistqError(error);
    process.stderr.write(`${failure.stack ?? failure.message}\n`);
    await this.#emit({ kind: 'fatal', error: failure });
    process.exit(1);
  }
}

/** When memory runs out, the system shall end a worker, which is reported, and not the coordinator, which could not. */
function preferToBeKilled(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Not Linux, or not allowed: then the system chooses.
  }
}
