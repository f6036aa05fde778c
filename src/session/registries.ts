import { createFunctionRegistry } from '../functions/index.js';
import type { FunctionRegistry } from '../expr/function.js';
import { DISTRIBUTED_PLAN_CODECS, DISTRIBUTED_TASK_CODECS } from '../distributed/operators/index.js';
import type { OperatorCodec } from '../physical/execution-plan.js';
import { OPERATOR_CODECS } from '../physical/operators/index.js';
import { PlanCodecImpl } from '../physical/plan-codec-impl.js';
import type { PlanCodec } from '../physical/plan-codec.js';
import { sourceCodecs } from '../sources/index.js';
import { noPlugins, type PluginSet } from './plugins/plugin-set.js';

/** What every process of distq knows: functions, operators, sources. Made once per session or worker and passed down. */
export interface Registries {
  readonly functions: FunctionRegistry;
  /** Of what a task's plan may hold. */
  readonly codec: PlanCodec;
  /** Of whole plans, for documents. */
  readonly storedCodec: PlanCodec;
  /** What people added. */
  readonly plugins: PluginSet;
}

export function createRegistries(plugins: PluginSet = noPlugins()): Registries {
  const functions = createFunctionRegistry();
  const codec = (distributed: readonly OperatorCodec[]): PlanCodec =>
    new PlanCodecImpl({
      functions,
      operators: [...OPERATOR_CODECS, ...distributed, ...plugins.codecs],
      sources: sourceCodecs,
    });
  return { functions, codec: codec(DISTRIBUTED_TASK_CODECS), storedCodec: codec(DISTRIBUTED_PLAN_CODECS), plugins };
}
