import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asDistqError } from '../../../src/base/errors.js';
import { Arena } from '../../../src/columnar/arena.js';
import type { Column } from '../../../src/columnar/column.js';
import {
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  field,
  INT8,
  INT16,
  INT32,
  INT64,
  INTERVAL,
  timestamp,
  typeName,
  UINT8,
  UINT32,
  UINT64,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { compact } from '../../../src/columnar/flatten.js';
import { heap } from '../../../src/columnar/heap.js';
import { RecordBatch } from '../../../src/columnar/record-batch.js';
import { type ScalarValue, scalar } from '../../../src/columnar/scalar-value.js';
import { Schema } from '../../../src/columnar/schema.js';
import { valueAt } from '../../../src/columnar/value-at.js';
import type { BinaryOperator } from '../../../src/expr/expr.js';
import { createExpressionCompiler } from '../../../src/expr/expression-compiler.js';
import { planEmission } from '../../../src/expr/emitter/emit-plan.js';
import { displayPhysicalExpr } from '../../../src/expr/physical-expr-display.js';
import { visitPhysical } from '../../../src/expr/physical-expr-transform.js';
import { type PhysicalExpr, physicalLiteral } from '../../../src/expr/physical-expr.js';
import { physicalBinary, physicalCast, physicalNot } from '../../../src/expr/physical-planner.js';
import { createFunctionRegistry } from '../../../src/functions/index.js';
import { Random, randomColumn, randomSelection, randomValue, randomValues } from '../../support/random-columns.js';

// Above 2 GiB, in memory that is never zero by chance.
heap.configure({ poison: true, highAddresses: true });

const SEED = Number(process.env['DISTQ_SEED'] ?? Date.now() % 2 ** 31);
const BATCHES = 60;
const MIN_ROWS = 1000;
const ROWS = 20;
const registry = createFunctionRegistry();
const both = createExpressionCompiler('both');
const interpreter = createExpressionCompiler('interpreter');

/** An expression over columns a (index 0), b (1) and c (2) of the case's types. */
interface Case {
  readonly name: string;
  readonly columns: readonly DataType[];
  readonly make: (columns: readonly PhysicalExpr[], random: Random) => PhysicalExpr;
  /** The emitter must know it: nothing of it is left to the interpreter. */
  readonly emitted: boolean;
}

const lit = (type: DataType, value: ScalarValue['value']): PhysicalExpr => physicalLiteral(scalar(type, value));
const randomLiteral = (type: DataType, random: Random): PhysicalExpr =>
  lit(type, random.chance(0.08) ? null : randomValue(type, random));

/** A column or, now and then, a constant. */
const orLiteral = (column: PhysicalExpr, random: Random): PhysicalExpr =>
  random.chance(0.4) ? randomLiteral(column.type, random) : column;

function call(name: string, ...args: PhysicalExpr[]): PhysicalExpr {
  const func = registry.scalar(name)!;
  const types = func.coerce(args.map((arg) => arg.type));
  const cast = args.map((arg, i) => physicalCast(arg, types[i]!));
  const literals = cast.map((arg) => (arg.kind === 'literal' ? arg.value : null));
  return { kind: 'scalar_function', func, args: cast, type: func.returnType(types, literals), nullable: true };
}

const bool = { type: BOOLEAN, nullable: true };
const COMPARED: readonly DataType[] = [
  BOOLEAN,
  INT8,
  INT32,
  INT64,
  UINT32,
  UINT64,
  FLOAT32,
  FLOAT64,
  decimal(15, 2),
  decimal(38, 4),
  DATE32,
  timestamp('us'),
  UTF8_VIEW,
];
const COMPARISONS: readonly BinaryOperator[] = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM',
];

const cases: Case[] = [];
const add = (
  name: string,
  columns: readonly DataType[],
  make: (columns: readonly PhysicalExpr[], random: Random) => PhysicalExpr,
  emitted = true,
): void => {
  cases.push({ name, columns, make, emitted });
};

for (const type of COMPARED) {
  const shown = typeName(type);
  for (const op of COMPARISONS) {
    add(`${op} on ${shown}`, [type, type], ([a, b], random) => physicalBinary(a!, op, orLiteral(b!, random)));
  }
  add(`IN on ${shown}`, [type], ([a], random) => {
    const list = Array.from({ length: 1 + random.below(6) }, () => randomLiteral(type, random));
    return { kind: 'in_list', expr: a!, list, negated: random.chance(0.5), ...bool };
  });
  add(`IS NULL on ${shown}`, [type], ([a], random) => ({
    kind: 'is_null',
    expr: a!,
    negated: random.chance(0.5),
    type: BOOLEAN,
    nullable: false,
  }));
  add(`CASE giving ${shown}`, [BOOLEAN, type, type], ([a, b, c], random) => ({
    kind: 'case',
    operand: null,
    branches: [{ when: a!, then: orLiteral(b!, random) }],
    otherwise: random.chance(0.3) ? null : c!,
    type,
    nullable: true,
  }));
  add(`CASE of ${shown}`, [type, type], ([a, b], random) => ({
    kind: 'case',
    operand: a!,
    branches: [
      { when: randomLiteral(type, random), then: lit(INT64, 1n) },
      { when: b!, then: lit(INT64, 2n) },
    ],
    otherwise: lit(INT64, 3n),
    type: INT64,
    nullable: true,
  }));
  add(`coalesce on ${shown}`, [type, type], ([a, b], random) => call('coalesce', a!, orLiteral(b!, random)));
  add(`nullif on ${shown}`, [type, type], ([a, b], random) => call('nullif', a!, orLiteral(b!, random)));
}

const ARITHMETIC: readonly BinaryOperator[] = ['+', '-', '*', '/', '%'];
for (const type of [INT8, INT16, INT32, INT64, UINT8, UINT32, UINT64, FLOAT32, FLOAT64]) {
  const shown = typeName(type);
  const isFloat = type === FLOAT32 || type === FLOAT64;
  for (const op of ARITHMETIC) {
    const emitted = type !== UINT64 && !(isFloat && op === '%');
    add(`${op} on ${shown}`, [type, type], ([a, b], random) => physicalBinary(a!, op, orLiteral(b!, random)), emitted);
  }
  add(`negative of ${shown}`, [type], ([a]) => ({ kind: 'negative', expr: a!, type, nullable: true }), type !== UINT64);
  add(`abs of ${shown}`, [type], ([a]) => call('abs', a!), type !== UINT64);
}
for (const [left, right] of [
  [decimal(15, 2), decimal(15, 2)],
  [decimal(20, 0), decimal(15, 2)],
  [decimal(23, 2), decimal(15, 4)],
  [decimal(38, 4), decimal(38, 6)],
] as const) {
  for (const op of ARITHMETIC) {
    const name = `${op} on ${typeName(left)} and ${typeName(right)}`;
    add(name, [left, right], ([a, b], random) => physicalBinary(a!, op, orLiteral(b!, random)));
  }
}
for (const op of ['AND', 'OR'] as const) {
  add(op, [BOOLEAN, BOOLEAN], ([a, b], random) => physicalBinary(a!, op, orLiteral(b!, random)));
  add(`${op} of comparisons`, [INT64, FLOAT64], ([a, b], random) =>
    physicalBinary(
      physicalBinary(a!, '<', randomLiteral(INT64, random)),
      op,
      physicalBinary(b!, '>=', randomLiteral(FLOAT64, random)),
    ),
  );
  add(`${op} guarding a division`, [INT64, INT64], ([a, b]) =>
    physicalBinary(
      physicalBinary(b!, op === 'AND' ? '!=' : '=', lit(INT64, 0n)),
      op,
      physicalBinary(physicalBinary(a!, '/', b!), '>', lit(INT64, 1n)),
    ),
  );
  add(
    `${op} with an interpreted right side`,
    [UTF8_VIEW, UTF8_VIEW],
    ([a, b]) =>
      physicalBinary(physicalBinary(a!, '=', lit(UTF8_VIEW, 'ab')), op, physicalBinary(call('upper', b!), '=', a!)),
    false,
  );
}
add('NOT', [BOOLEAN], ([a]) => physicalNot(a!));

const NUMBERS: readonly DataType[] = [
  INT8,
  INT16,
  INT32,
  INT64,
  UINT8,
  UINT32,
  FLOAT32,
  FLOAT64,
  decimal(9, 2),
  decimal(15, 2),
  decimal(30, 15),
  decimal(38, 0),
];
for (const from of NUMBERS) {
  for (const to of NUMBERS) {
    if (from === to) continue;
    add(`CAST ${typeName(from)} to ${typeName(to)}`, [from], ([a]) => physicalCast(a!, to));
  }
  add(`TRY_CAST ${typeName(from)} to Int32`, [from], ([a]) => physicalCast(a!, INT32, true), from === INT32);
  add(`CAST ${typeName(from)} to Utf8View`, [from], ([a]) => physicalCast(a!, UTF8_VIEW), false);
}
add('CAST Boolean to Int64', [BOOLEAN], ([a]) => physicalCast(a!, INT64));
add('CAST Int32 to Boolean', [INT32], ([a]) => physicalCast(a!, BOOLEAN));
add('CAST Date32 to Timestamp(ns)', [DATE32], ([a]) => physicalCast(a!, timestamp('ns')));
add('CAST Date32 to Timestamp(s)', [DATE32], ([a]) => physicalCast(a!, timestamp('s')));
add('CAST Timestamp(us) to Date32', [timestamp('us')], ([a]) => physicalCast(a!, DATE32));
add('CAST Timestamp(us) to Timestamp(s)', [timestamp('us')], ([a]) => physicalCast(a!, timestamp('s')));
add('CAST Timestamp(s) to Timestamp(ns)', [timestamp('s')], ([a]) => physicalCast(a!, timestamp('ns')));
add('CAST Utf8View to Date32', [UTF8_VIEW], ([a]) => physicalCast(a!, DATE32, true), false);

for (const op of ['+', '-'] as const) {
  add(`Date32 ${op} interval`, [DATE32], ([a], random) =>
    physicalBinary(a!, op, lit(INTERVAL, randomValue(INTERVAL, random))),
  );
  add(`Timestamp ${op} interval`, [timestamp('ns')], ([a], random) =>
    physicalBinary(a!, op, lit(INTERVAL, { months: 0, days: random.below(10), nanos: BigInt(random.below(1000)) })),
  );
}
add('Date32 - Date32', [DATE32, DATE32], ([a, b]) => physicalBinary(a!, '-', b!));
add('Timestamp - Timestamp', [timestamp('us'), timestamp('us')], ([a, b]) => physicalBinary(a!, '-', b!));
for (const part of ['YEAR', 'QUARTER', 'MONTH', 'DAY', 'DOY', 'DOW', 'WEEK', 'HOUR', 'EPOCH']) {
  const emitted = !['WEEK', 'HOUR', 'EPOCH'].includes(part);
  add(`date_part ${part} of Date32`, [DATE32], ([a]) => call('date_part', lit(UTF8_VIEW, part), a!), emitted);
  add(
    `date_part ${part} of Timestamp`,
    [timestamp('ns')],
    ([a]) => call('date_part', lit(UTF8_VIEW, part), a!),
    emitted,
  );
}

const PATTERNS = ['a%', '%b', '%a%', 'a_c', '%X%X%', '', '%', '_%', '%é%', '_', 'special%', '%_b', 'a\\%b', '%%x%'];
add('LIKE', [UTF8_VIEW], ([a], random) => ({
  kind: 'like',
  expr: a!,
  pattern: lit(UTF8_VIEW, random.pick(PATTERNS)),
  negated: random.chance(0.3),
  caseInsensitive: false,
  escape: '\\',
  ...bool,
}));
add(
  'ILIKE',
  [UTF8_VIEW],
  ([a], random) => ({
    kind: 'like',
    expr: a!,
    pattern: lit(UTF8_VIEW, random.pick(PATTERNS).toUpperCase()),
    negated: false,
    caseInsensitive: true,
    escape: '\\',
    ...bool,
  }),
  false,
);
add('substr', [UTF8_VIEW, INT64, INT64], ([a, b, c], random) =>
  random.chance(0.5) ? call('substr', a!, orLiteral(b!, random), call('abs', c!)) : call('substr', a!, b!),
);
add('substr with any length', [UTF8_VIEW], ([a], random) =>
  call('substr', a!, lit(INT64, BigInt(random.below(9) - 3)), lit(INT64, BigInt(random.below(9) - 2))),
);
add('character_length', [UTF8_VIEW], ([a]) => call('character_length', a!));
add('starts_with', [UTF8_VIEW, UTF8_VIEW], ([a, b], random) => call('starts_with', a!, orLiteral(b!, random)));
for (const name of ['upper', 'lower', 'btrim', 'ltrim', 'rtrim']) {
  add(name, [UTF8_VIEW], ([a]) => call(name, a!), false);
}
add('||', [UTF8_VIEW, UTF8_VIEW], ([a, b], random) => physicalBinary(a!, '||', orLiteral(b!, random)), false);
add('concat', [UTF8_VIEW, INT32], ([a, b]) => call('concat', a!, b!), false);
add('strpos', [UTF8_VIEW, UTF8_VIEW], ([a, b]) => call('strpos', a!, b!), false);
for (const type of [FLOAT64, FLOAT32, INT64, decimal(15, 2)]) {
  add(
    `round of ${typeName(type)}`,
    [type],
    ([a], random) => call('round', a!, lit(INT64, BigInt(random.below(5) - 2))),
    false,
  );
}
add('TPC-H charge', [decimal(15, 2), decimal(15, 2), decimal(15, 2)], ([price, discount, tax]) => {
  const one = lit(decimal(20, 0), 1n);
  const discounted = physicalBinary(price!, '*', physicalBinary(one, '-', discount!));
  return physicalBinary(discounted, '*', physicalBinary(one, '+', tax!));
});

/** A decimal constant of more than 63 bits, which emitted code does not hold. */
function hasWideLiteral(expr: PhysicalExpr): boolean {
  let wide = false;
  visitPhysical(expr, (part) => {
    if (part.kind !== 'literal' || typeof part.value.value !== 'bigint' || part.type.kind !== 'Decimal128') return;
    wide ||= BigInt.asIntN(64, part.value.value) !== part.value.value;
  });
  return wide;
}

interface Made {
  readonly batch: RecordBatch;
  readonly arena: Arena;
}

function makeBatch(types: readonly DataType[], random: Random): Made {
  const arena = new Arena();
  const rows = random.chance(0.1) ? random.below(3) : 1 + random.below(ROWS * 2);
  const schema = new Schema(types.map((type, i) => field('abc'.charAt(i), type)));
  const columns = types.map((type) => randomColumn(type, randomValues(type, rows, true, random), arena, random));
  const batch = new RecordBatch(schema, columns, rows);
  const chosen = randomSelection(rows, random);
  if (chosen === undefined) return { batch, arena };
  const selection = arena.alloc(chosen.length * 4);
  for (const [i, row] of chosen.entries()) heap.u32[(selection >>> 2) + i] = row;
  return { batch: batch.withSelection(selection, chosen.length), arena };
}

function selectedValues(batch: RecordBatch, column: Column): ScalarValue['value'][] {
  return Array.from({ length: batch.numRows }, (_, i) =>
    valueAt(column, batch.selection === 0 ? i : heap.u32[(batch.selection >>> 2) + i]!),
  );
}

/** The error of an evaluation; one of kind `internal` (a difference, a trap) fails the test at once. */
function executionError(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    const typed = asDistqError(error);
    if (typed.kind !== 'execution') throw error;
    return typed.message;
  }
}

test(`emitted code equals the interpreter (seed ${SEED})`, async (t) => {
  for (const [index, { name, columns, make, emitted }] of cases.entries()) {
    await t.test(name, () => {
      const random = new Random(SEED + index * 7919);
      const inputs = columns.map(
        (type, i): PhysicalExpr => ({
          kind: 'column',
          name: 'abc'.charAt(i),
          index: i,
          type,
          nullable: true,
        }),
      );
      let rows = 0;
      let expr = make(inputs, random);
      for (let n = 0; n < BATCHES || rows < MIN_ROWS; n++) {
        // One expression for several batches: modules are made per expression and shape of its inputs.
        if (n % 10 === 0) expr = make(inputs, random);
        if (n === 0 && !hasWideLiteral(expr)) {
          assert.equal(planEmission([expr]).hoisted.length === 0, emitted, 'who evaluates it');
        }
        const { batch, arena } = makeBatch(columns, random);
        rows += batch.numRows;
        let results: Column[] | undefined;
        const failure = executionError(() => {
          results = both.projection([expr, expr]).evaluate(batch, arena);
        });
        if (expr.type.kind === 'Boolean') {
          const filterFailure = executionError(() => both.filter(expr).filter(batch, arena));
          if (failure === undefined) assert.equal(filterFailure, undefined);
        }
        // Over a selection = over the compacted rows: dead slots can neither change a result nor fail it.
        const dense = compact(batch, arena);
        let expected: Column[] | undefined;
        const denseFailure = executionError(() => {
          expected = interpreter.projection([expr]).evaluate(dense, arena);
        });
        assert.equal(failure, denseFailure, displayPhysicalExpr(expr));
        if (results !== undefined && expected !== undefined) {
          assert.deepEqual(
            selectedValues(batch, results[0]!),
            selectedValues(dense, expected[0]!),
            displayPhysicalExpr(expr),
          );
        }
        arena.free();
      }
    });
  }
});
