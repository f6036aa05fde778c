import type { ExecutionPlan } from '../../../physical/execution-plan.js';
import { CrossJoinExec } from '../../../physical/operators/cross-join-exec.js';
import { HashJoinExec } from '../../../physical/operators/hash-join-exec.js';
import type { JoinFilter } from '../../../physical/operators/join-filter.js';
import { joinSchema } from '../../../physical/operators/join-schema.js';
import { NestedLoopJoinExec } from '../../../physical/operators/nested-loop-join-exec.js';
import type { JoinType } from '../../../expr/join-type.js';
import { readColumns } from '../expressions/read.js';
import type { LineReader } from '../line-reader.js';
import type { ReadContext } from '../read-context.js';
import { readJoinKeys, readJoinType } from './join-fields.js';
import { readJoinFilter } from './join-filter-text.js';
import { bothInputs, type OperatorReader } from './operator-reader.js';

/** `HashJoinExec: mode=M, join_type=T, on=[(a@0, b@1)], filter=F, projection=[a@0], NullsEqual: true, fetch=N, null_aware` */
export const hashJoinReader: OperatorReader = {
  name: 'HashJoinExec',
  inputs: 2,
  read(line, children, context) {
    const [left, right] = bothInputs(children);
    line.expect(': mode=');
    const mode = line.choice(['Partitioned', 'CollectLeft', 'Auto'], 'mode');
    line.expect(', ');
    const joinType = readJoinType(line);
    line.expect(', ');
    const on = readJoinKeys(line, [left, right], context);
    const nullAware = line.takeEnd(/, null_aware$/) !== null;
    const fetch = line.takeFetch();
    const nullEqualsNull = line.takeEnd(/, NullsEqual: true$/) !== null;
    const projection = readProjection(line, left, right, joinType);
    const filter = readFilter(line, left, right, joinType, context);
    return new HashJoinExec(left, right, on, joinType, mode, { filter, projection, nullEqualsNull, nullAware, fetch });
  },
};

/** `NestedLoopJoinExec: join_type=T, filter=F, projection=[a@0]` */
export const nestedLoopJoinReader: OperatorReader = {
  name: 'NestedLoopJoinExec',
  inputs: 2,
  read(line, children, context) {
    const [left, right] = bothInputs(children);
    line.expect(': ');
    const joinType = readJoinType(line);
    const projection = readProjection(line, left, right, joinType);
    const filter = readFilter(line, left, right, joinType, context);
    return new NestedLoopJoinExec(left, right, joinType, filter, projection);
  },
};

export const crossJoinReader: OperatorReader = {
  name: 'CrossJoinExec',
  inputs: 2,
  read(line, children) {
    line.end();
    const [left, right] = bothInputs(children);
    return new CrossJoinExec(left, right);
  },
};

function readProjection(
  line: LineReader,
  left: ExecutionPlan,
  right: ExecutionPlan,
  joinType: JoinType,
): number[] | null {
  const slice = line.takeEndList('projection');
  return slice === null ? null : readColumns(slice, joinSchema(left.schema, right.schema, joinType));
}

function readFilter(
  line: LineReader,
  left: ExecutionPlan,
  right: ExecutionPlan,
  joinType: JoinType,
  context: ReadContext,
): JoinFilter | null {
  if (line.isAtEnd) return null;
  line.expect(', filter=');
  return readJoinFilter(line.rest(), left.schema, right.schema, joinType, context);
}
