import { DistqError } from '../../base/errors.js';
import type { TableFunction } from '../../catalog/data-source.js';
import * as dataTypes from '../../columnar/data-type.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import { Schema } from '../../columnar/schema.js';
import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { desired, maximum } from '../../distributed/task-count.js';
import { LeafExec } from '../../physical/leaf/leaf-exec.js';
import { RecordBatchBuilder } from '../../physical/leaf/record-batch-builder.js';
import { WorkUnitFeed } from '../../physical/leaf/work-unit-feed.js';
import { guardDesiredTaskCount, guardRouteTasks, guardScaleUpLeaf } from './guarded-handlers.js';
import { leafCodec } from './node-codec.js';
import { PLUGIN_API_VERSION, type NodeCodec, type PluginApi, type PluginTypes } from './plugin-api.js';
import { guarded, pluginFault } from './plugin-fault.js';
import type { Registrar } from './plugin-set.js';
import { PluginTableProvider } from './plugin-table.js';

const TYPES: PluginTypes = {
  Boolean: dataTypes.BOOLEAN,
  Int8: dataTypes.INT8,
  Int16: dataTypes.INT16,
  Int32: dataTypes.INT32,
  Int64: dataTypes.INT64,
  UInt8: dataTypes.UINT8,
  UInt16: dataTypes.UINT16,
  UInt32: dataTypes.UINT32,
  UInt64: dataTypes.UINT64,
  Float32: dataTypes.FLOAT32,
  Float64: dataTypes.FLOAT64,
  Utf8View: dataTypes.UTF8_VIEW,
  Utf8: dataTypes.UTF8,
  BinaryView: dataTypes.BINARY_VIEW,
  Binary: dataTypes.BINARY,
  Date32: dataTypes.DATE32,
  decimal: dataTypes.decimal,
  timestamp: dataTypes.timestamp,
};

/** The API as one plug-in gets it: what it registers carries its name. */
export function makePluginApi(registrar: Registrar): PluginApi {
  const { plugin } = registrar;

  abstract class PluginLeafExec extends LeafExec {
    override get origin(): string {
      return `plug-in ${plugin.name}`;
    }
  }

  function handler<F>(what: string, given: F): F {
    if (typeof given === 'function') return given;
    throw pluginFault('config', plugin, `${what} is given no function`, { hint: 'pass the handler itself' });
  }

  function tableName(what: string, name: unknown): string {
    if (typeof name === 'string' && name !== '') return name;
    throw pluginFault('config', plugin, `${what} is given no name`, { hint: 'pass a name and what it stands for' });
  }

  return {
    apiVersion: PLUGIN_API_VERSION,
    desiredTaskCount(given) {
      const { desiredTaskCount } = registrar.registry('desiredTaskCount');
      desiredTaskCount.push(guardDesiredTaskCount(plugin, handler('desiredTaskCount', given)));
    },
    scaleUpLeaf(given) {
      const { scaleUpLeaf } = registrar.registry('scaleUpLeaf');
      scaleUpLeaf.push(guardScaleUpLeaf(plugin, handler('scaleUpLeaf', given)));
    },
    routeTasks(given) {
      const { routeTasks } = registrar.registry('routeTasks');
      routeTasks.push(guardRouteTasks(plugin, handler('routeTasks', given)));
    },
    rewriteWorkerPlan(given) {
      const registry = registrar.registry('rewriteWorkerPlan');
      registry.rewrites.push({ plugin, rewrite: handler('rewriteWorkerPlan', given) });
      registry.workerPart('a rewriteWorkerPlan handler');
    },
    registerTable(name, table) {
      const registry = registrar.registry('registerTable');
      const known = tableName('registerTable', name);
      registry.own('table', known);
      registry.table(known, new PluginTableProvider(plugin, `table ${known}`, table, 'config'));
    },
    registerTableFunction(name, tableOf) {
      const registry = registrar.registry('registerTableFunction');
      const known = tableName('registerTableFunction', name);
      const make = handler('registerTableFunction', tableOf);
      registry.own('table function', known);
      const bound: TableFunction = (args) => {
        const table = guarded('plan', plugin, `table function ${known}`, () => make(...args.map(({ value }) => value)));
        return new PluginTableProvider(plugin, `table function ${known}`, table, 'plan');
      };
      registry.tableFunction(known, bound);
    },
    registerNodeCodec(codec) {
      const registry = registrar.registry('registerNodeCodec');
      checkCodec(codec);
      registry.own('node codec', codec.name);
      registry.codec(leafCodec(plugin, codec));
      registry.workerPart(`the node ${codec.name}`);
    },
    workUnitFeed: (options) => new WorkUnitFeed(options),
    desired,
    maximum,
    LeafExec: PluginLeafExec,
    DistributedLeafExec,
    Schema,
    RecordBatch,
    RecordBatchBuilder,
    DistqError,
    field: dataTypes.field,
    types: TYPES,
  };

  function checkCodec<T extends LeafExec>(codec: Partial<NodeCodec<T>>): void {
    const { leaf, name, encode, decode } = codec;
    const isLeaf = typeof leaf === 'function' && LeafExec.prototype.isPrototypeOf(leaf.prototype as object);
    if (isLeaf && typeof name === 'string' && typeof encode === 'function' && typeof decode === 'function') return;
    throw pluginFault('config', plugin, 'registerNodeCodec is given no codec', {
      hint: 'give { leaf: MyLeafExec, name: "MyLeafExec", encode: (leaf) => ({ … }), decode: (fields) => new MyLeafExec(…) }',
    });
  }
}
