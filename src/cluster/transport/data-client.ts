import { connect, type Socket } from 'node:net';
import type { CancelScope } from '../../base/cancel-scope.js';
import { DistqError } from '../../base/errors.js';

/** How long a full backlog, a server that is not up yet, or one that just restarted is tried again. */
const CONNECT_DEADLINE_MS = 10_000;
const RETRIED: ReadonlySet<string> = new Set(['EAGAIN', 'ECONNREFUSED', 'ENOENT', 'EBUSY']);

/**
 * What the system reads into. One buffer serves all connections of the process, since a read and the callback that takes its bytes
 * away happen in one turn; 1 MiB made reading half as costly as the default 64 KiB (1,886 against 760–1,240 MB/s).
 * A Windows pipe may hold the buffer between turns, so there each connection has its own.
 */
const SHARED_BUFFER_BYTES = 1024 * 1024;
const OWN_BUFFER_BYTES = 64 * 1024;
let sharedBuffer: Uint8Array | undefined;

function readBuffer(): Uint8Array {
  if (process.platform === 'win32') return new Uint8Array(OWN_BUFFER_BYTES);
  sharedBuffer ??= new Uint8Array(SHARED_BUFFER_BYTES);
  return sharedBuffer;
}

export interface ClientEvents {
  /** Bytes that are gone after the call. */
  data(bytes: Uint8Array): void;
  /** Called once when the connection is over, whoever ended it; `failure` is the system's word where there is one. */
  closed(failure: string | undefined): void;
}

/** The consumer's end of a data connection. */
export interface ClientConnection {
  write(bytes: Uint8Array): void;
  /** Ends it at once. `closed` is still called. */
  destroy(): void;
}

/** Connects and says hello in one go; tries again while the other side cannot take connections. */
export async function connectData(
  address: string,
  hello: Uint8Array,
  events: ClientEvents,
  scope: CancelScope,
): Promise<ClientConnection> {
  const deadline = performance.now() + CONNECT_DEADLINE_MS;
  let pauseMs = 2;
  for (;;) {
    scope.throwIfCancelled();
    const attempt = await tryConnect(address, hello, events, scope);
    if (typeof attempt !== 'string') return attempt;
    if (!RETRIED.has(attempt) || performance.now() > deadline) {
      throw new DistqError('worker_lost', `cannot connect to a worker at ${address} (${attempt})`);
    }
    await scope.wait(pause(pauseMs * (0.5 + Math.random())));
    pauseMs = Math.min(pauseMs * 2, 250);
  }
}

/** The connection, or the code of the failure. */
function tryConnect(
  address: string,
  hello: Uint8Array,
  events: ClientEvents,
  scope: CancelScope,
): Promise<ClientConnection | string> {
  return new Promise((resolve) => {
    let connected = false;
    let failure: string | undefined;
    const socket: Socket = connect({
      path: address,
      onread: {
        buffer: readBuffer(),
        callback: (count: number, buffer: Uint8Array): boolean => {
          events.data(buffer.subarray(0, count));
          return true;
        },
      },
    });
    const unhook = scope.onCancel(() => {
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code ?? error.message;
    });
    socket.on('close', () => {
      unhook();
      if (connected) events.closed(failure);
      else resolve(failure ?? 'closed');
    });
    // The other side has said all it will: without this a half-open socket would stay.
    socket.on('end', () => {
      socket.destroy();
    });
    socket.on('connect', () => {
      connected = true;
      socket.write(hello);
      resolve({
        write(bytes) {
          if (!socket.destroyed) socket.write(bytes);
        },
        destroy() {
          socket.destroy();
        },
      });
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
