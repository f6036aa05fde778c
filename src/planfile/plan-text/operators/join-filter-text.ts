import { BOOLEAN } from '../../../columnar/data-type.js';
import type { Schema } from '../../../columnar/schema.js';
import { isComparison, isLogicalOperator, swappedComparison } from '../../../expr/operators.js';
import type { JoinType } from '../../../expr/join-type.js';
import type { PhysicalExpr } from '../../../expr/physical-expr.js';
import { conjuncts, physicalExprKey, transformPhysical } from '../../../expr/physical-expr-transform.js';
import { type JoinColumn, type JoinFilter, joinFilterSchema } from '../../../physical/operators/join-filter.js';
import { readExpr, type Slice } from '../expressions/read.js';
import { lineError } from '../plan-line.js';
import type { ReadContext } from '../read-context.js';

const MOST_ASSIGNMENTS = 5000;

/**
 * A join's `filter=`: its columns are numbered in a schema of their own, made of the columns it needs, the left side's first (the right
 * side's where the planner exchanged the sides). Names tell which they are, as far as they differ.
 */
export function readJoinFilter(
  slice: Slice,
  left: Schema,
  right: Schema,
  joinType: JoinType,
  context: ReadContext,
): JoinFilter {
  const names = namesByNumber(slice, left, right);
  const choices = names.map((name) => columnsCalled(name, left, right));
  const found = distinctMeanings(assignments(choices, joinType), slice, left, right, context);
  const [first] = found;
  if (first === undefined) {
    throw lineError(
      slice.line,
      slice.from,
      'the columns of the filter are not those of the two inputs',
      'name columns of the inputs, numbered from 0',
    );
  }
  if (found.length > 1 && !sidesAreTold(joinType, context)) {
    context.doubt(slice.line, 'both inputs have the columns that its filter names');
  }
  return { ...first, expr: readExpr(slice, first.schema, BOOLEAN, context) };
}

/** The names of the columns 0, 1, … that the text shows. */
function namesByNumber({ line, from, to }: Slice, left: Schema, right: Schema): string[] {
  const known = [...left.fields, ...right.fields].map(({ name }) => name);
  const names: (string | undefined)[] = [];
  for (const { index: at, 1: digits = '' } of line.text.slice(0, to).matchAll(/@(\d+)/g)) {
    if (at < from) continue;
    const name = longestEnding(line.text.slice(from, at), known);
    if (name === undefined) continue;
    const number = Number(digits);
    if (number >= known.length || (names[number] !== undefined && names[number] !== name)) {
      const shown = `${name}@${digits}`;
      const message =
        number >= known.length
          ? `there is no ${shown}: the inputs have ${known.length} columns`
          : `column ${digits} of the filter has two names`;
      throw lineError(line, at - name.length, message, 'a filter numbers the columns it uses from 0');
    }
    names[number] = name;
  }
  return Array.from(names, (name) => {
    if (name !== undefined) return name;
    throw lineError(
      line,
      from,
      'a filter numbers the columns it uses from 0, and one is missing',
      'number them without gaps',
    );
  });
}

function longestEnding(text: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  for (const name of names) {
    if (name === '' || !text.endsWith(name) || (best !== undefined && best.length >= name.length)) continue;
    if (!/[\w$]/.test(text.charAt(text.length - name.length - 1))) best = name;
  }
  return best;
}

function columnsCalled(name: string, left: Schema, right: Schema): JoinColumn[] {
  const of = (side: JoinColumn['side'], schema: Schema): JoinColumn[] =>
    schema.fields.flatMap((field, index) => (field.name === name ? [{ side, index }] : []));
  return [...of('left', left), ...of('right', right)];
}

/** Choices in which each side's columns ascend and stand together, the planner's own order first. */
function assignments(choices: readonly (readonly JoinColumn[])[], joinType: JoinType): JoinColumn[][] {
  const exchanged = joinType.startsWith('Right') && joinType !== 'Right';
  const found: JoinColumn[][] = [];
  let tried = 0;
  for (const first of exchanged ? (['right', 'left'] as const) : (['left', 'right'] as const)) {
    const from = (number: number, columns: readonly JoinColumn[]): void => {
      const options = choices[number];
      if (options === undefined) {
        found.push([...columns]);
        return;
      }
      const last = columns.at(-1);
      for (const option of options) {
        if (tried++ > MOST_ASSIGNMENTS) return;
        const follows =
          last === undefined || (option.side === last.side ? option.index > last.index : last.side === first);
        if (follows) from(number + 1, [...columns, option]);
      }
    };
    from(0, []);
  }
  return found;
}

type Assigned = Pick<JoinFilter, 'columns' | 'schema'>;

/** The assignments under which the filter says different things. */
function distinctMeanings(
  found: readonly JoinColumn[][],
  slice: Slice,
  left: Schema,
  right: Schema,
  context: ReadContext,
): Assigned[] {
  const byMeaning = new Map<string, Assigned>();
  for (const columns of found) {
    const schema = joinFilterSchema(columns, left, right);
    if (found.length === 1) return [{ columns, schema }];
    let meaning: string;
    try {
      const expr = readExpr(slice, schema, BOOLEAN, { ...context, doubt: () => undefined });
      meaning = meaningOf(expr, columns);
    } catch {
      continue;
    }
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, { columns, schema });
  }
  return [...byMeaning.values()];
}

/** A key that is the same for filters that only exchange the sides of comparisons. */
function meaningOf(expr: PhysicalExpr, columns: readonly JoinColumn[]): string {
  const placed = transformPhysical(expr, (node) => {
    if (node.kind === 'column') {
      const column = columns[node.index];
      if (column === undefined) return node;
      return { ...node, name: column.side, index: column.index * 2 + (column.side === 'left' ? 0 : 1) };
    }
    return node;
  });
  return conjuncts(placed)
    .map((part) => commutedKey(part))
    .sort()
    .join(' AND ');
}

function commutedKey(expr: PhysicalExpr): string {
  if (expr.kind !== 'binary') return physicalExprKey(expr);
  if (isLogicalOperator(expr.op)) return [commutedKey(expr.left), commutedKey(expr.right)].sort().join(` ${expr.op} `);
  const swapped = isComparison(expr.op) ? swappedComparison(expr.op) : undefined;
  const [left, right] = [physicalExprKey(expr.left), physicalExprKey(expr.right)];
  return swapped !== undefined && right < left ? `${right} ${swapped} ${left}` : `${left} ${expr.op} ${right}`;
}

/** A semi, anti or mark join that keeps its right side is one that SQL wrote the other way round, unless it can write it so itself. */
function sidesAreTold(joinType: JoinType, { logical }: ReadContext): boolean {
  if (!/Semi|Anti|Mark/.test(joinType)) return false;
  return logical.isPresent && !logical.hasRightJoins;
}
