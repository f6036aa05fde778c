/** The shape of a distributed plan in one line per stage, as section 9 of the planner reference writes it. */
import { boundariesOf, type NetworkBoundary } from '../../src/distributed/network-boundary.js';
import { DistributedExec } from '../../src/distributed/operators/distributed-exec.js';
import { headerPartitions, type LocalStage } from '../../src/distributed/stage.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';

const ARROWS = { shuffle: 'Sh', coalesce: 'C', broadcast: 'B' } as const;

/**
 * `['H←C S2', 'S2 2/3←Sh S1', 'S1 4/6 leaf']`: the head, then the stages by falling number, each with tasks/partitions and its
 * boundaries from top to bottom. A plan that is not distributed is `[]`.
 */
export function planShape(plan: ExecutionPlan): string[] {
  if (!(plan instanceof DistributedExec)) return [];
  const stages = stagesOf(plan);
  return [
    `H${inputs(plan.input)}`,
    ...stages.map((stage) => `S${stage.id} ${stage.tasks}/${headerPartitions(stage)}${inputs(stage.plan)}`),
  ];
}

/** All stages of a distributed plan, by falling number. */
function stagesOf(plan: ExecutionPlan): LocalStage[] {
  const below = (node: ExecutionPlan): LocalStage[] =>
    boundariesOf(node).flatMap(({ inputStage }) =>
      inputStage.state === 'local' ? [inputStage, ...below(inputStage.plan)] : [],
    );
  return below(plan).sort((a, b) => b.id - a.id);
}

export function stageOf(plan: ExecutionPlan, id: number): LocalStage {
  const found = stagesOf(plan).find((stage) => stage.id === id);
  if (found === undefined) throw new Error(`the plan has no stage ${id}`);
  return found;
}

function inputs(plan: ExecutionPlan): string {
  const boundaries = boundariesOf(plan);
  if (boundaries.length === 0) return ' leaf';
  return `←${boundaries.map((boundary: NetworkBoundary) => `${ARROWS[boundary.kind]} S${boundary.inputStage.id}`).join(', ')}`;
}

/** The one-line texts of a plan's nodes, in pre-order, boundaries included and not entered. */
export function nodeTexts(plan: ExecutionPlan): string[] {
  const own = plan.describe({ full: true });
  if (boundariesOf(plan)[0] === plan) return [own];
  return [own, ...plan.children.flatMap(nodeTexts)];
}
