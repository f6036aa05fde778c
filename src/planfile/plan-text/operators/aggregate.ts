import { scalar } from '../../../columnar/scalar-value.js';
import { BOOLEAN } from '../../../columnar/data-type.js';
import { type PhysicalExpr, physicalLiteral } from '../../../expr/physical-expr.js';
import { groupByColumns, type PhysicalAggregateExpr, type PhysicalGroupBy } from '../../../physical/aggregate-expr.js';
import { emitsStates, isFirstStage } from '../../../physical/aggregate-mode.js';
import type { ProjectedExpr } from '../../../physical/equivalence.js';
import type { ExecutionPlan } from '../../../physical/execution-plan.js';
import { AggregateExec } from '../../../physical/operators/aggregate-exec.js';
import { readNamedExprs, type Slice } from '../expressions/read.js';
import type { LineReader } from '../line-reader.js';
import { lineError } from '../plan-line.js';
import type { ReadContext } from '../read-context.js';
import { aggregateEntries, firstStageAggregates } from './aggregate-calls.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

const MODES = ['Partial', 'PartialReduce', 'FinalPartitioned', 'Final', 'SinglePartitioned', 'Single'] as const;

/** `AggregateExec: mode=M, gby=[a@0 as a], aggr=[sum(t.b)], lim=[10], ordering_mode=Sorted` */
export const aggregateReader: OperatorReader = {
  name: 'AggregateExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': mode=');
    const mode = line.choice(MODES, 'mode');
    line.expect(', gby=[');
    const keys = line.until('], aggr=[');
    // What follows from the input's order.
    line.takeEnd(/, ordering_mode=(?:Sorted|PartiallySorted\(\[[\d, ]*\]\))$/);
    const limit = line.takeEnd(/, lim=\[(\d+)\]$/);
    if (line.takeEnd(/\]$/) === null) throw line.error('"]" is missing: the line is cut short', line.limit);
    const groupBy = readGroupBy(keys, input, context);
    const calls = line.rest();
    const aggregates = isFirstStage(mode)
      ? firstStageAggregates(calls, input.schema, context)
      : laterStageAggregates(calls, input, line, context);
    return new AggregateExec(mode, groupBy, aggregates, input, {
      limit: limit === null ? null : { count: Number(limit[1]), descending: null },
    });
  },
};

/** The calls of the stage whose states are read, under this line's texts. */
function laterStageAggregates(
  slice: Slice,
  input: ExecutionPlan,
  line: LineReader,
  context: ReadContext,
): PhysicalAggregateExpr[] {
  const below = stageBelow(input);
  if (below === undefined) {
    throw line.error(
      'no AggregateExec below it gives the states that this one reads',
      0,
      'put one with mode=Partial below it',
    );
  }
  for (const { entries } of aggregateEntries(slice, context)) {
    if (entries.length !== below.aggregates.length) continue;
    if (entries.every(({ name }, i) => name === below.aggregates[i]?.name)) {
      return below.aggregates.map((aggregate, i) => ({ ...aggregate, text: entries[i]?.text ?? aggregate.text }));
    }
  }
  throw line.error(
    'its aggregates are not those of the AggregateExec below it',
    slice.from,
    'both stages have the same aggregates',
  );
}

function stageBelow(plan: ExecutionPlan): AggregateExec | undefined {
  if (plan instanceof AggregateExec) return emitsStates(plan.mode) ? plan : undefined;
  const [input] = plan.children;
  return input === undefined ? undefined : stageBelow(input);
}

function readGroupBy(slice: Slice, { schema }: ExecutionPlan, context: ReadContext): PhysicalGroupBy {
  const { line, from, to } = slice;
  if (
    line.text.charAt(from) !== '(' ||
    !line.text.slice(0, to).endsWith(')') ||
    !/^\((NULL as |\))|\), \(/.test(line.text.slice(from, to))
  ) {
    return groupByColumns(readNamedExprs(slice, schema, context));
  }
  return groupingSets(groupTexts(slice), schema, context);
}

/** The insides of `(a@0 as a, NULL as b), (…)`. */
function groupTexts({ line, from, to }: Slice): Slice[] {
  const groups: Slice[] = [];
  let start = from + 1;
  for (;;) {
    const next = line.text.slice(0, to).indexOf('), (', start);
    if (next < 0) break;
    groups.push({ line, from: start, to: next });
    start = next + 4;
  }
  return [...groups, { line, from: start, to: to - 1 }];
}

/** A key that a set leaves out is a NULL in it; another set tells what it is. */
function groupingSets(
  slices: readonly Slice[],
  schema: ExecutionPlan['schema'],
  context: ReadContext,
): PhysicalGroupBy {
  const sets = slices.map((slice) => readNamedExprs(slice, schema, context));
  const [first = []] = sets;
  for (const [i, { line, from }] of slices.entries()) {
    if (sets[i]?.length === first.length) continue;
    throw lineError(
      line,
      from,
      'the grouping sets have different numbers of keys',
      'a key that a set leaves out is NULL in it',
    );
  }
  const exprs = first.map(({ name }, i): ProjectedExpr => {
    const key = sets.map((set) => set[i]?.expr).find((expr) => expr !== undefined && !isNull(expr));
    if (key !== undefined) return { name, expr: key };
    for (const { line } of slices.slice(0, 1)) context.doubt(line, `every grouping set leaves its key ${name} out`);
    return { name, expr: physicalLiteral(scalar(BOOLEAN, null)) };
  });
  return {
    exprs,
    nullExprs: exprs.map(({ expr, name }) => ({ expr: physicalLiteral(scalar(expr.type, null)), name })),
    groups: sets.map((set) => set.map(({ expr }) => isNull(expr))),
  };
}

function isNull(expr: PhysicalExpr): boolean {
  return expr.kind === 'literal' && expr.value.value === null;
}
