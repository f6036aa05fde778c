import { invariant } from '../../../base/errors.js';
import type { ExecutionPlan } from '../../../physical/execution-plan.js';
import type { LineReader } from '../line-reader.js';
import type { ReadContext } from '../read-context.js';

/** How the text of one kind of node is read. Stands in a file of its own; `index.ts` lists them all. */
export interface OperatorReader {
  /** The name at the start of the line. */
  readonly name: string;
  /** How many nodes it reads from; `several` is one or more. */
  readonly inputs: 0 | 1 | 2 | 'several';
  /** `line` stands behind the name. The children are as many as `inputs` says. */
  read(line: LineReader, children: readonly ExecutionPlan[], context: ReadContext): ExecutionPlan;
}

/** The child of a node that takes one input. */
export function onlyInput([input]: readonly ExecutionPlan[]): ExecutionPlan {
  invariant(input !== undefined, 'a node with one input has it');
  return input;
}

/** The children of a node that takes two inputs. */
export function bothInputs([left, right]: readonly ExecutionPlan[]): readonly [ExecutionPlan, ExecutionPlan] {
  invariant(left !== undefined && right !== undefined, 'a node with two inputs has them');
  return [left, right];
}
