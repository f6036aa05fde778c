import type { SessionConfig } from '../../config/session-config.js';

/** What the session's settings say about reading Parquet; travels with a source, so that workers need no settings. */
export interface ParquetOptions {
  /** Skip row groups by their statistics. */
  readonly pruning: boolean;
  /** Longest IN list that becomes a pruning predicate. */
  readonly maxInListSize: number;
}

export function parquetOptions(config: SessionConfig): ParquetOptions {
  return {
    pruning: config.get('execution.parquet.pruning'),
    maxInListSize: config.get('execution.parquet.max_in_list_size'),
  };
}
