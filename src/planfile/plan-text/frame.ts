import { DistqError } from '../../base/errors.js';
import { codePointsBefore, type PlanLine } from './plan-line.js';

/** The parts of an EXPLAIN that are read. */
export interface PlanSections {
  /** Empty where the text has none. */
  readonly logical: readonly PlanLine[];
  readonly physical: readonly PlanLine[];
}

/** A line of a plan's text with where it began in the file. */
interface RawLine {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

interface Section {
  readonly title: string;
  readonly lines: RawLine[];
}

const BORDER = /^\s*\+(-+\+)+\s*$/;

/** Titles of rows, and of sections of plain text. */
const TITLE = /^(?:==\s*)?(logical[_ ]plan|physical[_ ]plan|plan with metrics)(?:\s*==)?:?\s*$/i;

/**
 * The logical and the physical plan in a text that holds EXPLAIN's answer: the table that DataFusion's command line and `show()` print,
 * the columns that pyarrow prints, or the plans as they are, with or without titles. No physical plan is a `parse` error.
 */
export function planSections(text: string): PlanSections {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ text: line, line: index + 1, column: 1 }));
  const cut = lines.find((line) => /\(\.\.\. \d+ chars omitted\)/.test(line.text));
  if (cut !== undefined) {
    const column = codePointsBefore(cut.text, cut.text.search(/\(\.\.\. \d+ chars/)) + 1;
    throw new DistqError('parse', 'pyarrow has left a part of the plan out', {
      span: { line: cut.line, column },
      hint: 'print it with show() of the DataFrame',
    });
  }
  const first = lines.find((line) => line.text.trim() !== '');
  if (first !== undefined && /^[┌│└]/.test(first.text.trim())) throw boxes(first.line);
  const sections = sectionsOf(lines);
  const of = (...titles: string[]): RawLine[] =>
    sections.find(({ title, lines: found }) => titles.includes(title) && found.length > 0)?.lines ?? [];
  const physical = of('physical plan', 'plan with metrics');
  if (physical.length === 0) throw noPhysicalPlan(text, lines);
  return { logical: planLines(of('logical plan')), physical: planLines(physical) };
}

/** Whether a text begins as EXPLAIN's answer does: a frame, a title, or a physical node. */
export function isPlanText(text: string): boolean {
  const start = text
    .slice(0, 100_000)
    .trimStart()
    .replace(/^\uFEFF?(?:DataFrame\(\)\s*)?/, '');
  if (/^\+-+\+/.test(start)) return true;
  const first = (start.split('\n', 1)[0] ?? '').trim();
  return (
    TITLE.test(first) ||
    first === 'pyarrow.Table' ||
    first === 'pyarrow.RecordBatch' ||
    /^(?:\d+\))?[A-Z]\w*Exec(?::|$)/.test(first)
  );
}

function sectionsOf(lines: readonly RawLine[]): Section[] {
  if (lines.some(({ text }) => BORDER.test(text))) return tableSections(lines);
  const arrow = lines.findIndex(({ text }) => /^plan: \[{1,2}"/.test(text));
  if (arrow >= 0) return arrowSections(lines, arrow);
  return plainSections(lines);
}

/** Rows of `| title | text |`; a row without a title goes on with the one above. */
function tableSections(lines: readonly RawLine[]): Section[] {
  const border = lines.find(({ text }) => BORDER.test(text))?.text ?? '';
  // Titles are ASCII, so the first column is as wide as its border; the second is cut at the line's end.
  const start = border.indexOf('+');
  const divider = border.indexOf('+', start + 1);
  const two = border.indexOf('+', divider + 1) > 0;
  const sections: Section[] = [];
  for (const { text, line } of lines) {
    if (BORDER.test(text) || text.charAt(start) !== '|') continue;
    const title = two ? text.slice(start + 1, divider).trim() : '';
    const from = two ? divider + 2 : start + 2;
    const content = { text: text.slice(from).replace(/ *\|?\s*$/, ''), line, column: from + 1 };
    if (title === 'plan_type') continue;
    const last = sections.at(-1);
    if (title !== '' || last === undefined) sections.push({ title: sectionTitle(title), lines: [content] });
    else last.lines.push(content);
  }
  return two ? sections : plainSections(sections.flatMap((section) => section.lines));
}

/** `plan: [["…","…"]]`, the texts as they are, over several lines. */
function arrowSections(lines: readonly RawLine[], at: number): Section[] {
  const titles = [...(lines.find(({ text }) => /^plan_type: \[/.test(text))?.text ?? '').matchAll(/"([^"]*)"/g)];
  const sections: Section[] = [];
  const add = (text: string, line: number, column: number): void => {
    sections.at(-1)?.lines.push({ text, line, column });
  };
  for (const { text, line } of lines.slice(at)) {
    let rest = text;
    let column = 1;
    const open = /^plan: \[{1,2}"/.exec(text);
    if (line === lines[at]?.line && open !== null) {
      sections.push({ title: sectionTitle(titles[0]?.[1] ?? ''), lines: [] });
      rest = text.slice(open[0].length);
      column += open[0].length;
    }
    // A text ends where the next begins, which is at the name of a node.
    const next = /"\s*,\s*"(?=[A-Z]\w*(?::|Exec|\b))/.exec(rest);
    if (next !== null && sections.length < titles.length) {
      add(rest.slice(0, next.index), line, column);
      const skipped = next.index + next[0].length;
      sections.push({ title: sectionTitle(titles[sections.length]?.[1] ?? ''), lines: [] });
      rest = rest.slice(skipped);
      column += skipped;
    }
    const end = /"\]{1,2}\s*$/.exec(rest);
    add(end === null ? rest : rest.slice(0, end.index), line, column);
    if (end !== null) break;
  }
  return sections;
}

function plainSections(lines: readonly RawLine[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const title = TITLE.exec(line.text.trim());
    if (title !== null) sections.push({ title: sectionTitle(title[1] ?? ''), lines: [] });
    else if (sections.length > 0) sections.at(-1)?.lines.push(line);
    else if (line.text.trim() !== '') sections.push({ title: untitled(line.text), lines: [line] });
  }
  return sections;
}

/** What a text without titles is: physical nodes end in `Exec`. */
function untitled(first: string): string {
  return /^[\s\d)-]*[A-Z]\w*(:|$)/.test(first) && !/^[\s\d)-]*\w*Exec\b/.test(first) ? 'logical plan' : 'physical plan';
}

function sectionTitle(title: string): string {
  return title.trim().toLowerCase().replaceAll('_', ' ');
}

/** The lines with their levels; blank ones fall away. `01)--Name` is how test files number them. */
function planLines(lines: readonly RawLine[]): PlanLine[] {
  const result: PlanLine[] = [];
  for (const { text, line, column } of lines) {
    const trimmed = text.trimEnd();
    if (trimmed === '') continue;
    const [indent = ''] = /^\s*(?:\d+\)(?:--)*)?/.exec(trimmed) ?? [];
    const depth = indent.replace(/^\s*\d+\)/, '').length;
    const shown = trimmed.slice(indent.length);
    result.push({ text: withEmptyOperand(shown), level: depth / 2, line, column: column + indent.length });
  }
  return result;
}

/** An empty string prints as nothing: the blank before it, cut off with a frame's padding, is what it leaves. */
function withEmptyOperand(text: string): string {
  return / (?:[=<>]|[!<>]=|~\*?|!~\*?|I?LIKE|\|\|)$/.test(text) ? `${text} ` : text;
}

function noPhysicalPlan(text: string, lines: readonly RawLine[]): DistqError {
  const first = lines.find((line) => line.text.trim() !== '');
  const span = { line: first?.line ?? 1, column: 1 };
  if (text.trim() === '') return new DistqError('parse', 'the plan file is empty', { span, hint: EXPLAIN_IT });
  if (/[┌│└]/.test(text)) return boxes(span.line);
  return new DistqError('parse', 'the text holds no physical plan', { span, hint: EXPLAIN_IT });
}

function boxes(line: number): DistqError {
  return new DistqError('parse', 'the boxes of EXPLAIN FORMAT TREE leave out what a plan needs', {
    span: { line, column: 1 },
    hint: 'print it with EXPLAIN FORMAT INDENT',
  });
}

const EXPLAIN_IT = "give what DataFusion's EXPLAIN FORMAT INDENT prints, both rows of it";
