import type { SourceCodec } from '../../catalog/data-source.js';
import { asFlag, asNumber } from '../../expr/encoded-fields.js';
import type { EncodedNode, ExprCodec } from '../../expr/expr-codec.js';
import { decodeFileScan } from '../files/file-scan-codec.js';
import { PARQUET_SOURCE, ParquetSource } from './parquet-source.js';

/** Reads what `ParquetSource.encode` wrote. */
export const parquetSourceCodec: SourceCodec = { kind: PARQUET_SOURCE, decode: readParquetSource };

export function readParquetSource(fields: EncodedNode, codec: ExprCodec): ParquetSource {
  return new ParquetSource(decodeFileScan(fields['scan'], codec), {
    pruning: asFlag(fields['pruning'], 'pruning'),
    maxInListSize: asNumber(fields['maxInListSize'], 'maxInListSize'),
  });
}
