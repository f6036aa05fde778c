import { GlobalLimitExec } from '../../../physical/operators/global-limit-exec.js';
import { LocalLimitExec } from '../../../physical/operators/local-limit-exec.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `GlobalLimitExec: skip=5, fetch=10` or `fetch=None` */
export const globalLimitReader: OperatorReader = {
  name: 'GlobalLimitExec',
  inputs: 1,
  read(line, children) {
    const input = onlyInput(children);
    line.expect(': skip=');
    const skip = line.count();
    line.expect(', fetch=');
    const fetch = line.take('None') ? null : line.count();
    line.end();
    return new GlobalLimitExec(input, skip, fetch);
  },
};

/** `LocalLimitExec: fetch=10` */
export const localLimitReader: OperatorReader = {
  name: 'LocalLimitExec',
  inputs: 1,
  read(line, children) {
    const input = onlyInput(children);
    line.expect(': fetch=');
    const fetch = line.count();
    line.end();
    return new LocalLimitExec(input, fetch);
  },
};
