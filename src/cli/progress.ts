import type { StageProgress } from '../session/data-frame.js';
import { countText } from '../base/units.js';
import type { Terminal } from './terminal.js';

/** Nothing is shown for runs that end sooner: most queries are done before a line could be read. */
const QUIET_MS = 300;

export interface ProgressLines {
  show(stages: readonly StageProgress[]): void;
  /** Takes the lines away, so that what follows stands alone. */
  clear(): void;
}

const NO_LINES: ProgressLines = {
  show() {
    // Not a terminal, or asked to be quiet.
  },
  clear() {
    // Nothing was shown.
  },
};

/** A line per stage on stderr while a query runs; only on a terminal. Updates come at most four times a second. */
export async function progressLines(terminal: Terminal, quiet: boolean): Promise<ProgressLines> {
  if (!terminal.isTerminal || quiet || process.env['CI'] !== undefined) return NO_LINES;
  const { createLogUpdate } = await import('log-update');
  const log = createLogUpdate(process.stderr, { showCursor: true });
  const startMs = performance.now();
  return {
    show(stages) {
      if (performance.now() - startMs < QUIET_MS) return;
      log(stages.map((stage) => stageLine(stage, terminal.columns)).join('\n'));
    },
    clear() {
      log.clear();
    },
  };
}

/** `stage 3  [####······]  2/4 tasks  1,234,567 rows` */
function stageLine({ stage, tasks, finished, rows }: StageProgress, columns: number): string {
  const width = Math.max(4, Math.min(24, columns - 48));
  const done = tasks === 0 ? width : Math.round((finished / tasks) * width);
  const bar = `[${'#'.repeat(done)}${'·'.repeat(width - done)}]`;
  const name = stage === 0 ? 'head   ' : `stage ${stage}`.padEnd(7);
  return `${name}  ${bar}  ${finished}/${tasks} ${tasks === 1 ? 'task' : 'tasks'}  ${countText(rows)} rows`.slice(
    0,
    columns,
  );
}
