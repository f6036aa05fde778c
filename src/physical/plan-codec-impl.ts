import { DistqError } from '../base/errors.js';
import type { DataSource, SourceCodec } from '../catalog/data-source.js';
import type { EncodedNode, EncodedValue } from '../expr/expr-codec.js';
import type { AggregateFunction, FunctionRegistry, WindowFunction } from '../expr/function.js';
import { ExprCodecImpl } from '../expr/physical-expr-codec.js';
import { isList } from './encoded-fields.js';
import type { ExecutionPlan, OperatorCodec } from './execution-plan.js';
import { LeafExec } from './leaf/leaf-exec.js';
import type { PlanCodec } from './plan-codec.js';

export interface PlanCodecParts {
  readonly functions: FunctionRegistry;
  /** `OPERATOR_CODECS` and those of the floors above. */
  readonly operators: readonly OperatorCodec[];
  readonly sources: readonly SourceCodec[];
}

/**
 * The codec of whole plans. A node is written as `{kind, …fields, children}`; a node or source of an unregistered kind is `internal`
 * when written and `protocol` when read.
 */
export class PlanCodecImpl extends ExprCodecImpl implements PlanCodec {
  readonly #functions: FunctionRegistry;
  readonly #operators: ReadonlyMap<string, OperatorCodec>;
  readonly #sources: ReadonlyMap<string, SourceCodec>;

  constructor({ functions, operators, sources }: PlanCodecParts) {
    super(functions);
    this.#functions = functions;
    this.#operators = new Map(operators.map((codec) => [codec.kind, codec]));
    this.#sources = new Map(sources.map((codec) => [codec.kind, codec]));
  }

  plan(plan: ExecutionPlan): EncodedNode {
    const codec = this.#operators.get(plan.name);
    if (codec?.is(plan) !== true) throw withoutCodec(plan);
    return { ...codec.encode(plan, this), kind: codec.kind, children: plan.children.map((child) => this.plan(child)) };
  }

  decodePlan(encoded: EncodedValue): ExecutionPlan {
    const node = encodedNode(encoded, 'plan node');
    const codec = this.#operators.get(node.kind);
    if (codec === undefined) throw unknownNode(node);
    const children = node['children'];
    if (children === undefined || !isList(children)) {
      throw new DistqError('protocol', `an encoded ${node.kind} has no list of children`);
    }
    return codec.decode(
      node,
      children.map((child) => this.decodePlan(child)),
      this,
    );
  }

  source(source: DataSource): EncodedNode {
    return source.encode(this);
  }

  decodeSource(encoded: EncodedValue): DataSource {
    const node = encodedNode(encoded, 'data source');
    const codec = this.#sources.get(node.kind);
    if (codec === undefined)
      throw new DistqError('protocol', `an encoded plan reads a source of unknown kind "${node.kind}"`);
    return codec.decode(node, this);
  }

  decodeAggregateFunction(name: string): AggregateFunction {
    const found = this.#functions.aggregate(name);
    if (found === undefined) throw new DistqError('protocol', `an encoded plan calls the unknown aggregate "${name}"`);
    return found;
  }

  decodeWindowFunction(name: string): WindowFunction {
    const found = this.#functions.window(name);
    if (found === undefined) {
      throw new DistqError('protocol', `an encoded plan calls the unknown window function "${name}"`);
    }
    return found;
  }
}

function withoutCodec(plan: ExecutionPlan): DistqError {
  if (!(plan instanceof LeafExec)) return new DistqError('internal', `no codec is registered for ${plan.name}`);
  return new DistqError(
    'plan',
    `${plan.origin}: ${plan.name} has no codec, so that it cannot be sent to a worker or stored`,
    { hint: `add registerNodeCodec({ leaf: ${plan.name}, name: "${plan.name}", encode, decode })` },
  );
}

/** A node that a plug-in wrote says so. */
function unknownNode({ kind, ...fields }: EncodedNode): DistqError {
  const plugin = fields['plugin'];
  if (typeof plugin !== 'string') {
    return new DistqError('protocol', `an encoded plan has a node of unknown kind "${kind}"`);
  }
  return new DistqError('config', `the plan holds ${kind} of the plug-in ${plugin}, which is not given`, {
    hint: `give it with --plugin <path of ${plugin}>`,
  });
}

function encodedNode(encoded: EncodedValue, what: string): EncodedNode {
  if (encoded === null || typeof encoded !== 'object' || isList(encoded) || encoded instanceof Uint8Array) {
    throw new DistqError('protocol', `an encoded ${what} is no object`);
  }
  const kind = encoded['kind'];
  if (typeof kind !== 'string') throw new DistqError('protocol', `an encoded ${what} has no kind`);
  return { ...encoded, kind };
}
