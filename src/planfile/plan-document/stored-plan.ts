import { DistqError } from '../../base/errors.js';
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

export const PLAN_KIND = 'distq.plan';

/** The encoding of stored plans; one that another build wrote otherwise gets another number. */
const ENCODING = 1;

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
  return {
    encoding: ENCODING,
    settings: Object.fromEntries(stored.settings),
    sql: stored.sql,
    notDistributed: stored.notDistributedReason,
    plan: toJson(codec.plan(stored.plan)),
    physical: stored.physical === stored.plan ? null : toJson(codec.plan(stored.physical)),
  };
}

/**
 * The plan that a document holds. The readable part must tell of the same plan: what was changed there would have no effect, and is
 * refused. `describe` gives the texts of a plan's nodes, stage by stage, as the document has them.
 */
export function readStoredPlan(
  document: DocumentNode,
  codec: PlanCodec,
  describe: (plan: ExecutionPlan) => readonly (readonly string[])[],
): StoredPlan {
  const root: Place = { node: document, path: '' };
  checkObject(root, ['$schema', 'kind', 'version', 'distributed', 'stages', 'findings', 'stored']);
  const version = requiredField(root, 'version', '"version": 1');
  if (count(version) !== 1) {
    throw documentError(version, 'this version of a plan document is not known', 'the version is 1');
  }
  const stored = requiredField(root, 'stored', 'what distq explain --format json wrote');
  checkObject(stored, ['encoding', 'settings', 'sql', 'notDistributed', 'plan', 'physical']);
  const encoding = requiredField(stored, 'encoding', `"encoding": ${ENCODING}`);
  if (count(encoding) !== ENCODING) throw documentError(encoding, 'another version of distq wrote this plan', REWRITE);
  const settings = optionalField(stored, 'settings');
  const sql = optionalField(stored, 'sql');
  const reason = optionalField(stored, 'notDistributed');
  const plan = decodePlan(requiredField(stored, 'plan', 'the encoded plan'), codec);
  const physical = optionalField(stored, 'physical');
  checkStages(requiredField(root, 'stages', 'the stages of the plan'), describe(plan));
  return {
    settings: settings === undefined ? [] : entries(settings).map(([name, value]) => [name, text(value)]),
    sql: sql === undefined ? null : text(sql),
    notDistributedReason: reason === undefined ? null : text(reason),
    plan,
    physical: physical === undefined ? plan : decodePlan(physical, codec),
  };
}

const REWRITE = 'write the document anew with distq explain --format json';

/** Whatever a broken plan breaks while it is put together is an error about the document. */
function decodePlan(place: Place, codec: PlanCodec): ExecutionPlan {
  const encoded = fromJson(place);
  try {
    return codec.decodePlan(encoded);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof DistqError && error.hint !== undefined ? error.hint : REWRITE;
    throw new DistqError('parse', `${place.path}: ${error.message}`, { span: place.node.span, hint, cause: error });
  }
}

function checkStages(place: Place, expected: readonly (readonly string[])[]): void {
  const stages = items(place);
  if (stages.length !== expected.length) {
    throw documentError(place, `${stages.length} stages are told and ${expected.length} are stored`, REWRITE);
  }
  for (const [index, stage] of stages.entries()) {
    const nodes: Place[] = [];
    collectNodes(requiredField(stage, 'plan', 'the nodes of the stage'), nodes);
    const texts = expected[index] ?? [];
    if (nodes.length !== texts.length) {
      throw documentError(stage, `${nodes.length} nodes are told and ${texts.length} are stored`, REWRITE);
    }
    for (const [position, node] of nodes.entries()) {
      const written = requiredField(node, 'text', 'the text of the node');
      if (text(written) !== texts[position]) {
        throw documentError(
          written,
          'the text is not that of the stored plan',
          `a change here has no effect: ${REWRITE}`,
        );
      }
    }
  }
}

function collectNodes(node: Place, nodes: Place[]): void {
  nodes.push(node);
  for (const child of items(requiredField(node, 'children', '"children": []'))) collectNodes(child, nodes);
}
