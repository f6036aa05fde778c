import type { SourceCodec } from '../catalog/data-source.js';
import { memorySourceCodec } from './memory/memory-source-codec.js';
import { parquetSourceCodec } from './parquet/parquet-source-codec.js';
import { statisticsSourceCodec } from './statistics/statistics-source-codec.js';

/** How every kind of data source travels. A new format adds its line. */
export const sourceCodecs: readonly SourceCodec[] = [memorySourceCodec, parquetSourceCodec, statisticsSourceCodec];
