import { InterleaveExec, canInterleave } from '../../../physical/operators/interleave-exec.js';
import { UnionExec } from '../../../physical/operators/union-exec.js';
import type { ExecutionPlan } from '../../../physical/execution-plan.js';
import { typeName } from '../../../columnar/data-type.js';
import type { LineReader } from '../line-reader.js';
import type { OperatorReader } from './operator-reader.js';

export const unionReader: OperatorReader = {
  name: 'UnionExec',
  inputs: 'several',
  read(line, children) {
    line.end();
    checkAlike(line, children);
    return new UnionExec(children);
  },
};

export const interleaveReader: OperatorReader = {
  name: 'InterleaveExec',
  inputs: 'several',
  read(line, children) {
    line.end();
    checkAlike(line, children);
    if (!canInterleave(children)) {
      throw line.error(
        'the inputs are not hash partitioned alike',
        0,
        'put a RepartitionExec of the same keys over each, or use UnionExec',
      );
    }
    return new InterleaveExec(children);
  },
};

/** All inputs must have the same columns, names apart. */
function checkAlike(line: LineReader, children: readonly ExecutionPlan[]): void {
  const types = (child: ExecutionPlan): string => child.schema.fields.map(({ type }) => typeName(type)).join(', ');
  const [first, ...others] = children.map(types);
  const other = others.find((text) => text !== first);
  if (other === undefined) return;
  throw line.error(
    `one input has the columns (${first ?? ''}), another (${other})`,
    0,
    'the inputs of a union have the same types',
  );
}
