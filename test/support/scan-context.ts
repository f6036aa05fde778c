import { CancelScope } from '../../src/base/cancel-scope.js';
import { DistqError } from '../../src/base/errors.js';
import { MetricsRecorder } from '../../src/base/metrics.js';
import { pace } from '../../src/base/time-slice.js';
import type { DataSource, ScanContext } from '../../src/catalog/data-source.js';
import { FileRangeQueue } from '../../src/catalog/file-range-queue.js';
import { MemoryPool } from '../../src/columnar/memory-pool.js';
import type { PhysicalExpr } from '../../src/expr/physical-expr.js';

export interface ScanContextOptions {
  readonly batchSize?: number;
  readonly memoryBytes?: number;
  /** The source whose file ranges the queue hands out. */
  readonly source?: DataSource;
  readonly stealing?: boolean;
  readonly scope?: CancelScope;
  readonly dynamicFilter?: (id: number) => PhysicalExpr | null;
  readonly keySets?: ScanContext['keySets'];
  readonly rowBounds?: ScanContext['rowBounds'];
}

/** What a scan gets from its task, for tests that pull a source alone. Expressions cannot be compiled in it. */
export function scanContext(options: ScanContextOptions = {}): ScanContext {
  const none = (): never => {
    throw new DistqError('internal', 'this context compiles no expressions');
  };
  return {
    scope: options.scope ?? new CancelScope(),
    memory: new MemoryPool(options.memoryBytes ?? 2 ** 30).register('scan'),
    metrics: new MetricsRecorder(),
    batchSize: options.batchSize ?? 8192,
    queue: new FileRangeQueue(options.source?.fileScan?.fileGroups ?? [], { stealing: options.stealing ?? false }),
    compiler: { projection: none, filter: none },
    dynamicFilter: options.dynamicFilter ?? ((): null => null),
    keySets: options.keySets ?? ((): null => null),
    rowBounds: options.rowBounds ?? ((): null => null),
    pace,
  };
}
