import { Option, type Command } from 'commander';
import { availableParallelism } from 'node:os';
import { parseByteSize, parseDuration } from '../base/units.js';
import { DistqError } from '../base/errors.js';

/** What `explain` and `exec` share, as commander delivers it. */
export interface SharedFlags {
  readonly sql?: string;
  readonly data: readonly string[];
  readonly plugin: readonly string[];
  readonly workers?: string;
  readonly partitions?: string;
  readonly set: readonly string[];
  readonly memory?: string;
  readonly timeout?: string;
  readonly output?: string;
  readonly force?: true;
  readonly replan?: true;
  readonly quiet?: true;
  readonly color: boolean;
}

export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Adds the shared flags to a command. */
export function addSharedOptions(command: Command): Command {
  return command
    .option('--sql <text>', 'run this text instead of a file')
    .addOption(
      new Option('--data <dir>', 'directory of tables, or name=path for one table (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option(
      '--workers <n>',
      `logical workers, most tasks per stage (default: available cores, here ${defaultWorkers()})`,
    )
    .option('--partitions <n>', 'partitions per task (default: 2)')
    .addOption(
      new Option('--set <key=value>', 'a setting, as in SET (repeatable)').argParser(collect).default([], 'none'),
    )
    .addOption(
      new Option('--plugin <module>', 'a JavaScript module that adds tables, leaves or planning rules (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--memory <size>', 'memory budget over all processes, e.g. 2GiB (default: from the machine)')
    .option('--replan', 'plan a stored plan (explain --format json) anew with the flags given')
    .option('--timeout <time>', 'stop the query after this time, e.g. 30s (default: none)')
    .option('-o, --output <file>', 'write the answer to a file, renamed when complete')
    .option('--force', 'let --output overwrite a file')
    .option('--quiet', 'no warnings, no metrics; errors only')
    .option('--no-color', 'no colours (also NO_COLOR)');
}

/** Available cores, at most 16. */
function defaultWorkers(): number {
  return Math.min(16, availableParallelism());
}

/** The settings that the flags stand for, in order: flags first, then `--set` in the order given. */
export function settingsOf(flags: SharedFlags): [string, string][] {
  const settings: [string, string][] = [];
  if (flags.workers !== undefined) settings.push(['distq.workers', positive(flags.workers, '--workers')]);
  if (flags.partitions !== undefined) {
    settings.push(['execution.target_partitions', positive(flags.partitions, '--partitions')]);
  }
  if (flags.memory !== undefined) {
    settings.push(['distq.memory_bytes', String(memoryBudget(flags.memory))]);
  }
  if (flags.timeout !== undefined) {
    settings.push(['distq.timeout_ms', String(parseDuration(flags.timeout, '--timeout'))]);
  }
  for (const pair of flags.set) {
    const equals = pair.indexOf('=');
    if (equals <= 0) {
      throw new DistqError('config', `--set needs key=value, not "${pair}"`, {
        hint: 'for example --set execution.batch_size=4096',
      });
    }
    settings.push([pair.slice(0, equals), pair.slice(equals + 1)]);
  }
  return settings;
}

/** A process takes 64 MiB before it works; what is less than that and some room to work in cannot run anything. */
const MIN_MEMORY_BYTES = 96 * 2 ** 20;

function memoryBudget(text: string): number {
  const bytes = parseByteSize(text, '--memory');
  if (bytes >= MIN_MEMORY_BYTES) return bytes;
  throw new DistqError('config', `--memory cannot be "${text}"`, { hint: 'give at least 96MiB' });
}

function positive(text: string, flag: string): string {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new DistqError('config', `${flag} cannot be "${text}"`, { hint: 'give an integer of at least 1' });
  }
  return text;
}
