import type { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import { sharesOf, type TaskShare } from './leaf-files.js';
import { formatBytes } from './metric-text.js';

/**
 * A leaf as one line, the tasks' file counts and bytes where the file groups stood; neighbours that read equally much share an entry:
 * `DistributedLeafExec: DataSourceExec: files={t0..t1: 3 files, 2.0 MB; t2: 1 file, 17.0 B}, projection=…`.
 * Null where variants differ in more than their files, or read none.
 */
export function collapsedLeaf({ variants }: DistributedLeafExec): string | null {
  const shares = sharesOf(variants);
  const texts = new Set(variants.map(textWithoutFiles));
  const [text] = texts;
  if (shares === null || texts.size !== 1 || text === undefined || text === null) return null;
  return `DistributedLeafExec: DataSourceExec: files={${entries(shares).join('; ')}}${text}`;
}

function entries(shares: readonly TaskShare[]): string[] {
  const runs: { first: number; last: number; text: string }[] = [];
  for (const [task, { files, bytes }] of shares.entries()) {
    const text = `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
    const run = runs.at(-1);
    if (run?.text === text) run.last = task;
    else runs.push({ first: task, last: task, text });
  }
  return runs.map(({ first, last, text }) => `t${first}${last === first ? '' : `..t${last}`}: ${text}`);
}

/** What follows the file groups in the leaf's text; null if the text does not start with them. */
function textWithoutFiles(leaf: ExecutionPlan): string | null {
  if (!(leaf instanceof DataSourceExec) || leaf.source.fileScan === null) return null;
  const { fileScan } = leaf.source;
  const empty = leaf.withFileScan({ ...fileScan, fileGroups: fileScan.fileGroups.map(() => []) });
  const text = empty.describe({ full: true }).trimEnd();
  const count = fileScan.fileGroups.length;
  const groups = Array.from({ length: count }, () => '[]').join(', ');
  const head = `DataSourceExec: file_groups={${count} ${count === 1 ? 'group' : 'groups'}: [${groups}]}`;
  return text.startsWith(head) ? text.slice(head.length) : null;
}
