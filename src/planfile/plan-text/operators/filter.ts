import { BOOLEAN } from '../../../columnar/data-type.js';
import { FilterExec } from '../../../physical/operators/filter-exec.js';
import { readColumns, readExpr } from '../expressions/read.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `FilterExec: a@0 > 1, projection=[b@1], fetch=10` */
export const filterReader: OperatorReader = {
  name: 'FilterExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': ');
    const fetch = line.takeFetch();
    const projection = line.takeEndList('projection');
    const { schema } = input;
    const predicate = readExpr(line.rest(), schema, BOOLEAN, context);
    return new FilterExec(predicate, input, {
      projection: projection === null ? null : readColumns(projection, schema),
      fetch,
      defaultSelectivity: context.config.get('optimizer.default_filter_selectivity'),
    });
  },
};
