import type { SourceCodec } from '../../catalog/data-source.js';
import { asFlag, asNumber } from '../../expr/encoded-fields.js';
import { decodeFileScan } from '../files/file-scan-codec.js';
import { PARQUET_SOURCE, ParquetSource } from './parquet-source.js';

/** Reads what `ParquetSource.encode` wrote. */
export const parquetSourceCodec: SourceCodec = {
  kind: PARQUET_SOURCE,
  decode(fields, codec) {
    return new ParquetSource(decodeFileScan(fields['scan'], codec), {
      pruning: asFlag(fields['pruning'], 'pruning'),
      maxInListSize: asNumber(fields['maxInListSize'], 'maxInListSize'),
    });
  },
};
