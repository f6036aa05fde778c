import { createFunctionRegistry } from '../functions/index.js';
import type { FunctionRegistry } from '../expr/function.js';
import { DISTRIBUTED_TASK_CODECS } from '../distributed/operators/index.js';
import { OPERATOR_CODECS } from '../physical/operators/index.js';
import { PlanCodecImpl } from '../physical/plan-codec-impl.js';
import type { PlanCodec } from '../physical/plan-codec.js';
import { sourceCodecs } from '../sources/index.js';

/** What every process of distq knows: functions, operators, sources. Made once per session or worker and passed down. */
export interface Registries {
  readonly functions: FunctionRegistry;
  readonly codec: PlanCodec;
}

export function createRegistries(): Registries {
  const functions = createFunctionRegistry();
  return {
    functions,
    codec: new PlanCodecImpl({
      functions,
      operators: [...OPERATOR_CODECS, ...DISTRIBUTED_TASK_CODECS],
      sources: sourceCodecs,
    }),
  };
}
