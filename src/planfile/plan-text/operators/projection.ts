import { ProjectionExec } from '../../../physical/operators/projection-exec.js';
import { readNamedExprs } from '../expressions/read.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `ProjectionExec: expr=[a@0 as a, b@1 + 1 as x]` */
export const projectionReader: OperatorReader = {
  name: 'ProjectionExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': expr=[');
    const exprs = line.takeEnd(/\]$/);
    if (exprs === null) throw line.error('"]" is missing at the end: the line is cut short', line.limit);
    return new ProjectionExec(readNamedExprs(line.rest(), input.schema, context), input);
  },
};
