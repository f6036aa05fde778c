import type { JoinType } from '../../../expr/join-type.js';
import type { PhysicalExpr } from '../../../expr/physical-expr.js';
import type { ExecutionPlan } from '../../../physical/execution-plan.js';
import { JOIN_TYPES } from '../../../physical/operators/join-schema.js';
import { ExprReader } from '../expressions/expr-reader.js';
import { PhysicalDialect } from '../expressions/physical-dialect.js';
import type { LineReader } from '../line-reader.js';
import type { ReadContext } from '../read-context.js';

export function readJoinType(line: LineReader): JoinType {
  line.expect('join_type=');
  return line.choice(JOIN_TYPES, 'join type');
}

type KeyPair = readonly [PhysicalExpr, PhysicalExpr];

/** `on=[(a@0, b@1), (c@1, d@2)]` at the line's position. */
export function readJoinKeys(
  line: LineReader,
  [left, right]: readonly [ExecutionPlan, ExecutionPlan],
  context: ReadContext,
): KeyPair[] {
  line.expect('on=[');
  const text = line.text.slice(0, line.limit);
  const readerOver = ({ schema }: ExecutionPlan): ExprReader =>
    new ExprReader(line.line, line.limit, new PhysicalDialect(text, schema, context.constants), context);
  const leftReader = readerOver(left);
  const rightReader = readerOver(right);
  const keys: KeyPair[] = [];
  do {
    line.expect('(');
    const a = readKey(leftReader, line, ', ');
    const b = readKey(rightReader, line, ')');
    if (a.type.kind !== b.type.kind) {
      throw line.error(
        'the two keys have different types',
        line.position - 1,
        'compare keys of one type, as DataFusion prints them',
      );
    }
    keys.push([a, b]);
  } while (line.take(', '));
  line.expect(']');
  return keys;
}

/** An expression that ends before `follower`, which is passed over. */
function readKey(reader: ExprReader, line: LineReader, follower: string): PhysicalExpr {
  for (const { reading, end } of reader.alternatives(line.position, 0, null)) {
    if (!line.text.startsWith(follower, end)) continue;
    const expr = reader.settle(reading, null, line.position);
    if (expr === undefined) continue;
    line.position = end + follower.length;
    return expr;
  }
  throw reader.error(line.position);
}
