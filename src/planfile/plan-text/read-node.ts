import { DistqError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest-names.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { LineReader } from './line-reader.js';
import { OPERATOR_READERS } from './operators/index.js';
import type { OperatorReader } from './operators/operator-reader.js';
import { lineError, placeIn } from './plan-line.js';
import type { ReadContext } from './read-context.js';
import { nodeName, type TextNode } from './tree.js';

/** Nodes that pass rows on as they are: plans of distq do without. */
const TRANSPARENT: ReadonlySet<string> = new Set(['CoalesceBatchesExec', 'CooperativeExec']);

/** What to do about nodes that distq does not have. */
const REMEDIES: Readonly<Record<string, string>> = {
  SortMergeJoinExec: 'print the plan with datafusion.optimizer.prefer_hash_join = true',
  ScalarSubqueryExec: 'print the plan with datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery = false',
  PartitionedTopKExec: 'print the plan with datafusion.optimizer.enable_window_topn = false',
  DataSinkExec: 'give the plan of the query alone',
};

export function isTransparent(node: TextNode): boolean {
  return TRANSPARENT.has(nodeName(node)) && !node.line.text.includes('fetch=');
}

/** The operator that a node's text tells, over those of its children. */
export function readNode(node: TextNode, context: ReadContext): ExecutionPlan {
  if (isTransparent(node)) {
    checkInputs(node, 1);
    const [input] = node.children;
    if (input !== undefined) return readNode(input, context);
  }
  const reader = readerOf(node);
  checkInputs(node, reader.inputs);
  const children = node.children.map((child) => readNode(child, context));
  return atNode(node, () => reader.read(new LineReader(node), children, context));
}

function readerOf(node: TextNode): OperatorReader {
  const name = nodeName(node);
  const reader = OPERATOR_READERS.get(name);
  if (reader !== undefined) return reader;
  const hint = REMEDIES[name] ?? didYouMean(name, OPERATOR_READERS.keys()) ?? 'give the query as SQL';
  throw lineError(node.line, 0, `distq has no node ${name === '' ? node.line.text : name}`, hint);
}

const WORDS = ['no input', 'one input', 'two inputs'];

function checkInputs(node: TextNode, wanted: OperatorReader['inputs']): void {
  const { length } = node.children;
  if (wanted === 'several' ? length > 0 : length === wanted) return;
  const needs = wanted === 'several' ? 'at least one input' : WORDS[wanted];
  const has = length < WORDS.length ? WORDS[length] : `${length} inputs`;
  const name = nodeName(node);
  const missing = wanted === 'several' || length < wanted;
  throw lineError(
    node.line,
    0,
    `${name} takes ${needs ?? ''} and has ${has ?? ''}`,
    missing
      ? 'its inputs stand below it, two blanks further in: the text may be cut short'
      : 'check the indentation below it',
  );
}

/** Whatever a node that makes no sense breaks while it is put together is an error about its line. */
function atNode<T>(node: TextNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DistqError) || error.span !== undefined) throw error;
    throw new DistqError('parse', `${nodeName(node)}: ${error.message}`, {
      span: placeIn(node.line, 0),
      hint: error.hint ?? 'give the line as DataFusion prints it',
      cause: error,
    });
  }
}
