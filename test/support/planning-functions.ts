/**
 * The session's functions, and for names it does not have (yet) stand-ins that can be bound and typed but not run: tests of parsing and
 * planning must not wait for execution.
 */
import { notImplemented } from '../../src/base/errors.js';
import { type DataType, FLOAT64, INT64, UTF8_VIEW } from '../../src/columnar/data-type.js';
import type { AggregateFunction, FunctionRegistry, ScalarFunction } from '../../src/expr/function.js';
import { createFunctionRegistry } from '../../src/functions/index.js';

type ReturnType = (argTypes: readonly DataType[]) => DataType;

const firstArg: ReturnType = ([type = INT64]) => type;
const doc = { summary: 'A stand-in for tests.', example: { sql: 'SELECT 1', result: '1' } };

function scalarStandIn(name: string, returnType: ReturnType, aliases: readonly string[] = []): ScalarFunction {
  return {
    name,
    aliases,
    volatility: 'immutable',
    doc,
    coerce: (types) => [...types],
    returnType,
    strict: true,
    evaluate: () => {
      throw notImplemented(name);
    },
  };
}

function aggregateStandIn(name: string, returnType: ReturnType, aliases: readonly string[] = []): AggregateFunction {
  return {
    name,
    aliases,
    doc,
    coerce: (types) => [...types],
    returnType,
    nullable: true,
    stateFields: () => [],
    orderSensitive: false,
    ...(name === 'percentile_cont' ? { orderedSet: true } : {}),
    createAccumulator: () => {
      throw notImplemented(name);
    },
  };
}

const SCALARS: readonly ScalarFunction[] = [
  scalarStandIn('abs', firstArg),
  scalarStandIn('ceil', firstArg),
  scalarStandIn('floor', firstArg),
  scalarStandIn('date_trunc', ([, type = INT64]) => type, ['datetrunc']),
  scalarStandIn('to_timestamp_seconds', () => ({ kind: 'Timestamp', unit: 's', timezone: null })),
  {
    ...scalarStandIn('regexp_replace', firstArg),
    coerce: ([text = UTF8_VIEW, ...others]) => [text, ...others.map(() => text)],
  },
  scalarStandIn('now', () => ({ kind: 'Timestamp', unit: 'ns', timezone: null }), ['current_timestamp']),
  scalarStandIn('overlay', () => UTF8_VIEW),
  scalarStandIn('lpad', () => UTF8_VIEW),
];

const AGGREGATES: readonly AggregateFunction[] = [
  aggregateStandIn('stddev', () => FLOAT64, ['stddev_samp']),
  aggregateStandIn('first_value', firstArg),
  aggregateStandIn('percentile_cont', () => FLOAT64, ['quantile_cont']),
  aggregateStandIn('string_agg', () => UTF8_VIEW),
];

export function planningFunctions(): FunctionRegistry {
  const real = createFunctionRegistry();
  const find = <T extends ScalarFunction | AggregateFunction>(all: readonly T[], name: string): T | undefined =>
    all.find((func) => func.name === name.toLowerCase() || func.aliases.includes(name.toLowerCase()));
  return {
    scalar: (name) => real.scalar(name) ?? find(SCALARS, name),
    aggregate: (name) => real.aggregate(name) ?? find(AGGREGATES, name),
    window: (name) => real.window(name),
    names: () => [...real.names(), ...[...SCALARS, ...AGGREGATES].map((func) => func.name)],
  };
}
