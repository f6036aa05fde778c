import { RepartitionExec } from '../../../physical/operators/repartition-exec.js';
import type { Partitioning } from '../../../physical/plan-properties.js';
import { readExprs } from '../expressions/read.js';
import { onlyInput, type OperatorReader } from './operator-reader.js';

/** `RepartitionExec: partitioning=Hash([a@0], 16), input_partitions=4, preserve_order=true, sort_exprs=a@0 ASC` */
export const repartitionReader: OperatorReader = {
  name: 'RepartitionExec',
  inputs: 1,
  read(line, children, context) {
    const input = onlyInput(children);
    line.expect(': partitioning=');
    const kind = line.choice(['RoundRobinBatch', 'Hash', 'UnknownPartitioning'], 'partitioning');
    line.expect('(');
    let exprs: Extract<Partitioning, { kind: 'hash' }>['exprs'] | undefined;
    if (kind === 'Hash') {
      line.expect('[');
      exprs = readExprs(line.until('], '), input.schema, context);
    }
    const count = line.count();
    if (count < 1) throw line.error('a repartition into no partitions');
    line.expect('), input_partitions=');
    const at = line.position;
    const inputs = line.count();
    const found = input.properties.partitioning.count;
    if (inputs !== found) {
      const hint = `the node below has ${found}: make the numbers agree`;
      throw line.error(`the input cannot have ${inputs} partitions`, at, hint);
    }
    const preserveOrder = line.take(', preserve_order=true');
    if (!preserveOrder) line.take(', maintains_sort_order=true');
    if (line.startsWith(', sort_exprs=')) line.rest();
    line.end();
    const partitioning: Partitioning =
      exprs !== undefined
        ? { kind: 'hash', exprs, count }
        : { kind: kind === 'RoundRobinBatch' ? 'round_robin' : 'unknown', count };
    return new RepartitionExec(partitioning, input, { preserveOrder });
  },
};
