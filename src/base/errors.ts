/** Who must act, and therefore which exit code the process ends with. One row per kind of failure. */
export const ERROR_KINDS = {
  /** SQL text that does not parse. */
  parse: { exitCode: 3, rank: 100 },
  /** A statement that parses but cannot be planned: unknown names, wrong types, wrong shapes. */
  plan: { exitCode: 3, rank: 100 },
  /** Schemas that do not fit each other inside one plan. */
  schema: { exitCode: 3, rank: 100 },
  /** A construct distq understands and cannot do; the message names it. */
  not_implemented: { exitCode: 3, rank: 100 },
  /** A value that breaks while running: division by zero, overflow, a failed cast. */
  execution: { exitCode: 3, rank: 100 },
  /** Flags, settings, plug-ins. */
  config: { exitCode: 2, rank: 100 },
  /** Files: missing, not Parquet, truncated, corrupt, changed while read, conflicting schemas. */
  data_source: { exitCode: 4, rank: 100 },
  /** A limit was reached: memory, disk, time. The message names the limit, the use and the setting. */
  resources_exhausted: { exitCode: 6, rank: 90 },
  /** A worker process ended before its work did. */
  worker_lost: { exitCode: 5, rank: 80 },
  /** A bug in distq. */
  internal: { exitCode: 1, rank: 70 },
  /** Bytes on a channel that make no sense, or a peer that went away: often the echo of another error. */
  protocol: { exitCode: 5, rank: 60 },
  /** The user or a parent scope stopped it. */
  cancelled: { exitCode: 130, rank: 0 },
} as const;

export type ErrorKind = keyof typeof ERROR_KINDS;

/** A place in a text the user wrote: 1-based line and column, columns in code points; `end*` is exclusive. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** Which task of a distributed query failed, for the detail line of a message. */
export interface TaskLocation {
  readonly stage: number;
  readonly task: number;
  readonly worker: string;
}

export interface ErrorDetails {
  /** File (or `<sql>`, `<stdin>`) the span refers to. */
  readonly file?: string;
  readonly span?: Span;
  /** What to do about it, as a phrase that follows the message. */
  readonly hint?: string;
  readonly task?: TaskLocation;
  readonly cause?: unknown;
}

/**
 * The one error type that crosses rooms and processes.
 *
 * `message` is one sentence in the user's terms (what, and where inside the data); places in texts go to `span`, remedies to `hint`.
 */
export class DistqError extends Error {
  readonly kind: ErrorKind;
  readonly file: string | undefined;
  readonly span: Span | undefined;
  readonly hint: string | undefined;
  readonly task: TaskLocation | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DistqError';
    this.kind = kind;
    this.file = details.file;
    this.span = details.span;
    this.hint = details.hint;
    this.task = details.task;
  }

  get exitCode(): number {
    return ERROR_KINDS[this.kind].exitCode;
  }

  /** The same error with some details filled in; details that are already set win. */
  with(details: ErrorDetails): DistqError {
    const merged = new DistqError(this.kind, this.message, {
      ...definedOnly(details),
      ...definedOnly({
        file: this.file,
        span: this.span,
        hint: this.hint,
        task: this.task,
        cause: this.cause,
      }),
    });
    if (this.stack !== undefined) merged.stack = this.stack;
    return merged;
  }
}

function definedOnly(details: { readonly [K in keyof ErrorDetails]: ErrorDetails[K] | undefined }): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** Any thrown value as a DistqError; what is not one already is a bug and becomes `internal`. */
export function asDistqError(error: unknown): DistqError {
  if (error instanceof DistqError) return error;
  if (error instanceof Error) {
    const wrapped = new DistqError('internal', error.message, { cause: error });
    if (error.stack !== undefined) wrapped.stack = error.stack;
    return wrapped;
  }
  return new DistqError('internal', String(error), { cause: error });
}

/** Throws `internal` when a condition that only a bug can break does not hold. Never for input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition === false || condition === undefined || condition === null || condition === 0 || condition === '') {
    throw new DistqError('internal', message);
  }
}

/** For the impossible end of an exhaustive switch. */
export function unreachable(value: never, what: string): never {
  throw new DistqError('internal', `unexpected ${what}: ${JSON.stringify(value)}`);
}

export function notImplemented(what: string, details: ErrorDetails = {}): DistqError {
  return new DistqError('not_implemented', `${what} is not supported`, details);
}
