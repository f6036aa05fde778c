import type { ScalarValue } from '../../../columnar/scalar-value.js';
import { KnownConstants } from '../expressions/known-constants.js';
import type { PlanLine } from '../plan-line.js';
import { type CallText, callsOf, callText } from './call-texts.js';
import { nameOfDisplay } from './name-of-display.js';
import { splitList } from './split-list.js';
import { typedConstantsAt } from './typed-constant.js';

/** An Aggregate or WindowAggr of the logical plan: its calls, in the order of their fields. */
export type CallList = readonly CallText[];

/**
 * What the logical plan tells that the physical one leaves out: the types of constants and the arguments of calls. Empty where the text
 * has no logical plan.
 */
export class LogicalFacts {
  readonly isPresent: boolean;
  readonly constants: KnownConstants;
  /** Whether a join of the query itself keeps only its right side. */
  readonly hasRightJoins: boolean;
  readonly aggregates: readonly CallList[];
  readonly windows: readonly CallList[];

  /** What `__common_expr_1` and its like, computed once for several places, are called where they are used. */
  readonly commonNames: ReadonlyMap<string, string>;

  constructor(lines: readonly PlanLine[]) {
    this.isPresent = lines.length > 0;
    this.hasRightJoins = lines.some(({ text }) => /^Right(Semi|Anti|Mark) Join/.test(text));
    this.constants = new KnownConstants(lines.flatMap(({ text }) => constantsIn(text)));
    this.aggregates = lines.flatMap((line) => callsOf(line, 'Aggregate: ', 'aggr=[['));
    this.commonNames = commonNames(lines);
    this.windows = lines.flatMap((line) => callsOf(line, 'WindowAggr: ', 'windowExpr=[['));
  }
}

function constantsIn(text: string): ScalarValue[] {
  const found: ScalarValue[] = [];
  for (const { index } of text.matchAll(/[A-Z][A-Za-z0-9]*\(/g)) {
    const [constant] = typedConstantsAt(text, index);
    if (constant !== undefined) found.push(constant.value);
  }
  return found;
}

function commonNames(lines: readonly PlanLine[]): Map<string, string> {
  const names = new Map<string, string>();
  const node = 'Projection: ';
  for (const line of lines) {
    if (!line.text.startsWith(node)) continue;
    for (const { from, to } of splitList(line.text, node.length, line.text.length)) {
      const { call, alias } = callText(line, from, to);
      if (alias === null || !/^__common_expr_\d+$/.test(alias)) continue;
      names.set(alias, nameOfDisplay(line.text.slice(call.from, call.to)));
    }
  }
  return names;
}
