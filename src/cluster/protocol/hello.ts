import { timingSafeEqual } from 'node:crypto';
import { DistqError } from '../../base/errors.js';
import { queryId, type QueryId, stageId, type StageId } from '../../base/ids.js';
import { FieldReader } from './fields.js';
import { decodeValue, encodeValue } from './value-codec.js';

/** What the consumer expects on top of the producer's plan: it decides what the partition numbers mean. */
export type ProducerHead = 'shuffle' | 'broadcast' | 'coalesce';
const HEADS: readonly ProducerHead[] = ['shuffle', 'broadcast', 'coalesce'];

/** What a connection is for, in the consumer's plan; only fault injection looks at it. */
export type ConnectionRole = 'build' | 'exchange' | 'head';
const ROLES: readonly ConnectionRole[] = ['build', 'exchange', 'head'];

/** A request of one consumer task for consecutive partitions of one producer task. */
export interface PartitionRequest {
  readonly query: QueryId;
  readonly stage: StageId;
  readonly task: number;
  readonly firstPartition: number;
  readonly partitionCount: number;
  readonly head: ProducerHead;
  /** Partitions the producer's plan must have. */
  readonly stagePartitions: number;
  readonly role: ConnectionRole;
  /** Bytes of a partition that may be on the way; at least one frame always may. */
  readonly windowBytes: number;
  /** Nobody will read: the consumer closed before it pulled. The producer only learns that these partitions are closed. */
  readonly closed: boolean;
}

/** The first bytes of every data connection. */
export interface Hello extends PartitionRequest {
  /** The run's secret, handed out over the control channel: directory modes protect no Windows pipe. */
  readonly token: Uint8Array;
  /** Coordinator and workers must be the same build, since the plan codec is the contract. */
  readonly build: string;
}

export const TOKEN_BYTES = 16;
export const HELLO_PREFIX_BYTES = 8;
const MAX_HELLO_BYTES = 64 * 1024;
const MAGIC = 0x4851_5144;

/** Magic u32, length u32, the fields. */
export function encodeHello(hello: Hello): Uint8Array {
  const { query, stage, task, firstPartition, partitionCount, head, stagePartitions, role, windowBytes, closed } =
    hello;
  const fields = encodeValue({
    query,
    stage,
    task,
    firstPartition,
    partitionCount,
    head,
    stagePartitions,
    role,
    windowBytes,
    closed,
    token: hello.token,
    build: hello.build,
  });
  const bytes = new Uint8Array(HELLO_PREFIX_BYTES + fields.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, fields.length, true);
  bytes.set(fields, HELLO_PREFIX_BYTES);
  return bytes;
}

/** Bytes of the fields that follow the prefix; whatever is no hello is a `protocol` error. */
export function helloLength(prefix: Uint8Array): number {
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new DistqError('protocol', 'a connection began with no hello');
  const length = view.getUint32(4, true);
  if (length > MAX_HELLO_BYTES) throw new DistqError('protocol', `a hello of ${length} bytes`);
  return length;
}

/** Reads the fields and checks token and build before anything else is believed. */
export function decodeHello(
  bytes: Uint8Array,
  expected: { readonly token: Uint8Array; readonly build: string },
): Hello {
  const fields = new FieldReader(decodeValue(bytes), 'a hello');
  const token = fields.bytes('token');
  if (token.length !== expected.token.length || !timingSafeEqual(token, expected.token)) {
    throw new DistqError('protocol', 'a connection came with a wrong token');
  }
  const build = fields.text('build');
  if (build !== expected.build) {
    throw new DistqError('protocol', `a process of build ${build} connected to one of build ${expected.build}`, {
      hint: 'start again: the program was replaced while it ran',
    });
  }
  return {
    token,
    build,
    query: queryId(fields.text('query')),
    stage: stageId(fields.count('stage')),
    task: fields.count('task'),
    firstPartition: fields.count('firstPartition'),
    partitionCount: fields.count('partitionCount'),
    head: fields.choice('head', HEADS),
    stagePartitions: fields.count('stagePartitions'),
    role: fields.choice('role', ROLES),
    windowBytes: fields.count('windowBytes'),
    closed: fields.flag('closed'),
  };
}
