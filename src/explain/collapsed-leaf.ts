import type { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import { sharesOf, shareTexts } from './leaf-files.js';

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
  return `DistributedLeafExec: DataSourceExec: files={${shareTexts(shares).join('; ')}}${text}`;
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
