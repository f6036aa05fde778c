import { Argument, Command, Option } from 'commander';
import { ERROR_KINDS } from '../base/errors.js';
import type { ExecFlags } from './commands/exec.js';
import type { ExplainFlags } from './commands/explain.js';
import type { ExplainFormat } from '../session/explain-text.js';
import { FORMATS } from './formats/index.js';
import { addSharedOptions, collect } from './run-options.js';

const EXIT_CODES = `
Exit codes:
  0  success, also when the reader closed the pipe
  1  internal error: a bug in distq
  2  usage and settings
  3  the query: syntax, unknown names, unsupported constructs, division by zero, overflow, casts
  4  the data: missing, not Parquet, corrupt, changed, conflicting schemas
  5  a worker was lost
  6  a limit: memory, time
  7  --fail-on found something
  130, 143  interrupted`;

/** Named here, not taken from the room that prints them: help should not load it. */
const EXPLAIN_FORMATS: readonly ExplainFormat[] = ['tree', 'indent', 'json', 'dot', 'mermaid', 'svg', 'html'];

const QUERY_HELP =
  "a file: .sql, .json or .yaml (query spec, stored plan), .plan or .txt (what DataFusion's EXPLAIN printed); - for standard input (or give --sql '<text>')";

/** The command line as commander knows it; each command's code is loaded when it runs. */
export function makeProgram(version: string): Command {
  const program = new Command('distq')
    .description(
      'Plans SQL over Parquet directories as a distributed engine does, shows the plan, runs it on local processes.',
    )
    .version(version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(distq --help shows examples)')
    .configureHelp({ sortSubcommands: false })
    .addHelpText(
      'before',
      `Examples:
  distq exec query.sql --data ./tables
  distq explain --sql 'select count(*) from lineitem' --data ./tables --workers 4
  distq exec --sql "select * from 'events/*.parquet' limit 5" --json | jq .
`,
    )
    .addHelpText('after', EXIT_CODES);

  addSharedOptions(
    program
      .command('exec')
      .summary('run a query: rows on stdout, everything else on stderr')
      .description('Runs a query: rows on stdout, everything else on stderr.')
      .addArgument(new Argument('[query]', QUERY_HELP)),
  )
    .addOption(new Option('--format <name>', 'how rows are printed').choices(Object.keys(FORMATS)).default('table'))
    .option('--json', 'the same as --format json')
    .option('--json-numbers <form>', 'exact, or string to quote int64 and decimals', 'exact')
    .option('--max-rows <n>', 'rows that the formats for people show', '40')
    .addOption(
      new Option('--metrics <level>', 'what stderr tells about the run')
        .choices(['none', 'summary', 'full'])
        .default('summary'),
    )
    .addOption(
      new Option('--metrics-format <form>', 'a table, or one JSON document')
        .choices(['table', 'json'])
        .default('table'),
    )
    .addHelpText(
      'after',
      `
Examples:
  distq exec query.sql --data ./tables
  distq exec printed-by-datafusion.plan
  cat query.sql | distq exec - --data orders=/data/orders --format csv -o result.csv
  distq exec --sql "select * from 'events/*.parquet' limit 5" --metrics full`,
    )
    .action(async (query: string | undefined, flags: ExecFlags) => {
      const { exec } = await import('./commands/exec.js');
      await exec(query, flags);
    });

  addSharedOptions(
    program
      .command('explain')
      .summary('print the plan of a query; --analyze also runs it')
      .description('Prints the plan of a query; --analyze also runs it and adds metrics.')
      .addArgument(new Argument('[query]', QUERY_HELP)),
  )
    .addOption(
      new Option('--plan <which>', 'which plan')
        .choices(['logical', 'physical', 'distributed', 'all'])
        .default('distributed'),
    )
    .addOption(new Option('--format <form>', 'tree is the stage tree').choices(EXPLAIN_FORMATS).default('tree'))
    .option('--analyze', 'run the query and add metrics to the plan')
    .addOption(
      new Option('--task-view <view>', 'what the tree tells of tasks: a line each, or ranges of partitions')
        .choices(['variants', 'ranges'])
        .default('variants'),
    )
    .option('--collapse', 'one line per leaf: files and bytes of each task')
    .option('--annotate', 'explain each kind of operator where it first appears')
    .option('--diff <query>', 'compare with the plan of another query, node by node')
    .addOption(
      new Option('--diff-set <key=value>', 'compare with the plan under another setting (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--lint', 'tell what looks wrong in the plan, with advice: on stderr, or in the JSON document')
    .addOption(
      new Option('--fail-on <what>', 'exit with 7 if lint finds this: an id, error, warning or any (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .addHelpText(
      'after',
      `
Examples:
  distq explain query.sql --data ./tables --workers 4
  distq explain --sql 'select count(*) from lineitem' --data ./tables --analyze
  distq explain query.sql --data ./tables --format json
  distq explain query.sql --data ./tables --collapse --annotate
  distq explain query.sql --data ./tables --format html -o plan.html
  distq explain printed-by-datafusion.plan --workers 8
  distq explain query.sql --data ./tables --diff-set distributed.broadcast_joins=false

A small table runs in one task; to see how a large one is spread:
  --set distributed.file_scan_config_bytes_per_partition=1`,
    )
    .action(async (query: string | undefined, flags: ExplainFlags) => {
      const { explain } = await import('./commands/explain.js');
      await explain(query, flags);
    });

  program
    .command('config')
    .summary('list all settings with their defaults')
    .description('Lists all settings with their defaults; change them with --set or SET.')
    .action(async () => {
      const { config } = await import('./commands/config.js');
      config();
    });
  return program;
}

/** The exit code of commander's own errors: help is fine, everything else is usage. */
export function usageExitCode(commanderCode: number): number {
  return commanderCode === 0 ? 0 : ERROR_KINDS.config.exitCode;
}
