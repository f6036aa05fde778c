import { PlaceholderRowExec } from '../../../physical/operators/placeholder-row-exec.js';
import { EmptyExec } from '../../../physical/operators/empty-exec.js';
import { Schema } from '../../../columnar/schema.js';
import type { OperatorReader } from './operator-reader.js';

export const placeholderRowReader: OperatorReader = {
  name: 'PlaceholderRowExec',
  inputs: 0,
  read(line) {
    line.end();
    return new PlaceholderRowExec();
  },
};

/** Its columns are not printed: only a plan that uses none of them can be read. */
export const emptyReader: OperatorReader = {
  name: 'EmptyExec',
  inputs: 0,
  read(line) {
    line.end();
    return new EmptyExec(new Schema([]));
  },
};
