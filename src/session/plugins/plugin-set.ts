import type { TableFunction, TableProvider } from '../../catalog/data-source.js';
import { DISTRIBUTED_PLAN_CODECS } from '../../distributed/operators/index.js';
import {
  type DesiredTaskCountHandler,
  type DistributionHandlers,
  type RouteTasksHandler,
  type ScaleUpLeafHandler,
  withBuiltIns,
} from '../../distributed/handlers.js';
import type { OperatorCodec } from '../../physical/execution-plan.js';
import { OPERATOR_CODECS } from '../../physical/operators/index.js';
import type { RewriteWorkerPlan } from './plugin-api.js';
import type { PluginModule } from './load-plugins.js';
import { type PluginOrigin, pluginFault } from './plugin-fault.js';

/** A plug-in while it registers and later in messages. */
export interface PluginIdentity extends PluginOrigin {
  /** The module's file name: what a stored plan says of its nodes. */
  readonly file: string;
  /** A function of this process; workers cannot load it. */
  readonly isFunction: boolean;
}

export interface RegisteredRewrite {
  readonly plugin: PluginIdentity;
  readonly rewrite: RewriteWorkerPlan;
}

const BUILT_IN = new Set([...OPERATOR_CODECS, ...DISTRIBUTED_PLAN_CODECS].map(({ kind }) => kind));

/** Everything that the plug-ins of a session registered, in order. */
export class PluginSet {
  readonly modules: PluginModule[] = [];
  readonly #desiredTaskCount: DesiredTaskCountHandler[] = [];
  readonly #scaleUpLeaf: ScaleUpLeafHandler[] = [];
  readonly #routeTasks: RouteTasksHandler[] = [];
  readonly #rewrites: RegisteredRewrite[] = [];
  readonly #tables = new Map<string, TableProvider>();
  readonly #tableFunctions = new Map<string, TableFunction>();
  readonly #codecs = new Map<string, OperatorCodec>();
  readonly #owners = new Map<string, PluginIdentity>();
  #handlers: DistributionHandlers | undefined;
  #workerPart: string | null = null;

  /** Custom handlers in their order, then the built-in ones. */
  get handlers(): DistributionHandlers {
    this.#handlers ??= withBuiltIns({
      desiredTaskCount: this.#desiredTaskCount,
      scaleUpLeaf: this.#scaleUpLeaf,
      routeTasks: this.#routeTasks,
    });
    return this.#handlers;
  }

  get rewrites(): readonly RegisteredRewrite[] {
    return this.#rewrites;
  }

  get tables(): ReadonlyMap<string, TableProvider> {
    return this.#tables;
  }

  get tableFunctions(): ReadonlyMap<string, TableFunction> {
    return this.#tableFunctions;
  }

  get codecs(): readonly OperatorCodec[] {
    return [...this.#codecs.values()];
  }

  /** What a function registered that worker processes would need, or null: they can load modules only. */
  get onlyInThisProcess(): string | null {
    return this.#workerPart;
  }

  /** Registers for one plug-in, until `end`. */
  begin(plugin: PluginIdentity): Registrar {
    return new Registrar(plugin, {
      desiredTaskCount: this.#desiredTaskCount,
      scaleUpLeaf: this.#scaleUpLeaf,
      routeTasks: this.#routeTasks,
      rewrites: this.#rewrites,
      own: (what, name) => {
        const key = `${what} ${name}`;
        const owner = this.#owners.get(key);
        if (owner !== undefined) {
          throw pluginFault('config', plugin, `${owner.name} registers a ${key} already`, {
            hint: 'give one of them another name, or leave one plug-in out',
          });
        }
        this.#owners.set(key, plugin);
      },
      table: (name, table) => {
        this.#tables.set(name, table);
      },
      tableFunction: (name, tableOf) => {
        this.#tableFunctions.set(name, tableOf);
      },
      codec: (codec) => {
        if (BUILT_IN.has(codec.kind)) {
          throw pluginFault('config', plugin, `${codec.kind} is a node of distq itself`, {
            hint: 'give the leaf another name',
          });
        }
        this.#codecs.set(codec.kind, codec);
      },
      workerPart: (part) => {
        if (plugin.isFunction) this.#workerPart ??= `the function ${plugin.name} registers ${part}`;
      },
    });
  }
}

/** A session without plug-ins. */
export function noPlugins(): PluginSet {
  return new PluginSet();
}

interface Registry {
  readonly desiredTaskCount: DesiredTaskCountHandler[];
  readonly scaleUpLeaf: ScaleUpLeafHandler[];
  readonly routeTasks: RouteTasksHandler[];
  readonly rewrites: RegisteredRewrite[];
  /** Claims a name; a second claim is an error. */
  own(what: string, name: string): void;
  table(name: string, table: TableProvider): void;
  tableFunction(name: string, tableOf: TableFunction): void;
  codec(codec: OperatorCodec): void;
  workerPart(part: string): void;
}

/** One plug-in's way into the set: open while its default export runs. */
export class Registrar {
  readonly plugin: PluginIdentity;
  readonly #registry: Registry;
  #open = true;

  constructor(plugin: PluginIdentity, registry: Registry) {
    this.plugin = plugin;
    this.#registry = registry;
  }

  /** The registry, as long as registering is allowed. */
  registry(what: string): Registry {
    if (this.#open) return this.#registry;
    throw pluginFault('config', this.plugin, `${what} is called after the plug-in was loaded`, {
      hint: 'register in the default function, or await there what registers',
    });
  }

  end(): void {
    this.#open = false;
  }
}
