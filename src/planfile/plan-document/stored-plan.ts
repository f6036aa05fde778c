import { DistqError } from '../../base/errors.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import type { DocumentNode } from '../document/document-node.js';
import {
  checkObject,
  count,
  documentError,
  entries,
  items,
  optionalField,
  type Place,
  requiredField,
  text,
} from '../document/fields.js';
import { fromJson, type JsonValue, toJson } from './encoded-json.js';
import { FileTable } from './file-table.js';

export const PLAN_KIND = 'distq.plan';

/** The encoding of stored plans; one that another build wrote otherwise gets another number. */
const ENCODING = 2;

/** What a plan document holds so that the plan can be shown and run as it stands. */
export interface StoredPlan {
  /** The settings under which it was planned. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** The statement, for planning anew; null where there is none. */
  readonly sql: string | null;
  readonly notDistributedReason: string | null;
  /** What runs. */
  readonly plan: ExecutionPlan;
  /** The single-node plan. */
  readonly physical: ExecutionPlan;
}

export function writeStoredPlan(stored: StoredPlan, codec: PlanCodec): JsonValue {
  const table = new FileTable();
  const plan = toJson(codec.plan(stored.plan), table);
  const physical = stored.physical === stored.plan ? null : toJson(codec.plan(stored.physical), table);
  return {
    encoding: ENCODING,
    settings: Object.fromEntries(stored.settings),
    sql: stored.sql,
    notDistributed: stored.notDistributedReason,
    files: table.files,
    plan,
    physical,
  };
}

/**
 * The plan that a document holds. The readable part must tell of the same plan: what was changed there would have no effect, and is
 * refused. `describe` gives the readable part of a plan, `stages`, without metrics.
 */
export function readStoredPlan(
  document: DocumentNode,
  codec: PlanCodec,
  describe: (plan: ExecutionPlan) => unknown,
): StoredPlan {
  const root: Place = { node: document, path: '' };
  checkObject(root, ['$schema', 'kind', 'version', 'distributed', 'stages', 'findings', 'stored']);
  const version = requiredField(root, 'version', '"version": 2');
  if (count(version) !== 2) {
    throw documentError(version, 'this version of a plan document is not known', `the version is 2: ${REWRITE}`);
  }
  const stored = requiredField(root, 'stored', 'what distq explain --format json wrote');
  checkObject(stored, ['encoding', 'settings', 'sql', 'notDistributed', 'files', 'plan', 'physical']);
  const encoding = requiredField(stored, 'encoding', `"encoding": ${ENCODING}`);
  if (count(encoding) !== ENCODING) throw documentError(encoding, 'another version of distq wrote this plan', REWRITE);
  const settings = optionalField(stored, 'settings');
  const sql = optionalField(stored, 'sql');
  const reason = optionalField(stored, 'notDistributed');
  const files = items(requiredField(stored, 'files', '"files": []')).map((file) => fromJson(file, []));
  const plan = decodePlan(requiredField(stored, 'plan', 'the encoded plan'), files, codec);
  const physical = optionalField(stored, 'physical');
  checkSame(requiredField(root, 'stages', 'the stages of the plan'), describe(plan), 'the list of stages');
  return {
    settings: settings === undefined ? [] : entries(settings).map(([name, value]) => [name, text(value)]),
    sql: sql === undefined ? null : text(sql),
    notDistributedReason: reason === undefined ? null : text(reason),
    plan,
    physical: physical === undefined ? plan : decodePlan(physical, files, codec),
  };
}

const WRITER = 'distq explain --format json';
const REWRITE = `write the document anew with ${WRITER}`;
const NO_EFFECT = `a change here has no effect: ${REWRITE}`;

/** Whatever a broken plan breaks while it is put together is an error about the document. */
function decodePlan(place: Place, files: readonly EncodedValue[], codec: PlanCodec): ExecutionPlan {
  const encoded = fromJson(place, files);
  try {
    return codec.decodePlan(encoded);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof DistqError && error.hint !== undefined ? error.hint : REWRITE;
    // A plug-in that is not given is no fault of the document.
    if (error instanceof DistqError && error.kind === 'config') throw error;
    throw new DistqError('parse', `${place.path}: ${error.message}`, { span: place.node.span, hint, cause: error });
  }
}

/** The document tells what `expected` has; further fields, as metrics are, may stand beside. `what` names the value in errors. */
function checkSame(place: Place, expected: unknown, what: string): void {
  if (Array.isArray(expected)) {
    const told = items(place);
    if (told.length !== expected.length) {
      throw documentError(place, `${what} has ${told.length} items and ${expected.length} are stored`, NO_EFFECT);
    }
    for (const [index, item] of told.entries()) checkSame(item, expected[index], what);
    return;
  }
  if (typeof expected === 'object' && expected !== null) {
    for (const [name, value] of Object.entries(expected)) {
      if (value === null || value === undefined) continue;
      checkSame(requiredField(place, name, `what ${WRITER} wrote`), value, NAMES[name] ?? 'the value');
    }
    return;
  }
  const { node } = place;
  const isSame =
    node.kind === 'number'
      ? Number(node.text) === expected
      : (node.kind === 'string' || node.kind === 'boolean') && node.value === expected;
  if (!isSame) throw documentError(place, `${what} is not that of the stored plan`, NO_EFFECT);
}

const NAMES: Readonly<Record<string, string>> = {
  text: 'the text',
  children: 'the list of children',
  files: 'the list of files',
  groups: 'the list of file groups',
  variants: 'the list of variants',
};
