import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { boxFacts, boxTitle } from './box-facts.js';

const BOX_WIDTH = 29;
const INNER_WIDTH = BOX_WIDTH - 2;
const HALF = Math.floor(BOX_WIDTH / 2);
const MAX_LINES = 30;
const MAX_WIDTH = 240;

interface Box {
  readonly title: string;
  readonly lines: readonly string[];
  readonly childCount: number;
}

/**
 * What `EXPLAIN FORMAT tree` prints: a box per node, children below their parent, further children to the right. Cut at 240 columns, as
 * DataFusion does by default.
 */
export function renderBoxes(plan: ExecutionPlan): string {
  const grid = new Grid(plan);
  const rows: string[] = [];
  for (let y = 0; y < grid.height; y++) rows.push(topLine(grid, y), ...contentLines(grid, y), bottomLine(grid, y));
  return `${rows.join('\n')}\n`;
}

/** Boxes by place: x counts leaves to the left, y levels. */
class Grid {
  readonly width: number;
  readonly height: number;
  readonly #boxes = new Map<string, Box>();

  constructor(plan: ExecutionPlan) {
    let height = 0;
    const place = (node: ExecutionPlan, x: number, y: number): number => {
      height = Math.max(height, y + 1);
      const box = { title: boxTitle(node), lines: factLines(boxFacts(node)), childCount: node.children.length };
      this.#boxes.set(`${x},${y}`, box);
      let width = 0;
      for (const child of node.children) width += place(child, x + width, y + 1);
      return Math.max(width, 1);
    };
    this.width = place(plan, 0, 0);
    this.height = height;
  }

  at(x: number, y: number): Box | undefined {
    return this.#boxes.get(`${x},${y}`);
  }

  has(x: number, y: number): boolean {
    return this.#boxes.has(`${x},${y}`);
  }

  /** Whether a box stands here or further right. */
  continues(x: number, y: number): boolean {
    for (let i = x; i < this.width; i++) if (this.has(i, y)) return true;
    return false;
  }

  /** Whether the nearest box to the left (or here) has children right of `x`. */
  reachesRight(x: number, y: number): boolean {
    let found = 0;
    for (let i = x; i >= 0; i--) {
      if (this.has(i, y + 1)) found++;
      const box = this.at(i, y);
      if (box !== undefined) return box.childCount > 1 && found < box.childCount;
    }
    return false;
  }
}

function columns(count: number): number[] {
  return Array.from({ length: count }, (_, x) => x).filter((x) => x * BOX_WIDTH < MAX_WIDTH);
}

const BLANK = ' '.repeat(BOX_WIDTH);
const HALF_BLANK = ' '.repeat(HALF);
const HALF_LINE = '─'.repeat(HALF);
const EDGE = '─'.repeat(HALF - 1);

function topLine(grid: Grid, y: number): string {
  return columns(grid.width)
    .map((x) => {
      if (grid.has(x, y)) return `┌${EDGE}${y === 0 ? '─' : '┴'}${EDGE}┐`;
      return grid.continues(x, y) ? BLANK : '';
    })
    .join('');
}

function bottomLine(grid: Grid, y: number): string {
  return columns(grid.width + 1)
    .map((x) => {
      if (grid.has(x, y)) return `└${EDGE}${grid.has(x, y + 1) ? '┬' : '─'}${EDGE}┘`;
      const fills = grid.continues(x, y) || grid.reachesRight(x, y);
      if (grid.has(x, y + 1)) return `${HALF_BLANK}│${fills ? HALF_BLANK : ''}`;
      return fills ? BLANK : '';
    })
    .join('');
}

function contentLines(grid: Grid, y: number): string[] {
  const heights = Array.from({ length: grid.width }, (_, x) => grid.at(x, y)?.lines.length ?? 0);
  const height = Math.max(...heights);
  const middle = Math.ceil(height / 2);
  return Array.from({ length: height + 1 }, (_, line) =>
    columns(grid.width)
      .map((x) => contentCell(grid, x, y, line, middle))
      .join(''),
  );
}

function contentCell(grid: Grid, x: number, y: number, line: number, middle: number): string {
  const box = grid.at(x, y);
  if (box !== undefined) {
    const text = line === 0 ? box.title : (box.lines[line - 1] ?? '');
    return `│${centred(text)}${line === middle && box.childCount > 1 ? '├' : '│'}`;
  }
  const continues = grid.continues(x, y);
  if (line < middle) return continues ? BLANK : '';
  const right = grid.reachesRight(x, y);
  const below = grid.has(x, y + 1);
  if (line > middle) {
    const fills = continues || right;
    if (below) return `${HALF_BLANK}│${fills ? HALF_BLANK : ''}`;
    return fills ? BLANK : '';
  }
  // The line from a parent to its further children.
  if (below && right) return `${HALF_LINE}┬${HALF_LINE}`;
  if (below) return `${HALF_LINE}┐${continues ? HALF_BLANK : ''}`;
  if (right) return '─'.repeat(BOX_WIDTH);
  return continues ? BLANK : '';
}

function centred(text: string): string {
  const { length } = Array.from(text);
  if (length > INNER_WIDTH) return `${text.slice(0, INNER_WIDTH - 3)}...`;
  const spaces = INNER_WIDTH - length;
  return `${' '.repeat(Math.ceil(spaces / 2))}${text}${' '.repeat(Math.floor(spaces / 2))}`;
}

/** The facts sorted by key, short ones on one line, a blank line around longer ones. */
function factLines(facts: readonly string[]): string[] {
  if (facts.length === 0) return [];
  const byKey = new Map(
    facts.map((fact) => {
      const at = fact.indexOf('=');
      return at < 0 ? ([fact, ''] as const) : ([fact.slice(0, at), fact.slice(at + 1)] as const);
    }),
  );
  const lines = ['-'.repeat(BOX_WIDTH - 9)];
  let wantsBlank = false;
  let lastWasShort = false;
  for (const [key, untrimmed] of [...byKey].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const value = untrimmed.trim();
    const isShort = value !== '' && !value.includes('\n') && key.length + value.length + 2 < BOX_WIDTH - 7;
    if (wantsBlank && !(isShort && lastWasShort)) lines.push('');
    const text = value === '' ? key : isShort ? `${key}: ${value}` : `${key}:\n${value}`;
    for (const part of cutMiddle(text.split('\n'))) lines.push(...wrapped(part));
    if (lines.length > MAX_LINES) {
      lines.length = MAX_LINES;
      lines.push('...');
    }
    wantsBlank = true;
    lastWasShort = isShort;
  }
  return lines;
}

function cutMiddle(parts: readonly string[]): readonly string[] {
  if (parts.length <= MAX_LINES) return parts;
  return [...parts.slice(0, MAX_LINES / 2), '...', ...parts.slice(-MAX_LINES / 2)];
}

/** Cut to the box's width before a character that is no part of a word, or anywhere when that would leave less than 8 characters. */
function wrapped(source: string): string[] {
  const chars = Array.from(source);
  const lines: string[] = [];
  let start = 0;
  let split = 0;
  let at = 0;
  let width = 0;
  while (at < chars.length) {
    if (width >= INNER_WIDTH) {
      if (start + 8 > split) split = at;
      lines.push(chars.slice(start, split).join(''));
      // What moves to the next line is counted twice there, as in DataFusion: the line after a split is shorter.
      width = at - split;
      start = split;
      at = split;
    }
    if (!/[A-Za-z0-9_]/.test(chars[at] ?? '')) split = at;
    at++;
    width++;
  }
  if (chars.length > start) lines.push(chars.slice(start).join(''));
  return lines;
}
