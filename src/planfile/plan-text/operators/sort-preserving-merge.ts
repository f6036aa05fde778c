import { SortPreservingMergeExec } from '../../../physical/operators/sort-preserving-merge-exec.js';
import { readSortKeys } from '../expressions/read.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `SortPreservingMergeExec: [a@0 ASC NULLS LAST], fetch=10` */
export const sortPreservingMergeReader: OperatorReader = {
  name: 'SortPreservingMergeExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': [');
    const fetch = line.takeFetch();
    if (line.takeEnd(/\]$/) === null) throw line.error('"]" is missing: the line is cut short', line.limit);
    return new SortPreservingMergeExec(readSortKeys(line.rest(), input.schema, context), input, fetch);
  },
};
