import type { DistqError } from '../base/errors.js';
import { sourceExcerpt } from '../base/source-excerpt.js';
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
    lines.push(...sourceExcerpt(source.text, span).map((line) => `  ${line}`));
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
