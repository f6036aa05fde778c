/**
 * The stages that datafusion-distributed publishes for TPC-H, TPC-DS and ClickBench: distributed planner reference, section 9, in the
 * notation of `planShape`.
 */

export interface PublishedStages {
  readonly [query: string]: PublishedShape;
}

interface PublishedShape {
  /** Head first, then stages by falling number; where `all` is false, some of them. */
  readonly shape: readonly string[];
  readonly all: boolean;
  /** How many stages there are below the head. */
  readonly count?: number;
  /** Texts of nodes by stage, `H` for the head, that the shape leaves open. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
}

function whole(shape: readonly string[], texts: PublishedShape['texts'] = {}): PublishedShape {
  return { shape, all: true, texts };
}

function part(count: number, shape: readonly string[], texts: PublishedShape['texts'] = {}): PublishedShape {
  return { shape, all: false, count, texts };
}

const LEAF = '4/48 leaf';

/** Scale 0.02, 16 files a table, factor 1.5. */
export const TPCH_STAGES: PublishedStages = {
  q1: whole(['H←C S2', 'S2 2/3←Sh S1', 'S1 4/6 leaf']),
  q2: whole([
    'H←C S11',
    'S11 4/3←Sh S5, Sh S10',
    'S10 3/12←Sh S9',
    'S9 4/9←B S6, B S7, B S8',
    `S8 ${LEAF}`,
    `S7 ${LEAF}`,
    `S6 ${LEAF}`,
    'S5 4/12←B S1, B S2, B S3, B S4',
    `S4 ${LEAF}`,
    `S3 ${LEAF}`,
    `S2 ${LEAF}`,
    `S1 ${LEAF}`,
  ]),
  q4: whole(['H←C S4', 'S4 2/3←Sh S3', 'S3 3/6←Sh S1, Sh S2', 'S2 4/9 leaf', 'S1 4/9 leaf']),
  q6: whole(['H←C S1', 'S1 4/12 leaf']),
  q7: whole([
    'H←C S7',
    'S7 3/3←Sh S6',
    'S6 4/9←B S1, B S2, B S3, B S4, B S5',
    ...[5, 4, 3, 2, 1].map((stage) => `S${stage} ${LEAF}`),
  ]),
  q8: whole([
    'H←C S9',
    'S9 3/3←Sh S8',
    'S8 4/9←B S1, B S2, B S3, B S4, B S5, B S6, B S7',
    ...[7, 6, 5, 4, 3, 2, 1].map((stage) => `S${stage} ${LEAF}`),
  ]),
  q10: whole(['H←C S5', 'S5 3/3←Sh S4', 'S4 4/9←B S1, B S3', 'S3 4/48←B S2', `S2 ${LEAF}`, `S1 ${LEAF}`]),
  q11: whole([
    'H←C S8',
    'S8 3/3←B S4, Sh S7',
    'S7 4/9←B S5, B S6',
    `S6 ${LEAF}`,
    `S5 ${LEAF}`,
    'S4 1/3←C S3',
    'S3 4/12←B S1, B S2',
    `S2 ${LEAF}`,
    `S1 ${LEAF}`,
  ]),
  q12: whole(['H←C S3', 'S3 3/3←Sh S2', 'S2 4/9←B S1', `S1 ${LEAF}`]),
  q13: whole(['H←C S5', 'S5 2/3←Sh S4', 'S4 3/6←Sh S3', 'S3 4/9←Sh S1, Sh S2', 'S2 4/12 leaf', 'S1 4/12 leaf']),
  q14: whole(['H←C S2', 'S2 4/12←B S1', `S1 ${LEAF}`]),
  q15: whole([
    'H←C S6',
    'S6 4/3←B S3, B S4, Sh S5',
    'S5 4/12 leaf',
    `S4 ${LEAF}`,
    'S3 1/4←C S2',
    'S2 2/3←Sh S1',
    'S1 4/6 leaf',
  ]),
  q16: whole(['H←C S5', 'S5 2/3←Sh S4', 'S4 3/6←Sh S3', 'S3 4/9←B S1, B S2', `S2 ${LEAF}`, `S1 ${LEAF}`]),
  q17: whole(['H←C S5', 'S5 4/3←Sh S2, Sh S4', 'S4 3/12←Sh S3', 'S3 4/9 leaf', 'S2 4/12←B S1', `S1 ${LEAF}`]),
  q19: whole(['H←C S2', 'S2 4/12←B S1', `S1 ${LEAF}`]),
  q20: whole([
    'H←C S8',
    'S8 4/3←Sh S2, Sh S7',
    'S7 4/12←Sh S4, Sh S6',
    'S6 2/12←Sh S5',
    'S5 4/6 leaf',
    'S4 4/12←B S3',
    `S3 ${LEAF}`,
    'S2 4/12←B S1',
    `S1 ${LEAF}`,
  ]),
  q22: whole(['H←C S3, C S4', 'S4 4/12 leaf', 'S3 4/3←Sh S1, Sh S2', 'S2 4/12 leaf', 'S1 4/12 leaf']),
};

const SHARED_OUT = 'DistributedUnionExec: t0:[c0(0/2)] t1:[c0(1/2)] t2:[c1] t3:[c2]';
const HALVES = 'DistributedUnionExec: t0:[c0(0/2)] t1:[c0(1/2)] t2:[c1(0/2)] t3:[c1(1/2)]';

/** Scale 1, four files a table, factor 2. */
export const TPCDS_STAGES: PublishedStages = {
  q1: whole(
    [
      'H←C S10',
      'S10 4/3←Sh S5, Sh S9',
      'S9 1/12←Sh S8',
      'S8 2/3←Sh S7',
      'S7 4/6←B S6',
      `S6 ${LEAF}`,
      'S5 4/12←B S4',
      'S4 2/24←B S1, Sh S3',
      'S3 4/6←B S2',
      `S2 ${LEAF}`,
      'S1 4/24 leaf',
    ],
    { S5: ['[Stage 4] => NetworkBroadcastExec: partitions_per_consumer=3, stage_partitions=12, input_tasks=2'] },
  ),
  q2: whole(
    [
      'H←C S9',
      'S9 2/3←Sh S4, Sh S8',
      'S8 2/6←B S5, Sh S7',
      'S7 4/6←B S6',
      `S6 ${LEAF}`,
      'S5 4/24 leaf',
      'S4 2/6←B S1, Sh S3',
      'S3 4/6←B S2',
      `S2 ${LEAF}`,
      'S1 4/24 leaf',
    ],
    { S3: [HALVES], S7: [HALVES] },
  ),
  q6: part(10, ['S9 4/6←B S2, B S4, B S5, B S6, B S8', 'S4 1/12←Sh S3', 'S3 4/3 leaf', 'S2 2/24←Sh S1']),
  q22: whole(['H←C S4', 'S4 2/3←Sh S3', 'S3 4/6←B S1, B S2', `S2 ${LEAF}`, `S1 ${LEAF}`]),
  q27: part(
    19,
    [
      'H←C S19',
      'S19 4/12←Sh S6, Sh S12, C S18',
      'S18 4/3←B S13, B S14, B S15, Sh S16, Sh S17',
      'S12 4/3←B S7, B S8, B S9, Sh S10, Sh S11',
      'S6 4/6←B S1, B S2, B S3, Sh S4, Sh S5',
    ],
    { S19: [SHARED_OUT] },
  ),
  q49: part(
    13,
    ['H←Sh S13', 'S13 3/3←C S4, C S8, Sh S12', 'S12 2/3←B S9, Sh S10, Sh S11', 'S8 2/3←Sh S7', 'S4 2/3←Sh S3'],
    { S13: ['DistributedUnionExec: t0:[c0] t1:[c1] t2:[c2]'] },
  ),
  q54: part(12, ['H←C S11, Sh S12', 'S10 4/48←B S3, B S4, B S9', 'S3 4/32 leaf'], {
    S10: ['[Stage 3] => NetworkBroadcastExec: partitions_per_consumer=2, stage_partitions=8, input_tasks=4'],
  }),
  q75: part(28, ['H←Sh S14, Sh S28', 'S14 2/3←Sh S13'], { S13: [SHARED_OUT] }),
};

const HEAD_LIMIT = 'GlobalLimitExec: skip=1000, fetch=10';

/** Three files, factor 1.5. */
export const CLICKBENCH_STAGES: PublishedStages = {
  q0: whole([]),
  q1: whole(['H←C S1', 'S1 4/12 leaf']),
  q2: whole(['H←C S1', 'S1 4/12 leaf']),
  q4: whole(['H←C S2', 'S2 3/3←Sh S1', 'S1 4/9 leaf']),
  q6: whole([]),
  q8: whole(['H←C S3', 'S3 2/3←Sh S2', 'S2 3/6←Sh S1', 'S1 4/9 leaf']),
  q10: whole(['H←Sh S2', 'S2 2/3←Sh S1', 'S1 4/6 leaf']),
  q17: whole(['H←C S2', 'S2 3/3←Sh S1', 'S1 4/9 leaf'], {
    H: ['CoalescePartitionsExec: fetch=10'],
    S2: ['LocalLimitExec: fetch=10'],
  }),
  q23: whole(['H←C S1', 'S1 4/12 leaf']),
  q39: whole(['H←C S2', 'S2 2/3←Sh S1', 'S1 4/6 leaf'], { H: [HEAD_LIMIT] }),
  q42: whole(['H←C S2', 'S2 2/3←Sh S1', 'S1 4/6 leaf'], { H: [HEAD_LIMIT] }),
};
