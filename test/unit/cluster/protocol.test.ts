import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DistqError, ERROR_KINDS, type ErrorKind } from '../../../src/base/errors.js';
import { queryId, stageId } from '../../../src/base/ids.js';
import { decodeError, encodeError } from '../../../src/cluster/protocol/error-codec.js';
import {
  FRAME_HEADER_BYTES,
  type FrameHeader,
  type FrameKind,
  readFrameHeader,
  smallFrame,
  writeFrameHeader,
} from '../../../src/cluster/protocol/frame.js';
import {
  decodeHello,
  encodeHello,
  type Hello,
  HELLO_PREFIX_BYTES,
  helloLength,
} from '../../../src/cluster/protocol/hello.js';
import {
  decodeFromWorker,
  decodeToWorker,
  encodeFromWorker,
  encodeToWorker,
  FROM_WORKER_KINDS,
  type FromWorker,
  TO_WORKER_KINDS,
  type ToWorker,
} from '../../../src/cluster/protocol/messages.js';
import { decodeValue, encodeValue } from '../../../src/cluster/protocol/value-codec.js';
import { FrameReader } from '../../../src/cluster/worker/frame-reader.js';
import type { EncodedValue } from '../../../src/expr/expr-codec.js';
import { goldenFolder } from '../../support/golden.js';
import type { RowBoundsUpdate } from '../../../src/physical/row-bounds.js';

const goldens = goldenFolder('test/unit/cluster/goldens');

const { value: encodedValue } = fc.letrec<{ value: EncodedValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double(),
    fc.constantFrom(-0, Number.NaN, Infinity, -Infinity, Number.MIN_VALUE, 2 ** 53, -(2 ** 53)),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', 'a\udc00b', '\u0000', '😀'),
    fc.uint8Array(),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
  ),
}));

test('values come back bit for bit', () => {
  fc.assert(
    fc.property(encodedValue, (value) => {
      assert.deepStrictEqual(decodeValue(encodeValue(value)), value);
    }),
    { numRuns: 2000 },
  );
  assert.ok(Object.is(decodeValue(encodeValue(-0)), -0));
});

test('a key that names a prototype is a key', () => {
  const decoded = decodeValue(encodeValue(JSON.parse('{"__proto__": 1, "constructor": 2}') as EncodedValue));
  assert.deepEqual(Object.keys(decoded as object), ['__proto__', 'constructor']);
});

test('truncated and altered values are protocol errors or other values', () => {
  fc.assert(
    fc.property(encodedValue, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (value, where, flip, cut) => {
      const bytes = encodeValue(value);
      const at = where % bytes.length;
      const damaged = cut ? bytes.slice(0, at) : bytes.with(at, (bytes[at] ?? 0) ^ flip);
      try {
        decodeValue(damaged);
        assert.ok(!cut, 'a truncated value was read');
      } catch (error) {
        if (!(error instanceof DistqError)) throw error;
        assert.equal(error.kind, 'protocol');
      }
    }),
    { numRuns: 2000 },
  );
});

test('nesting has an end', () => {
  let value: EncodedValue = null;
  for (let i = 0; i < 10_000; i++) value = [value];
  assert.throws(() => encodeValue(value), { kind: 'resources_exhausted' });
  assert.throws(() => decodeValue(new Uint8Array(10_000).fill(9).map((tag, i) => (i % 2 === 0 ? tag : 1))), {
    kind: 'protocol',
  });
});

test('errors keep everything a user is shown', () => {
  for (const kind of Object.keys(ERROR_KINDS) as ErrorKind[]) {
    const error = new DistqError(kind, `went wrong: ${kind}`, {
      file: 'q.sql',
      span: { line: 3, column: 7, endLine: 3, endColumn: 9 },
      hint: 'do it otherwise',
      task: { stage: 2, task: 5, worker: 'worker 1' },
      cause: new Error('outer', { cause: new Error('inner') }),
    });
    const decoded = decodeError(decodeValue(encodeValue(encodeError(error))));
    assert.ok(decoded instanceof DistqError);
    const shown = ['kind', 'message', 'file', 'span', 'hint', 'task', 'stack', 'exitCode'] as const;
    for (const field of shown) assert.deepEqual(decoded[field], error[field], field);
    assert.equal(decoded.cause, 'outer: inner');
  }
  const bare = decodeError(decodeValue(encodeValue(encodeError(new DistqError('execution', 'x')))));
  assert.deepEqual(
    [bare.file, bare.span, bare.hint, bare.task, bare.cause],
    [undefined, undefined, undefined, undefined, undefined],
  );
});

const header: fc.Arbitrary<FrameHeader> = fc.record(
  {
    kind: fc.constantFrom<FrameKind>('batch', 'eos', 'error', 'credit', 'want', 'close'),
    partition: fc.integer({ min: 0, max: 0xffff_ffff }),
    payloadBytes: fc.integer({ min: 0, max: 300 }),
    count: fc.maxSafeNat(),
    batches: fc.maxSafeNat(),
    stampNs: fc.double({ noNaN: true }),
  },
  { noNullPrototype: true },
);

test('frames survive any cutting of their byte stream', () => {
  fc.assert(
    fc.property(
      fc.array(header, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      (headers, cuts) => {
        const parts = headers.map((one, index) => {
          const bytes = new Uint8Array(FRAME_HEADER_BYTES + one.payloadBytes).fill(index + 1);
          writeFrameHeader(one, new DataView(bytes.buffer), 0);
          return bytes;
        });
        const stream = Buffer.concat(parts);
        const seen: FrameHeader[] = [];
        let target = new Uint8Array(0);
        const reader = new FrameReader({
          begin: ({ payloadBytes }) => (target = new Uint8Array(payloadBytes)),
          complete: (complete) => {
            assert.ok(target.every((byte) => byte === seen.length + 1));
            seen.push(complete);
          },
        });
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          reader.push(stream.subarray(at, at + size));
          at += size;
        }
        assert.deepEqual(seen, headers);
        assert.ok(reader.atBorder);
      },
    ),
    { numRuns: 500 },
  );
});

test('what is no frame is refused', () => {
  const good = smallFrame('credit', { partition: 1, count: 5 });
  for (const [at, value] of [
    [0, 0],
    [4, 99],
    [15, 0xff],
    [23, 0xff],
  ] as const) {
    const bad = good.with(at, value);
    assert.throws(() => readFrameHeader(new DataView(bad.buffer), 0), { kind: 'protocol' }, `byte ${at}`);
  }
});

const hello: Hello = {
  query: queryId('q'),
  stage: stageId(3),
  task: 1,
  firstPartition: 4,
  partitionCount: 2,
  head: 'shuffle',
  stagePartitions: 8,
  role: 'exchange',
  windowBytes: 65_536,
  closed: false,
  token: new Uint8Array(16).fill(7),
  build: 'test/1',
};

test('a hello is believed only with the token and the build of its run', () => {
  const bytes = encodeHello(hello);
  const fields = bytes.subarray(HELLO_PREFIX_BYTES);
  assert.equal(helloLength(bytes.subarray(0, HELLO_PREFIX_BYTES)), fields.length);
  assert.deepEqual(decodeHello(fields, hello), hello);
  assert.throws(() => decodeHello(fields, { ...hello, token: new Uint8Array(16) }), /wrong token/);
  assert.throws(() => decodeHello(fields, { ...hello, token: new Uint8Array(3) }), /wrong token/);
  assert.throws(
    () => decodeHello(fields, { ...hello, build: 'test/2' }),
    /of build test\/1 connected to one of build test\/2/,
  );
  assert.throws(() => helloLength(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)), { kind: 'protocol' });
});

const failure = new DistqError('execution', 'division by zero');
const task = { query: queryId('q'), stage: stageId(2), task: 1 };

const keyFilter = {
  id: 3,
  part: 1,
  parts: 4,
  keys: [
    null,
    { least: -5n, largest: 2n ** 62n, bitmap: null },
    { least: 0n, largest: 9n, bitmap: new Uint8Array(8).fill(3) },
  ],
};

const rowBounds: RowBoundsUpdate = {
  id: 2,
  bounds: [
    {
      keys: [
        { child: 0, descending: true, nullsFirst: false, value: 5n },
        { child: 1, descending: false, nullsFirst: true, value: null },
        { child: 2, descending: false, nullsFirst: true, value: Uint8Array.of(0xff, 0) },
        { child: 3, descending: false, nullsFirst: false, value: NaN },
        { child: 4, descending: false, nullsFirst: false, value: { months: -1, days: 2, nanos: 3n } },
        { child: 5, descending: false, nullsFirst: false, value: true },
      ],
      inclusive: true,
    },
    { keys: [{ child: 0, descending: false, nullsFirst: false, value: -0 }], inclusive: false },
  ],
};

const toWorker: { readonly [K in ToWorker['kind']]: Extract<ToWorker, { kind: K }> } = {
  start: {
    kind: 'start',
    token: Uint8Array.of(1, 2),
    build: 'b',
    processIndex: 1,
    runDirectory: '/tmp/x',
    socketPath: '/tmp/x/w1',
    memoryBytes: 2 ** 40,
    poison: true,
    highAddresses: false,
    hotReuse: true,
    plugins: [{ url: 'file:///p/a.mjs', name: './a.mjs' }],
  },
  peers: { kind: 'peers', addresses: ['a', 'b'] },
  set_plan: {
    kind: 'set_plan',
    ...task,
    taskCount: 4,
    worker: 3,
    placement: [0, 1, 0, 1],
    plan: { kind: 'X', limit: 5n },
    config: [['execution.batch_size', '1']],
    feeds: [{ id: 3, node: 1 }],
    startNs: 2n ** 60n,
  },
  work_units: {
    kind: 'work_units',
    ...task,
    feed: 3,
    units: [null, 'a', 5n, { pages: [1, 2.5], raw: Uint8Array.of(1) }],
    ended: true,
  },
  join_keys: { kind: 'join_keys', query: queryId('q'), filter: keyFilter },
  row_bounds: { kind: 'row_bounds', query: queryId('q'), filter: rowBounds },
  finish_query: { kind: 'finish_query', query: queryId('q') },
  cancel_query: { kind: 'cancel_query', query: queryId('q'), reason: failure },
  stop: { kind: 'stop' },
};

const fromWorker: { readonly [K in FromWorker['kind']]: Extract<FromWorker, { kind: K }> } = {
  listening: { kind: 'listening' },
  task_failed: { kind: 'task_failed', ...task, error: failure },
  task_metrics: {
    kind: 'task_metrics',
    ...task,
    metrics: {
      state: 'cancelled',
      times: { planAddedNs: 1, planExecutedNs: null, planFinishedNs: 3.5 },
      nodes: [
        [
          { name: 'output_rows', unit: 'count', value: 7 },
          { name: 'elapsed_compute', unit: 'time', value: 2 ** 52 },
        ],
        [],
      ],
    },
  },
  work_unit_demand: { kind: 'work_unit_demand', ...task, feed: 3, count: 4 },
  work_unit_leave: { kind: 'work_unit_leave', ...task, feed: 3 },
  join_keys: { kind: 'join_keys', query: queryId('q'), filter: keyFilter },
  row_bounds: { kind: 'row_bounds', query: queryId('q'), filter: rowBounds },
  progress: {
    kind: 'progress',
    query: queryId('q'),
    tasks: [{ stage: stageId(1), task: 0, rows: 9, state: 'running' }],
  },
  query_closed: { kind: 'query_closed', query: queryId('q'), leaks: ['x: 5 bytes'] },
  fatal: { kind: 'fatal', error: failure },
};

test('control messages come back as they went', () => {
  for (const message of Object.values(toWorker)) {
    assert.deepEqual(comparable(decodeToWorker(encodeToWorker(message))), comparable(message));
  }
  for (const message of Object.values(fromWorker)) {
    assert.deepEqual(comparable(decodeFromWorker(encodeFromWorker(message))), comparable(message));
  }
});

/** Errors by what they say: the decoded one is another object with another cause. */
function comparable(message: object): object {
  return Object.fromEntries(
    Object.entries(message).map(([key, value]: [string, unknown]) => [
      key,
      value instanceof DistqError ? [value.kind, value.message] : value,
    ]),
  );
}

test('a message that lacks a field names it', () => {
  assert.throws(() => decodeToWorker(encodeValue({ kind: 'peers' })), /control message has no field addresses/);
  assert.throws(
    () => decodeFromWorker(encodeValue({ kind: 'unheard of' })),
    /field kind of a control message is no value among/,
  );
});

test('the kinds of the protocol change only on purpose', () => {
  const kinds = [
    'to worker:',
    ...TO_WORKER_KINDS.map((kind) => `  ${kind}: ${Object.keys(toWorker[kind]).slice(1).join(' ')}`),
    'from worker:',
    ...FROM_WORKER_KINDS.map((kind) => `  ${kind}: ${Object.keys(fromWorker[kind]).slice(1).join(' ')}`),
    'frames: batch eos error credit want close',
    `hello: ${Object.keys(hello).join(' ')}`,
  ];
  goldens.match('protocol-kinds.txt', kinds.join('\n'));
});
