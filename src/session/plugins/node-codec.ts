import { DistqError } from '../../base/errors.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import type { OperatorCodec } from '../../physical/execution-plan.js';
import { LeafExec } from '../../physical/leaf/leaf-exec.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import { problemOfEncoded } from '../../physical/leaf/encoded-problem.js';
import type { NodeCodec } from './plugin-api.js';
import { guarded, pluginFault } from './plugin-fault.js';
import type { PluginIdentity } from './plugin-set.js';

/**
 * The codec of a plug-in's leaf. What it writes is read back at once: a leaf that would come out of the wire as another one is found
 * where it is sent, and not by its rows.
 */
export function leafCodec<T extends LeafExec>(plugin: PluginIdentity, codec: NodeCodec<T>): OperatorCodec<LeafExec> {
  const { leaf: LeafClass, name } = codec;
  const is = (plan: unknown): plan is T => plan instanceof LeafClass;
  const decode = (fields: { readonly [field: string]: EncodedValue }, planCodec: PlanCodec): LeafExec => {
    const leaf: unknown = guarded('plan', plugin, `decode of ${name}`, () => codec.decode(fields, planCodec));
    if (!is(leaf)) {
      throw pluginFault('plan', plugin, `decode of ${name} gives no ${name}`, {
        hint: 'return an instance of its class',
      });
    }
    return leaf;
  };
  return {
    kind: name,
    is: (plan): plan is LeafExec => is(plan),
    encode(plan, planCodec) {
      if (!is(plan)) throw new DistqError('internal', `${plan.name} is no ${name}`);
      const part = `encode of ${name}`;
      const fields = guarded('plan', plugin, part, () => codec.encode(plan, planCodec));
      const problem = problemOfEncoded(fields, 'fields');
      if (problem !== null || Array.isArray(fields) || fields instanceof Uint8Array) {
        throw pluginFault('plan', plugin, `${part} gives ${problem ?? 'something that is no set of fields'}`, {
          hint: 'give an object of JSON values, bigints and bytes',
        });
      }
      const copy = decode(fields, planCodec);
      if (copy.describe() !== plan.describe() || !copy.schema.equals(plan.schema) || !samePartitions(copy, plan)) {
        throw pluginFault(
          'plan',
          plugin,
          `${part} loses something: ${plan.describe()} comes back as ${copy.describe()}`,
          {
            hint: 'encode everything that the constructor of the leaf needs',
          },
        );
      }
      // `plugin`: whom to ask for when the plan is read without it.
      return { fields, plugin: plugin.file };
    },
    decode(node, _children, planCodec) {
      const fields = node['fields'];
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields) || fields instanceof Uint8Array) {
        throw new DistqError('protocol', `an encoded ${name} has no fields`);
      }
      return decode(fields as { readonly [field: string]: EncodedValue }, planCodec);
    },
  };
}

function samePartitions(a: LeafExec, b: LeafExec): boolean {
  return a.properties.partitioning.count === b.properties.partitioning.count && (a.feed === null) === (b.feed === null);
}
