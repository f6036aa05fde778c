import { SortExec } from '../../../physical/operators/sort-exec.js';
import { readSortKeys } from '../expressions/read.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `SortExec: TopK(fetch=10), expr=[a@0 ASC], preserve_partitioning=[true], filter=[…], sort_prefix=[a@0 ASC]` */
export const sortReader: OperatorReader = {
  name: 'SortExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': ');
    let fetch: number | null = null;
    if (line.take('TopK(fetch=')) {
      fetch = line.count();
      line.expect('), ');
    }
    line.expect('expr=[');
    const keys = readSortKeys(line.until('], preserve_partitioning=['), input.schema, context);
    const preserve = line.choice(['true', 'false'], 'answer');
    line.expect(']');
    // What a run has made of the TopK's filter, and what follows from the input's order.
    if (line.startsWith(', filter=[') || line.startsWith(', sort_prefix=[')) line.rest();
    line.end();
    return new SortExec(keys, input, { preservePartitioning: preserve === 'true', fetch });
  },
};
