import type { StageId } from '../../base/ids.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';

/** `error`: rows would be lost or doubled · `warning`: likely slower than need be · `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** Something about a plan that a reader should know. */
export interface Finding {
  /** The rule's id, as `--fail-on` takes it. */
  readonly id: string;
  readonly severity: Severity;
  /** The head is stage 0. */
  readonly stage: number;
  /** The node's position in pre-order within the stage. */
  readonly node: number;
  readonly operator: string;
  /** One sentence: what is so. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A node as rules see it. */
export interface LintNode {
  readonly node: ExecutionPlan;
  readonly position: number;
  /** Tasks that share the node's work: those of the stage, or below a distributed union those of the child. 0 if no task runs it. */
  readonly tasks: number;
}

export interface LintStage {
  readonly id: StageId;
  readonly tasks: number;
  /** In pre-order, boundaries as leaves. */
  readonly nodes: readonly LintNode[];
}

export interface Problem {
  readonly message: string;
  readonly advice: string;
}

/** Looks at one node at a time. */
export interface LintRule {
  readonly id: string;
  readonly severity: Severity;
  /** What is wrong with the node, if anything. */
  check(node: LintNode, stage: LintStage): Problem | null;
}
