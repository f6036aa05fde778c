import { readFileSync } from 'node:fs';
import { packageJsonUrl } from '../base/assets.js';

/**
 * The program: argv (without node and script) → bytes on stdout and stderr → the exit code of the process.
 * `--version` is answered here, before anything heavy is loaded.
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`distq ${packageVersion()}\n`);
    return;
  }
  process.stderr.write('Usage: distq --version\n');
  process.exitCode = 2;
}

function packageVersion(): string {
  const about: unknown = JSON.parse(readFileSync(packageJsonUrl(), 'utf8'));
  if (typeof about === 'object' && about !== null && 'version' in about && typeof about.version === 'string') {
    return about.version;
  }
  return 'unknown';
}
