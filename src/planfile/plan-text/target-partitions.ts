import type { SessionConfig } from '../../config/session-config.js';
import { type TextNode, visitNodes } from './tree.js';

/** The settings with the number of partitions that the plan was made for, unless one was given: repartitions name it. */
export function targetPartitions(root: TextNode, config: SessionConfig): SessionConfig {
  if (config.isSet('execution.target_partitions')) return config;
  let spread = 0;
  let scanned = 0;
  visitNodes(root, ({ line }) => {
    const repartition =
      /^RepartitionExec: partitioning=(?:Hash\(\[.*\], |RoundRobinBatch\()(\d+)\), input_partitions=/.exec(line.text);
    const scan = /^DataSourceExec: file_groups=\{(\d+) groups?: /.exec(line.text);
    spread = Math.max(spread, Number(repartition?.[1] ?? 0));
    scanned = Math.max(scanned, Number(scan?.[1] ?? 0));
  });
  // A scan may have fewer groups than it could have.
  const known = spread > 0 ? spread : Math.max(scanned, config.get('execution.target_partitions'));
  return config.with('execution.target_partitions', String(known));
}
