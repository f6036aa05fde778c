import { DistqError } from '../../../base/errors.js';
import { visitPhysical } from '../../../expr/physical-expr-transform.js';
import { parseTypeName } from '../../../expr/parse-type.js';
import type { PhysicalExpr } from '../../../expr/physical-expr.js';
import type { ExecutionPlan } from '../../../physical/execution-plan.js';
import { BoundedWindowAggExec } from '../../../physical/operators/bounded-window-agg-exec.js';
import { WindowAggExec } from '../../../physical/operators/window-agg-exec.js';
import type { Windows } from '../../../physical/operators/window-keys.js';
import type { PhysicalWindowExpr } from '../../../physical/window-expr.js';
import { fittingWindow } from '../../../physical/window-operator.js';
import type { Slice } from '../expressions/read.js';
import type { LineReader } from '../line-reader.js';
import type { CallText } from '../logical/call-texts.js';
import { logicalColumns } from '../logical/logical-columns.js';
import { nameOfDisplay } from '../logical/name-of-display.js';
import { readWindowCall, type WindowCall } from '../logical/read-window.js';
import type { ReadContext } from '../read-context.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `BoundedWindowAggExec: wdw=[NAME: Field { "NAME": nullable Int64 }, frame: RANGE BETWEEN … AND …], mode=[Sorted]` */
export const boundedWindowAggReader: OperatorReader = {
  name: 'BoundedWindowAggExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': wdw=[');
    const mode = line.takeEnd(/\], mode=\[(\w+).*\]$/);
    if (mode === null) throw line.error('mode= is missing: the line is cut short', line.limit);
    if (mode[1] !== 'Sorted') {
      throw line.error(
        `windows in the mode ${mode[1] ?? ''} are for inputs without an end`,
        mode.index,
        'give the query as SQL',
      );
    }
    const windows = readWindows(line, ENTRY_OF_BOUNDED, input, context);
    const plan = new BoundedWindowAggExec(windows, input, canSpread(context));
    return asPrinted(plan, input, line);
  },
};

/** `WindowAggExec: wdw=[NAME: Ok(Field { name: "NAME", data_type: Int64, nullable: true }), frame: WindowFrame { … }]` */
export const windowAggReader: OperatorReader = {
  name: 'WindowAggExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': wdw=[');
    if (line.takeEnd(/\]$/) === null) throw line.error('"]" is missing: the line is cut short', line.limit);
    const windows = readWindows(line, ENTRY_OF_UNBOUNDED, input, context);
    const plan = new WindowAggExec(windows, input, canSpread(context));
    return asPrinted(plan, input, line);
  },
};

/** What follows the name; it repeats the name in quotes, which is how its end is found. */
interface EntryForm {
  readonly open: string;
  /** Sticky, behind the quoted name: the type, and whether it may be null. */
  readonly field: RegExp;
  readonly typeOf: (field: RegExpExecArray) => { readonly type: string; readonly nullable: boolean };
}

const ENTRY_OF_BOUNDED: EntryForm = {
  open: ': Field { "',
  field:
    /": (nullable )?(.+?) \}, frame: \w+ BETWEEN (?:CURRENT ROW|.+? (?:PRECEDING|FOLLOWING)) AND (?:CURRENT ROW|.+? (?:PRECEDING|FOLLOWING))/y,
  typeOf: ([, nullable, type = '']) => ({ type, nullable: nullable !== undefined }),
};

const ENTRY_OF_UNBOUNDED: EntryForm = {
  open: ': Ok(Field { name: "',
  field: /", data_type: (.+?)(, nullable: true)? \}\), frame: WindowFrame \{ .+? is_causal: (?:true|false) \}/y,
  typeOf: ([, type = '', nullable]) => ({ type, nullable: nullable !== undefined }),
};

function canSpread({ config }: ReadContext): boolean {
  return config.get('execution.target_partitions') > 1 && config.get('optimizer.repartition_windows');
}

/** The operator, turned round where the order of its input made DataFusion do so: the frames that are printed tell. */
function asPrinted(plan: BoundedWindowAggExec | WindowAggExec, input: ExecutionPlan, line: LineReader): ExecutionPlan {
  const fitting = fittingWindow(plan, input);
  if (fitting === undefined || fitting.name !== plan.name) return plan;
  return fitting.describe() === line.text ? fitting : plan;
}

function readWindows(line: LineReader, form: EntryForm, input: ExecutionPlan, context: ReadContext): Windows {
  const first = readEntry(line, form, input, context);
  const rest: PhysicalWindowExpr[] = [];
  while (line.take(', ')) rest.push(readEntry(line, form, input, context));
  line.end();
  return [first, ...rest];
}

function readEntry(line: LineReader, form: EntryForm, input: ExecutionPlan, context: ReadContext): PhysicalWindowExpr {
  const start = line.position;
  const { text } = line;
  for (let at = text.indexOf(form.open, start); at >= 0; at = text.indexOf(form.open, at + 1)) {
    const name = text.slice(start, at);
    const inQuotes = quoted(name);
    if (!text.startsWith(`${inQuotes}"`, at + form.open.length)) continue;
    line.position = at + form.open.length + inQuotes.length;
    const field = line.match(form.field, 'the field and the frame of the window');
    const { type: typeText, nullable } = form.typeOf(field);
    const type = parseTypeName(typeText);
    if (type === undefined) throw line.error(`unknown type ${typeText}`, line.position - field[0].length);
    const call = callOf(name, { line: line.line, from: start, to: at }, input, context);
    return { ...call, reversed: false, name, type, nullable };
  }
  throw line.error('a window with its name, field and frame is expected here');
}

/** As the debug form of a text escapes it. */
function quoted(name: string): string {
  return name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** The call behind a name: as the logical plan has it, or else as far as the name tells. */
function callOf(name: string, place: Slice, input: ExecutionPlan, context: ReadContext): WindowCall {
  const columns = logicalColumns(input.schema, context.logical);
  let failure: DistqError | undefined;
  for (const candidate of context.logical.windows.flat()) {
    if (!isCalled(candidate, name)) continue;
    try {
      const { call, doubt } = readWindowCall(candidate.call, 'display', columns, context);
      if (doubt !== null) context.doubt(place.line, doubt);
      return call;
    } catch (error) {
      if (!(error instanceof DistqError) || error.kind === 'internal') throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  const { call, doubt } = readWindowCall(place, 'name', columns, context);
  const parts = [...call.args, ...call.partitionBy, ...call.orderBy.map(({ expr }) => expr)];
  if (doubt !== null || call.filter !== null || parts.some(computes)) {
    context.doubt(place.line, doubt ?? `the parts of ${name} are in the logical plan only`);
  }
  return call;
}

/** Blanks between arguments depend on the kind of function. */
function isCalled({ call, alias }: CallText, name: string): boolean {
  const text = alias ?? nameOfDisplay(call.line.text.slice(call.from, call.to));
  return text.replaceAll(', ', ',') === name.replaceAll(', ', ',');
}

function computes(expr: PhysicalExpr): boolean {
  let found = false;
  visitPhysical(expr, ({ kind }) => {
    if (kind !== 'column' && kind !== 'literal') found = true;
  });
  return found;
}
