import { CoalescePartitionsExec } from '../../../physical/operators/coalesce-partitions-exec.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `CoalescePartitionsExec: fetch=10` */
export const coalescePartitionsReader: OperatorReader = {
  name: 'CoalescePartitionsExec',
  inputs: 1,
  read(line, children) {
    const input = onlyInput(children);
    const fetch = line.take(': fetch=') ? line.count() : null;
    line.end();
    return new CoalescePartitionsExec(input, fetch);
  },
};
