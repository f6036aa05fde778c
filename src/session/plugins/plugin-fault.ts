import { asDistqError, DistqError, type ErrorKind } from '../../base/errors.js';

/** A plug-in as messages call it. */
export interface PluginOrigin {
  /** As it was given: a path, a URL, or the name of a function. */
  readonly name: string;
}

/** A fault of a plug-in: its file, which of its parts, what went wrong. */
export function pluginFault(
  kind: ErrorKind,
  { name }: PluginOrigin,
  what: string,
  { hint, cause }: { readonly hint: string; readonly cause?: unknown },
): DistqError {
  return new DistqError(kind, `plug-in ${name}: ${what}`, { hint, ...(cause === undefined ? {} : { cause }) });
}

/**
 * Runs a part of a plug-in; whatever it throws comes out as a fault of the plug-in. A DistqError keeps its kind and hint, anything else
 * gets `kind`.
 */
export function guarded<T>(kind: ErrorKind, origin: PluginOrigin, part: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const known = error instanceof DistqError ? error : undefined;
    throw pluginFault(known?.kind ?? kind, origin, `${part} failed: ${firstLine(asDistqError(error).message)}`, {
      hint: known?.hint ?? 'correct the plug-in, or leave it out',
      cause: error,
    });
  }
}

/** Messages are one sentence; Node's own may go on for lines. */
export function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}
