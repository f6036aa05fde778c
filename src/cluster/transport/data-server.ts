import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { DistqError } from '../../base/errors.js';
import { MAX_SOCKET_PATH_BYTES } from './run-directory.js';

/** The producer's end of a data connection: frames out, small frames in. */
export interface ServerConnection {
  /** Takes bytes in order; each callback fires when the bytes were handed to the system, so that their memory may be used again. */
  write(bytes: Uint8Array, written: (failed: boolean) => void): void;
  /** Ends the connection after what was written. */
  end(): void;
  /** Ends it at once, without anything more. */
  destroy(): void;
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Called once, when nothing more can be read or written. */
  onClose(listener: () => void): void;
}

/** Accepts data connections on one Unix socket (a named pipe on Windows). */
export class DataServer {
  readonly #server: Server;
  readonly #path: string;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, path: string, accept: (connection: ServerConnection) => void) {
    this.#server = server;
    this.#path = path;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      accept(serverConnection(socket));
    });
  }

  /** Resolves when connections are accepted. */
  static listen(path: string, accept: (connection: ServerConnection) => void): Promise<DataServer> {
    return new Promise((resolve, reject) => {
      if (process.platform !== 'win32' && Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
        reject(new DistqError('internal', `the socket path ${path} is longer than ${MAX_SOCKET_PATH_BYTES} bytes`));
        return;
      }
      const server = createServer({ allowHalfOpen: false, noDelay: true });
      server.once('error', (error) => {
        reject(new DistqError('resources_exhausted', `cannot listen on ${path}: ${error.message}`, { cause: error }));
      });
      // Accepting needs a free loop: a busy process must not refuse its peers meanwhile.
      server.listen({ path, backlog: 4096 }, () => {
        server.on('error', () => undefined);
        resolve(new DataServer(server, path, accept));
      });
    });
  }

  get address(): string {
    return this.#path;
  }

  /** Stops accepting, ends every connection, removes the socket. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (process.platform !== 'win32') rmSync(this.#path, { force: true });
  }

  /** Keeps or does not keep the process running. */
  unref(): void {
    this.#server.unref();
  }
}

function serverConnection(socket: Socket): ServerConnection {
  // Before the first byte: an error nobody listens to would end the process.
  socket.on('error', () => undefined);
  return {
    write(bytes, written) {
      socket.write(bytes, (error) => {
        written(error !== undefined && error !== null);
      });
    },
    end() {
      socket.end();
    },
    destroy() {
      socket.destroy();
    },
    onData(listener) {
      socket.on('data', (chunk: Buffer) => {
        listener(chunk);
      });
    },
    onClose(listener) {
      socket.once('close', () => {
        listener();
      });
    },
  };
}
