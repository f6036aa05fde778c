import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ControlSender } from './control-sender.js';

/** How a child ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
}

/** Last words of a crash: enough for any stack, little enough to hold. */
const STDERR_TAIL_BYTES = 64 * 1024;

/** What distinguishes a worker from any other use of its entry file: an argument, since variables leak to grandchildren. */
const WORKER_SENTINEL = '--distq-worker';

export interface ChildWorkerOptions {
  /** The worker's entry file. */
  readonly url: URL;
  /** Node's own options for the child, besides those that follow from this process. */
  readonly execArgv?: readonly string[];
}

/** A forked worker process and its control channel. */
export class ChildWorker {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #sender: ControlSender;
  readonly #stderr: Buffer[] = [];
  #stderrBytes = 0;
  /** Settles when the process is gone and its stderr is read. Never rejects. */
  readonly exited: Promise<ChildExit>;
  #exit: ChildExit | undefined;

  constructor({ url, execArgv = [] }: ChildWorkerOptions, onMessage: (bytes: Uint8Array) => void) {
    const child = fork(fileURLToPath(url), [WORKER_SENTINEL], {
      execPath: process.execPath,
      // The default repeats this process's own options, --inspect and -e among them.
      execArgv: [...inheritedOptions(), ...execArgv],
      env: childEnvironment(process.env),
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.pid = child.pid ?? -1;
    this.#sender = new ControlSender((bytes, sent) => child.send(bytes, sent));
    child.on('message', (message) => {
      if (message instanceof Uint8Array) onMessage(message);
    });
    // A worker has nothing to say on stdout; unread, a chatty library would fill the pipe and stop.
    child.stdout?.resume();
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#keepTail(chunk);
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      const done = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#exit ??= { code, signal, stderr: this.#stderrText() };
        resolve(this.#exit);
      };
      child.on('error', (error) => {
        this.#keepTail(Buffer.from(`${error.message}\n`));
        // A child that could not be started has no exit event; one that could not be told something still has.
        if (child.pid === undefined) done(null, null);
      });
      // `close` comes once the pipes are read to their end, unless a grandchild holds them: then `exit` must do.
      child.on('close', done);
      child.on('exit', (code, signal) => {
        setTimeout(() => {
          done(code, signal);
        }, 100).unref();
      });
    });
  }

  /** True until the process ended. */
  get running(): boolean {
    return this.#exit === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  send(bytes: Uint8Array): void {
    if (this.#child.connected) void this.#sender.send(bytes);
  }

  /** Tells the worker to end; one that does not within `graceMs` is killed. */
  async stop(farewell: Uint8Array, graceMs = 2_000): Promise<ChildExit> {
    this.send(farewell);
    const timer = setTimeout(() => {
      this.kill();
    }, graceMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** A session that is idle does not keep the process alive; one that runs a query does. */
  setReferenced(referenced: boolean): void {
    const pipes = [this.#child.stdout, this.#child.stderr] as (null | { ref?(): void; unref?(): void })[];
    if (referenced) {
      this.#child.ref();
      this.#child.channel?.ref();
      for (const pipe of pipes) pipe?.ref?.();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
      for (const pipe of pipes) pipe?.unref?.();
    }
  }

  #keepTail(chunk: Buffer): void {
    this.#stderr.push(chunk);
    this.#stderrBytes += chunk.length;
    while (this.#stderrBytes - (this.#stderr[0]?.length ?? 0) >= STDERR_TAIL_BYTES) {
      this.#stderrBytes -= this.#stderr.shift()?.length ?? 0;
    }
  }

  #stderrText(): string {
    return Buffer.concat(this.#stderr).subarray(-STDERR_TAIL_BYTES).toString();
  }
}

/** Options of this process that its workers need as well. */
function inheritedOptions(): string[] {
  const needed = new Set(['--disable-wasm-trap-handler', '--enable-source-maps']);
  return process.execArgv.filter((option) => needed.has(option));
}

/** NODE_OPTIONS applies in spite of `execArgv`: a debugger port for each worker is not what `--inspect` there asked for. */
function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = environment['NODE_OPTIONS'];
  if (options === undefined) return environment;
  const kept = options.split(/\s+/).filter((option) => option !== '' && !option.startsWith('--inspect'));
  return { ...environment, NODE_OPTIONS: kept.join(' ') };
}
