import { DistqError } from '../../base/errors.js';

/**
 * What travels on a data connection. There is one connection per (consumer task, boundary, producer task), so a frame names only the
 * partition, counted from the first one asked for.
 *
 * Producer to consumer: `batch` (Arrow IPC messages of one record batch), `eos` (a partition is complete; counts all its rows and
 * batches, so that a lost frame is noticed), `error` (ends all partitions).
 * Consumer to producer: `credit` (`count` bytes of batches were passed), `want` (`count` 1: the consumer waits for this partition, which
 * its window being open does not say; 0: it does no longer; `batches` came before it said so), `close` (nobody reads this partition any
 * more).
 */
export type FrameKind = 'batch' | 'eos' | 'error' | 'credit' | 'want' | 'close';

const KINDS: readonly FrameKind[] = ['batch', 'eos', 'error', 'credit', 'want', 'close'];

/** A frame's header is as long as keeps the Arrow messages behind it on 8-byte borders. */
export const FRAME_HEADER_BYTES = 40;
/** A frame is at most 16 MiB unless one row is larger; nothing in the memory is larger than 64 MiB. */
const MAX_PAYLOAD_BYTES: number = 64 * 1024 * 1024;
const MAGIC = 0x4651_5144;

export interface FrameHeader {
  readonly kind: FrameKind;
  readonly partition: number;
  readonly payloadBytes: number;
  /** `batch`, `eos`: rows. `credit`: bytes. `want`: whether. */
  readonly count: number;
  /** `batch`: which batch of its partition, from 0. `eos`: how many there were. `want`: how many had come. */
  readonly batches: number;
  /** When the producer made it, in ns of the machine's monotonic clock. */
  readonly stampNs: number;
}

/** Layout: magic u32, kind u8, 3 zero bytes, partition u32, payload u32, count f64, batches f64, stamp f64. */
export function writeFrameHeader(header: FrameHeader, view: DataView, at: number): void {
  view.setUint32(at, MAGIC, true);
  view.setUint32(at + 4, KINDS.indexOf(header.kind), true);
  view.setUint32(at + 8, header.partition, true);
  view.setUint32(at + 12, header.payloadBytes, true);
  view.setFloat64(at + 16, header.count, true);
  view.setFloat64(at + 24, header.batches, true);
  view.setFloat64(at + 32, header.stampNs, true);
}

/** Reads a header; what cannot be one is a `protocol` error. */
export function readFrameHeader(view: DataView, at: number): FrameHeader {
  if (view.getUint32(at, true) !== MAGIC) throw malformedFrame('no frame begins where one should');
  const kindNumber = view.getUint32(at + 4, true);
  const kind = KINDS[kindNumber];
  if (kind === undefined) throw malformedFrame(`frame kind ${kindNumber}`);
  const payloadBytes = view.getUint32(at + 12, true);
  if (payloadBytes > MAX_PAYLOAD_BYTES) throw malformedFrame(`a frame of ${payloadBytes} bytes`);
  const [count, batches, stampNs] = [16, 24, 32].map((offset) => view.getFloat64(at + offset, true));
  if (!isCount(count) || !isCount(batches) || stampNs === undefined) throw malformedFrame('a count that is none');
  return { kind, partition: view.getUint32(at + 8, true), payloadBytes, count, batches, stampNs };
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}

function malformedFrame(what: string): DistqError {
  return new DistqError('protocol', `a data connection carries ${what}`);
}

/** A frame that carries no Arrow data, whole. */
export function smallFrame(
  kind: Exclude<FrameKind, 'batch'>,
  fields: {
    readonly partition?: number;
    readonly count?: number;
    readonly batches?: number;
    readonly payload?: Uint8Array;
  },
): Uint8Array {
  const payload = fields.payload ?? new Uint8Array(0);
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
  const header = {
    kind,
    partition: fields.partition ?? 0,
    payloadBytes: payload.length,
    count: fields.count ?? 0,
    batches: fields.batches ?? 0,
    stampNs: 0,
  };
  writeFrameHeader(header, new DataView(bytes.buffer), 0);
  bytes.set(payload, FRAME_HEADER_BYTES);
  return bytes;
}
