import type { DistqError } from '../base/errors.js';
import type { Paint } from './terminal.js';

export interface SourceText {
  /** How the text is called in places: a file name, `<sql>` or `<stdin>`. */
  readonly name: string;
  readonly text: string;
}

/**
 * An error for people: `file:line:column: error: message`, the line with a caret under the place, the hint, the task.
 * No stack; `internal` asks for a report.
 */
export function renderError(error: DistqError, source: SourceText | undefined, paint: Paint): string {
  const lines: string[] = [];
  const span = error.span;
  const file = error.file ?? source?.name;
  const place = span === undefined || file === undefined ? '' : `${file}:${span.line}:${span.column}: `;
  lines.push(`${paint.bold(place)}${paint.red(paint.bold('error:'))} ${error.message}`);
  if (span !== undefined && source !== undefined && file === source.name) {
    const line = source.text.split(/\r\n|\n|\r/)[span.line - 1];
    if (line !== undefined) lines.push(...caret(line, span.column, spanWidth(span, line)));
  }
  if (error.hint !== undefined) lines.push(`${paint.cyan('hint:')} ${error.hint}`);
  if (error.task !== undefined) {
    const { stage, task, worker } = error.task;
    lines.push(paint.dim(stage === 0 ? 'in the head stage' : `in stage ${stage}, task ${task}, on ${worker}`));
  }
  if (error.kind === 'internal') {
    lines.push('This is a bug in distq. Please report it with the query, and with DISTQ_DEBUG=1 set for the stack.');
  }
  return `${lines.join('\n')}\n`;
}

function spanWidth(span: NonNullable<DistqError['span']>, line: string): number {
  const end = span.endLine === undefined || span.endLine === span.line ? span.endColumn : Array.from(line).length + 1;
  return Math.max(1, (end ?? span.column + 1) - span.column);
}

/** The line and a caret below it. Long lines are cut around the place; tabs stay tabs so that the caret lines up. */
function caret(line: string, column: number, width: number): string[] {
  const points = Array.from(line.replace(/^\uFEFF/, ''));
  const limit = 100;
  const from = points.length > limit ? Math.max(0, Math.min(column - 1 - limit / 2, points.length - limit)) : 0;
  const shown = points.slice(from, from + limit);
  const before = shown.slice(0, Math.max(0, column - 1 - from)).map((point) => (point === '\t' ? '\t' : ' '));
  const marks = '^'.repeat(Math.max(1, Math.min(width, shown.length - before.length)));
  return [`  ${shown.join('')}`, `  ${before.join('')}${marks}`];
}

/** One JSON document for `--metrics-format json` users. */
export function errorJson(error: DistqError): string {
  return JSON.stringify({
    error: {
      kind: error.kind,
      exit: error.exitCode,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.span === undefined ? {} : { location: { file: error.file ?? null, ...error.span } }),
      ...(error.task === undefined ? {} : { task: error.task }),
    },
  });
}
