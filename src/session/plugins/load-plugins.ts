import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asDistqError, DistqError } from '../../base/errors.js';
import { describeValue } from '../../distributed/handlers/check-answers.js';
import { makePluginApi } from './make-api.js';
import { PLUGIN_API_VERSION, type Plugin } from './plugin-api.js';
import { firstLine, pluginFault } from './plugin-fault.js';
import { PluginSet } from './plugin-set.js';

/** How long a plug-in may take to load: one that waits for ever must not hang a command. */
const LOAD_MS = 10_000;

/** A plug-in as a session is given it: the path (relative to `cwd`) or file URL of a module, or the function itself. */
export type PluginReference = string | URL | Plugin;

/** One that a worker process can load too. */
export interface PluginModule {
  readonly url: string;
  /** As it was given, for messages. */
  readonly name: string;
}

/**
 * Loads plug-ins in the order given and collects what they register. A module that is named twice is loaded once.
 *
 * Errors: `config`, one sentence with the plug-in's file: not found, not loadable, no default function, another API version, throws or
 * takes more than 10 s.
 */
export async function loadPlugins(references: readonly PluginReference[], cwd: string): Promise<PluginSet> {
  const set = new PluginSet();
  const seen = new Set<string>();
  for (const reference of references) {
    if (typeof reference === 'function') {
      const name = reference.name === '' ? 'function' : reference.name;
      await register(set, reference, { name, url: null });
      continue;
    }
    const module = await findModule(reference, cwd);
    if (seen.has(module.url)) continue;
    seen.add(module.url);
    set.modules.push(module);
    await register(set, await importPlugin(module), module);
  }
  return set;
}

/** In a worker: what the coordinator loaded, by URL. */
export async function loadPluginModules(modules: readonly PluginModule[]): Promise<PluginSet> {
  const set = new PluginSet();
  for (const module of modules) {
    set.modules.push(module);
    await register(set, await importPlugin(module), module);
  }
  return set;
}

async function findModule(reference: string | URL, cwd: string): Promise<PluginModule> {
  const name = String(reference);
  const isUrl = reference instanceof URL || /^[a-z][a-z0-9+.-]+:\/\//i.test(reference);
  if (isUrl && !name.startsWith('file:')) {
    throw pluginFault('config', { name }, 'only files can be loaded', { hint: 'give a path or a file: URL' });
  }
  const path = isUrl ? fileURLToPath(reference) : resolve(cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) {
    const what = found === undefined ? 'there is no such file' : 'it is no file';
    throw pluginFault('config', { name }, what, {
      hint: 'paths are relative to the working directory; name the module itself, such as ./plug-in.mjs',
    });
  }
  return { url: pathToFileURL(path).href, name };
}

async function importPlugin({ url, name }: PluginModule): Promise<Plugin> {
  const loaded = await withinTime(name, async () => (await import(url)) as Readonly<Record<string, unknown>>);
  const version = loaded['apiVersion'];
  if (version !== undefined && version !== PLUGIN_API_VERSION) {
    throw pluginFault('config', { name }, `it is written for version ${describeValue(version)} of the API`, {
      hint: `this distq has version ${PLUGIN_API_VERSION}: use a plug-in made for it`,
    });
  }
  const plugin = loaded['default'];
  if (!isPlugin(plugin)) {
    const what = plugin === undefined ? 'it exports no default' : 'its default export is no function';
    throw pluginFault('config', { name }, what, { hint: 'write export default (distq) => { … }' });
  }
  return plugin;
}

function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'function';
}

async function register(
  set: PluginSet,
  plugin: Plugin,
  about: PluginModule | { name: string; url: null },
): Promise<void> {
  const origin = { name: about.name, file: about.url === null ? about.name : basename(fileURLToPath(about.url)) };
  const scope = set.begin({ ...origin, isFunction: about.url === null });
  await withinTime(about.name, async () => {
    await plugin(makePluginApi(scope));
  });
  scope.end();
}

async function withinTime<T>(name: string, load: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        pluginFault('config', { name }, `it was not loaded within ${LOAD_MS / 1000} s`, {
          hint: 'what takes long belongs into the rows of a leaf or into a feed',
        }),
      );
    }, LOAD_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    // What distq itself found names the plug-in already.
    if (error instanceof DistqError && error.kind === 'config') throw error;
    throw pluginFault('config', { name }, `it could not be loaded: ${firstLine(asDistqError(error).message)}`, {
      hint: 'correct the plug-in, or leave it out',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
