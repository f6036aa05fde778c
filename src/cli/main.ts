import { readFileSync } from 'node:fs';
import { packageJsonUrl } from '../base/assets.js';

/**
 * The program: argv (without node and script) → bytes on stdout and stderr → the exit code of the process.
 * `--version` is answered here, before anything heavy is loaded. Never calls process.exit: what was written must leave first.
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`distq ${packageVersion()}\n`);
    return;
  }
  const [{ CommanderError }, { makeProgram, usageExitCode }] = await Promise.all([
    import('commander'),
    import('./program.js'),
  ]);
  const program = makeProgram(`distq ${packageVersion()}`);
  if (argv.length === 0) {
    process.stderr.write(program.helpInformation());
    process.exitCode = usageExitCode(1);
    return;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = usageExitCode(error.exitCode);
  }
}

function packageVersion(): string {
  const about: unknown = JSON.parse(readFileSync(packageJsonUrl(), 'utf8'));
  if (typeof about === 'object' && about !== null && 'version' in about && typeof about.version === 'string') {
    return about.version;
  }
  return 'unknown';
}
