import type { SourceCodec } from '../../catalog/data-source.js';
import { asText } from '../../expr/encoded-fields.js';
import { readParquetSource } from '../parquet/parquet-source-codec.js';
import { STATISTICS_SOURCE, StatisticsSource } from './statistics-source.js';

/** Reads what `StatisticsSource.encode` wrote. */
export const statisticsSourceCodec: SourceCodec = {
  kind: STATISTICS_SOURCE,
  decode: (fields, codec) => new StatisticsSource(asText(fields['table'], 'table'), readParquetSource(fields, codec)),
};
