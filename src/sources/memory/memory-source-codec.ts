import type { SourceCodec } from '../../catalog/data-source.js';
import { asList, asNumber, nullable } from '../../expr/encoded-fields.js';
import { MEMORY_SOURCE, type MemoryBatch, MemorySource } from './memory-source.js';

/** Reads what `MemorySource.encode` wrote. */
export const memorySourceCodec: SourceCodec = {
  kind: MEMORY_SOURCE,
  decode(fields, codec) {
    const schema = codec.decodeSchema(fields['schema'] ?? null);
    const partitions = asList(fields['partitions'], 'partitions').map((batches) =>
      asList(batches, 'partition').map((batch): MemoryBatch => {
        const [numRows, columns] = asList(batch, 'batch');
        return {
          numRows: asNumber(numRows, 'row count'),
          columns: asList(columns, 'columns').map((values) =>
            asList(values, 'column').map((value) => codec.decodeScalar(value).value),
          ),
        };
      }),
    );
    return new MemorySource(
      schema,
      partitions,
      nullable(fields['fetch'], 'fetch', (value) => asNumber(value, 'fetch')),
    );
  },
};
