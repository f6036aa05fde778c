import { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError, DistqError } from '../../base/errors.js';
import { encodeError } from '../protocol/error-codec.js';
import { type FrameHeader, smallFrame } from '../protocol/frame.js';
import { HELLO_PREFIX_BYTES, helloLength, type PartitionRequest } from '../protocol/hello.js';
import { encodeValue } from '../protocol/value-codec.js';
import type { ServerConnection } from '../transport/data-server.js';
import { FrameReader } from './frame-reader.js';
import { PartitionSender, type SenderOptions } from './partition-sender.js';
import type { Task } from './task.js';

const CONSUMER_GONE = new DistqError('cancelled', 'the consumer closed its connection');

/** What the process's host answers to connections. */
export interface RequestServer {
  /** Checks a hello's fields (token, build); throws `protocol`. */
  readHello(fields: Uint8Array): PartitionRequest;
  /** The task of a request, once its plan is here. */
  task(request: PartitionRequest, scope: CancelScope): Promise<Task>;
  /** What a sender needs of the process. */
  senderOptions(request: PartitionRequest): Pick<SenderOptions, 'faults' | 'kill' | 'maxFrameBytes'>;
}

/** One accepted data connection: reads the hello, waits for the task, serves it, and ends everything when the consumer goes. */
export class IncomingConnection {
  readonly #connection: ServerConnection;
  readonly #server: RequestServer;
  readonly #scope = new CancelScope();
  #hello: Uint8Array | null = new Uint8Array(HELLO_PREFIX_BYTES);
  #helloBytes = 0;
  #helloIsPrefix = true;
  readonly #frames: FrameReader;
  /** Frames that came before the task was ready. */
  readonly #early: FrameHeader[] = [];
  #sender: PartitionSender | null = null;

  constructor(connection: ServerConnection, server: RequestServer) {
    this.#connection = connection;
    this.#server = server;
    this.#frames = new FrameReader({
      begin: (header) => {
        if (header.payloadBytes > 0)
          throw new DistqError('protocol', `a consumer sent a ${header.kind} frame with data`);
        return null;
      },
      complete: (header) => {
        if (this.#sender === null) this.#early.push(header);
        else this.#sender.receive(header);
      },
    });
    connection.onData((bytes) => {
      try {
        this.#receive(bytes);
      } catch (error) {
        this.#refuse(asDistqError(error));
      }
    });
    connection.onClose(() => {
      this.#sender?.abandon();
      this.#scope.cancel(CONSUMER_GONE);
    });
  }

  #receive(bytes: Uint8Array): void {
    let rest = bytes;
    while (this.#hello !== null && rest.length > 0) {
      const part = rest.subarray(0, this.#hello.length - this.#helloBytes);
      this.#hello.set(part, this.#helloBytes);
      this.#helloBytes += part.length;
      rest = rest.subarray(part.length);
      if (this.#helloBytes < this.#hello.length) return;
      this.#helloBytes = 0;
      if (this.#helloIsPrefix) {
        this.#helloIsPrefix = false;
        this.#hello = new Uint8Array(helloLength(this.#hello));
      } else {
        const request = this.#server.readHello(this.#hello);
        this.#hello = null;
        void this.#serve(request);
      }
    }
    this.#frames.push(rest);
  }

  async #serve(request: PartitionRequest): Promise<void> {
    try {
      const task = await this.#server.task(request, this.#scope);
      const partitions = task.requested(request);
      if (request.closed) {
        for (const partition of partitions) partition.take().close();
        this.#connection.end();
        return;
      }
      const scope = task.scope.child();
      this.#scope.onCancel((reason) => {
        scope.cancel(reason);
      });
      const sender = new PartitionSender({
        ...this.#server.senderOptions(request),
        connection: this.#connection,
        request,
        task,
        partitions: partitions.map((partition) => partition.take()),
        scope,
      });
      for (const header of this.#early) sender.receive(header);
      this.#sender = sender;
      sender.start();
    } catch (error) {
      this.#refuse(asDistqError(error));
    }
  }

  #refuse(error: DistqError): void {
    if (this.#scope.cancelled) return;
    this.#connection.write(smallFrame('error', { payload: encodeValue(encodeError(error)) }), () => undefined);
    this.#connection.end();
  }
}
