import { cutText, type OutlineEdge, type OutlineNode, type OutlineStage } from '../outline.js';
import { formatBytes } from '../metric-text.js';

/** Sizes in px. Text is monospaced; a character is never wider than this part of its font size in the fonts that are asked for. */
const CHARACTER_WIDTH = 0.61;
const FONT = 12;
const SMALL_FONT = 11;
const ROW = 19;
const SHARE_ROW = 17;
const PAD = 12;
const TITLE = 30;
const INDENT = 12;
const DEEPEST = 14;
const WIDEST = 560;
/** Boxes of plans with more stages are cut narrower, so that more of them fit a screen. */
const MANY_STAGES = 8;
const WIDEST_OF_MANY = 420;
const STAGE_GAP = 22;
const CURVE = 56;
const MARGIN = 16;
/** Bars of more tasks than this stand upright, side by side. */
const LYING_BARS = 8;
const MOST_BARS = 150;
const BAR_WIDTH = 110;
const STANDING_HEIGHT = 26;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedText {
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly size: number;
  readonly anchor: 'start' | 'end';
  /** `strong` first, then `text`. */
  readonly strong: string;
  readonly text: string;
  readonly style: 'title' | 'node' | 'boundary' | 'muted';
  /** Shown on hovering, and read out. */
  readonly whole: string | null;
}

export interface PlacedStage extends Box {
  readonly stage: OutlineStage;
  readonly texts: readonly PlacedText[];
  readonly bars: readonly (Box & { readonly whole: string })[];
}

export interface PlacedEdge extends OutlineEdge {
  /** Where rows arrive: the boundary's row in the stage that reads. */
  readonly to: { readonly x: number; readonly y: number };
  /** Where the curve ends and the straight part begins. */
  readonly bendX: number;
  readonly from: { readonly x: number; readonly y: number };
  readonly labels: readonly PlacedText[];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly stages: readonly PlacedStage[];
  readonly edges: readonly PlacedEdge[];
}

/** A stage with its contents placed in a box at 0, 0. */
interface Drawn {
  readonly stage: OutlineStage;
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
  readonly bars: PlacedStage['bars'];
  /** Middle of the row of each boundary, by the stage it reads. */
  readonly ports: ReadonlyMap<number, number>;
}

/**
 * Places stages in columns: the head on the left, what each stage reads one column to its right, in the order of its boundaries. The
 * stages form a tree, so that boxes are packed subtree by subtree and no two edges cross.
 */
export function layOut(stages: readonly OutlineStage[]): Picture {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  const [head] = stages;
  if (head === undefined) return { width: 0, height: 0, stages: [], edges: [] };
  const columns = widths(head, byId);
  const widest = stages.length > MANY_STAGES ? WIDEST_OF_MANY : WIDEST;
  const drawn = new Map<OutlineStage, Drawn>();
  for (const [depth, members] of columns.members.entries()) {
    const needed = Math.max(...members.map((stage) => neededWidth(stage)));
    for (const stage of members) drawn.set(stage, draw(stage, Math.min(widest, needed)));
    columns.width[depth] = Math.min(widest, needed);
  }
  const lefts: number[] = [];
  let right = MARGIN;
  for (const [depth, members] of columns.members.entries()) {
    lefts.push(right);
    right += (columns.width[depth] ?? 0) + gapAfter(members, byId);
  }
  const tops = new Map<OutlineStage, number>();
  const bottoms: number[] = [];
  place(head, 0);

  const placed = [...drawn.values()].map((own): PlacedStage => {
    const x = lefts[columns.depth.get(own.stage) ?? 0] ?? 0;
    const y = tops.get(own.stage) ?? 0;
    const { stage, width, height } = own;
    return {
      stage,
      x,
      y,
      width,
      height,
      texts: own.texts.map((text) => ({ ...text, x: text.x + x, y: text.y + y })),
      bars: own.bars.map((bar) => ({ ...bar, x: bar.x + x, y: bar.y + y })),
    };
  });
  const width = Math.max(...placed.map((box) => box.x + box.width)) + MARGIN;
  const height = Math.max(...placed.map((box) => box.y + box.height)) + MARGIN;
  return { width, height, stages: placed, edges: placed.flatMap((box) => edgesOf(box)) };

  /**
   * Puts a stage in the middle of what it reads, below everything that stands in its columns already. Inputs are placed first; if their
   * reader must go lower than their middle, later subtrees stay clear of it by `bottoms`.
   */
  function place(stage: OutlineStage, depth: number): void {
    const own = drawn.get(stage);
    if (own === undefined) return;
    const free = (bottoms[depth] ?? MARGIN - STAGE_GAP) + STAGE_GAP;
    // A tall reader pushes its inputs down to its own middle.
    const inputs = inputsOf(stage, byId);
    const below = inputs.reduce((sum, input) => sum + (drawn.get(input)?.height ?? 0) + STAGE_GAP, -STAGE_GAP);
    const start = free + Math.max(0, (own.height - below) / 2);
    const next = (bottoms[depth + 1] ?? MARGIN - STAGE_GAP) + STAGE_GAP;
    if (inputs.length > 0 && start > next) bottoms[depth + 1] = start - STAGE_GAP;
    for (const input of inputs) place(input, depth + 1);
    const spans = inputs.map((input) => {
      const top = tops.get(input) ?? 0;
      return { top, bottom: top + (drawn.get(input)?.height ?? 0) };
    });
    const [first] = spans;
    const last = spans.at(-1);
    const middle = first === undefined || last === undefined ? null : (first.top + last.bottom) / 2;
    const top = Math.round(middle === null ? free : Math.max(free, middle - own.height / 2));
    tops.set(stage, top);
    bottoms[depth] = top + own.height;
  }

  function edgesOf(box: PlacedStage): PlacedEdge[] {
    const ports = drawn.get(box.stage)?.ports ?? new Map<number, number>();
    return box.stage.nodes.flatMap(({ reads }): PlacedEdge[] => {
      const input = reads === null ? undefined : byId.get(reads.stage);
      const source = placed.find(({ stage }) => stage === input);
      if (reads === null || source === undefined) return [];
      const to = { x: box.x + box.width, y: box.y + (ports.get(reads.stage) ?? 0) };
      const from = { x: source.x, y: source.y + TITLE / 2 };
      const bendX = to.x + CURVE;
      const label = (text: string, y: number): PlacedText => ({
        x: from.x - 6,
        y,
        size: SMALL_FONT,
        anchor: 'end',
        strong: '',
        text,
        style: 'muted',
        whole: null,
      });
      return [
        { ...reads, to, bendX, from, labels: [label(reads.kind, from.y - 5), label(reads.partitions, from.y + 13)] },
      ];
    });
  }
}

function inputsOf(stage: OutlineStage, byId: ReadonlyMap<number, OutlineStage>): OutlineStage[] {
  return stage.nodes.flatMap(({ reads }) => {
    const input = reads === null ? undefined : byId.get(reads.stage);
    return input === undefined ? [] : [input];
  });
}

interface Columns {
  readonly depth: Map<OutlineStage, number>;
  readonly members: OutlineStage[][];
  readonly width: number[];
}

function widths(head: OutlineStage, byId: ReadonlyMap<number, OutlineStage>): Columns {
  const columns: Columns = { depth: new Map(), members: [], width: [] };
  const visit = (stage: OutlineStage, depth: number): void => {
    columns.depth.set(stage, depth);
    const members = columns.members[depth] ?? [];
    columns.members[depth] = members;
    members.push(stage);
    for (const input of inputsOf(stage, byId)) visit(input, depth + 1);
  };
  visit(head, 0);
  return columns;
}

/** Room for the curves and the labels between a column and the next. */
function gapAfter(members: readonly OutlineStage[], byId: ReadonlyMap<number, OutlineStage>): number {
  const edges = members.flatMap(({ nodes }) => nodes.flatMap(({ reads }) => (reads === null ? [] : [reads])));
  if (!edges.some(({ stage }) => byId.has(stage))) return 0;
  const longest = Math.max(...edges.map(({ kind, partitions }) => Math.max(kind.length, partitions.length)));
  return CURVE + textWidth(longest, SMALL_FONT) + 16;
}

function textWidth(characters: number, size: number): number {
  return characters * size * CHARACTER_WIDTH;
}

function indentOf({ depth }: OutlineNode): number {
  return PAD + Math.min(depth, DEEPEST) * INDENT;
}

function titleOf(stage: OutlineStage): string {
  return `${stage.name} · ${stage.shape}`;
}

function neededWidth(stage: OutlineStage): number {
  const rows = stage.nodes.map((node) => {
    const characters = node.name.length + (detailOf(node) === '' ? 0 : 1 + detailOf(node).length);
    const measured = node.measured === null ? 0 : textWidth(node.measured.length + 2, SMALL_FONT);
    const tasks = node.shares === null ? 0 : indentOf(node) + 40 + BAR_WIDTH + textWidth(24, SMALL_FONT);
    return Math.max(indentOf(node) + textWidth(characters, FONT) + measured, tasks);
  });
  return Math.ceil(Math.max(textWidth(titleOf(stage).length, FONT + 1) + PAD, ...rows) + PAD);
}

/** File lists say nothing at a glance: bars stand for them. */
function detailOf({ detail, shares }: OutlineNode): string {
  return shares === null
    ? detail
    : detail.replace(/^file_groups=\{.*?\]\]\}(?:, )?/s, '').replace(/^file_groups=\{.*$/s, '');
}

function draw(stage: OutlineStage, width: number): Drawn {
  const texts: PlacedText[] = [];
  const bars: (Box & { whole: string })[] = [];
  const ports = new Map<number, number>();
  const say = (x: number, y: number, text: string, more: Partial<PlacedText> = {}): void => {
    texts.push({ x, y, size: SMALL_FONT, anchor: 'start', strong: '', text, style: 'muted', whole: null, ...more });
  };
  say(PAD, TITLE / 2 + 5, ` · ${stage.shape}`, { strong: stage.name, size: FONT + 1, style: 'title' });
  let y = TITLE + 4;
  for (const node of stage.nodes) {
    const x = indentOf(node);
    const measured = node.measured === null ? 0 : textWidth(node.measured.length + 2, SMALL_FONT);
    const room = Math.floor((width - PAD - x - measured) / (FONT * CHARACTER_WIDTH));
    const name = cutText(node.name, room);
    const detail = detailOf(node);
    const left = room - name.length - 1;
    say(x, y + 13, detail === '' || left < 3 ? '' : ` ${cutText(detail, left)}`, {
      strong: name,
      size: FONT,
      style: node.reads === null ? 'node' : 'boundary',
      whole: node.text,
    });
    if (node.measured !== null) say(width - PAD, y + 13, node.measured, { anchor: 'end' });
    if (node.reads !== null) ports.set(node.reads.stage, y + ROW / 2);
    y += ROW;
    y += drawShares(node, { x: x + INDENT, y, width: width - PAD - x - INDENT }, say, bars);
  }
  return { stage, width, height: y + 8, texts, bars, ports };
}

/** What each task reads of a leaf: a lying bar and a line each, or standing bars for many. Gives the height it took. */
function drawShares(
  { shares }: OutlineNode,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  say: (x: number, y: number, text: string) => void,
  bars: (Box & { whole: string })[],
): number {
  if (shares === null) return 0;
  const most = Math.max(1, ...shares.map(({ bytes }) => bytes));
  const whole = (task: number): string => `t${task}: ${sizeText(shares[task] ?? EMPTY)}`;
  if (shares.length <= LYING_BARS) {
    for (const [task, share] of shares.entries()) {
      const top = y + task * SHARE_ROW;
      say(x, top + 12, `t${task}`);
      const length = Math.max(share.bytes === 0 ? 0 : 2, Math.round((share.bytes / most) * BAR_WIDTH));
      if (length > 0) bars.push({ x: x + 26, y: top + 4, width: length, height: 9, whole: whole(task) });
      say(x + 26 + BAR_WIDTH + 8, top + 12, cutText(sizeText(share), 26));
    }
    return shares.length * SHARE_ROW + 3;
  }
  const perBar = Math.ceil(shares.length / MOST_BARS);
  const count = Math.ceil(shares.length / perBar);
  const step = Math.min(8, Math.floor((width / count) * 10) / 10);
  for (let bar = 0; bar < count; bar++) {
    const tasks = shares.slice(bar * perBar, (bar + 1) * perBar);
    const bytes = Math.max(...tasks.map((share) => share.bytes));
    const height = bytes === 0 ? 0 : Math.max(1, Math.round((bytes / most) * STANDING_HEIGHT));
    const names = perBar === 1 ? whole(bar) : `${whole(bar * perBar)} and the next ${tasks.length - 1}`;
    if (height > 0)
      bars.push({ x: x + bar * step, y: y + STANDING_HEIGHT - height, width: step * 0.8, height, whole: names });
  }
  const sizes = shares.map(({ bytes }) => bytes).toSorted((a, b) => a - b);
  const range = `${formatBytes(sizes[0] ?? 0)} to ${formatBytes(sizes.at(-1) ?? 0)}`;
  say(x, y + STANDING_HEIGHT + 14, `${shares.length} tasks: ${range}`);
  return STANDING_HEIGHT + SHARE_ROW + 4;
}

const EMPTY = { groups: 0, files: 0, bytes: 0 };

function sizeText({ files, bytes }: { readonly files: number; readonly bytes: number }): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
}
