import { aggregateReader } from './aggregate.js';
import { coalescePartitionsReader } from './coalesce-partitions.js';
import { dataSourceReader } from './data-source.js';
import { filterReader } from './filter.js';
import { crossJoinReader, hashJoinReader, nestedLoopJoinReader } from './joins.js';
import { emptyReader, placeholderRowReader } from './leaves-without-files.js';
import { globalLimitReader, localLimitReader } from './limits.js';
import type { OperatorReader } from './operator-reader.js';
import { projectionReader } from './projection.js';
import { repartitionReader } from './repartition.js';
import { sortPreservingMergeReader } from './sort-preserving-merge.js';
import { sortReader } from './sort.js';
import { boundedWindowAggReader, windowAggReader } from './windows.js';
import { interleaveReader, unionReader } from './unions.js';

/** Every node that plan texts may hold, by the name at the start of its line. */
export const OPERATOR_READERS: ReadonlyMap<string, OperatorReader> = new Map(
  [
    aggregateReader,
    boundedWindowAggReader,
    coalescePartitionsReader,
    crossJoinReader,
    dataSourceReader,
    emptyReader,
    filterReader,
    globalLimitReader,
    hashJoinReader,
    interleaveReader,
    localLimitReader,
    nestedLoopJoinReader,
    placeholderRowReader,
    projectionReader,
    repartitionReader,
    sortPreservingMergeReader,
    sortReader,
    unionReader,
    windowAggReader,
  ].map((reader) => [reader.name, reader]),
);
