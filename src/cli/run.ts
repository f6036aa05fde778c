import { asDistqError, DistqError } from '../base/errors.js';
import { SessionContext } from '../session/session-context.js';
import { renderError } from './render-error.js';
import { type QuerySource, readQuery } from './query-source.js';
import { stdoutDrained } from './output.js';
import { settingsOf, type SharedFlags } from './run-options.js';
import { type Paint, paintFor, type Terminal, terminalOf } from './terminal.js';

/** How long a failed command waits for its reader. */
const UNREAD_MS = 1_000;

/** How long a query has to end after something threw where nobody waits. */
const STRAY_MS = 5_000;
const STRAY_EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** What a command works with. */
export interface Run {
  readonly session: SessionContext;
  readonly source: QuerySource;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly paint: Paint;
  /** A line on stderr unless --quiet. */
  warn(message: string): void;
}

/**
 * The frame around a command: reads the query, makes the session, installs the signals, turns whatever is thrown into a message and
 * an exit code, and cleans up.
 */
export async function runCommand(
  query: string | undefined,
  flags: SharedFlags,
  body: (run: Run) => Promise<void>,
): Promise<void> {
  const stderr = terminalOf(process.stderr, !flags.color);
  const stdout = terminalOf(process.stdout, !flags.color);
  const paint = await paintFor(stderr);
  // A reader of stderr that goes away must not end the query.
  process.stderr.on('error', () => undefined);
  let source: QuerySource | undefined;
  let session: SessionContext | undefined;
  let interrupted: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (interrupted !== undefined) {
      session?.kill();
      process.exit(signalExitCode(signal));
    }
    interrupted = signal;
    session?.cancel(new DistqError('cancelled', signal === 'SIGINT' ? 'interrupted' : 'terminated'));
  };
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, onSignal);
  let stray: DistqError | undefined;
  const onStray = (thrown: unknown): void => {
    // The first is the cause; what it breaks may throw too.
    if (stray !== undefined) return;
    const error = strayError(thrown, flags.plugin);
    stray = error;
    // The query ends as with any other error; what does not even notice that is left behind.
    session?.cancel(error);
    setTimeout(() => {
      process.stderr.write(renderError(error, source, paint));
      session?.kill();
      process.exit(error.exitCode);
    }, STRAY_MS).unref();
  };
  for (const event of STRAY_EVENTS) process.on(event, onStray);
  try {
    const settings = settingsOf(flags);
    source = { ...(await readQuery(query, flags.sql)), replan: flags.replan === true };
    session = await SessionContext.create({ data: flags.data, settings, plugins: flags.plugin });
    if (wasInterrupted()) session.cancel(new DistqError('cancelled', 'interrupted'));
    const early = strayed();
    if (early !== undefined) session.cancel(early);
    await body({
      session,
      source,
      stdout,
      stderr,
      paint,
      warn(message) {
        if (flags.quiet !== true) process.stderr.write(`${message}\n`);
      },
    });
    // One that came when nothing was left to end.
    const late = strayed();
    if (late !== undefined) throw late;
  } catch (thrown) {
    const error = asDistqError(thrown);
    process.exitCode = error.exitCode;
    process.stderr.write(renderError(error, source, paint));
    if (error.kind === 'internal' && process.env.DISTQ_DEBUG !== undefined) {
      process.stderr.write(`${error.stack ?? ''}\n`);
    }
  } finally {
    await session?.close();
    for (const signal of signals) process.off(signal, onSignal);
    for (const event of STRAY_EVENTS) process.off(event, onStray);
    const signal = wasInterrupted();
    if (signal !== undefined) process.exitCode = signalExitCode(signal);
    await leave();
  }

  /** Functions, since the compiler cannot know that a handler assigns. */
  function strayed(): DistqError | undefined {
    return stray;
  }

  function wasInterrupted(): NodeJS.Signals | undefined {
    return interrupted;
  }
}

/** After a failure what the reader has not taken is given up after a while; Node would wait for it for ever. */
async function leave(): Promise<void> {
  const code = process.exitCode;
  if (code === undefined || code === 0 || process.stdout.writableLength === 0) return;
  await stdoutDrained(UNREAD_MS);
  process.exit();
}

/** What was thrown in a callback that nobody waits for: a bug of distq, or of a plug-in where there is one. */
function strayError(thrown: unknown, plugins: readonly string[]): DistqError {
  const { message, stack } = asDistqError(thrown);
  const error = new DistqError(
    plugins.length === 0 ? 'internal' : 'execution',
    `a callback threw where nothing waits for it: ${message}`,
    {
      cause: thrown,
      ...(plugins.length === 0
        ? {}
        : { hint: `look for timers and promises without a catch in ${plugins.join(', ')}` }),
    },
  );
  if (stack !== undefined) error.stack = stack;
  return error;
}

function signalExitCode(signal: NodeJS.Signals): number {
  return signal === 'SIGINT' ? 130 : 143;
}
