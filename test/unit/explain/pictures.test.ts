/**
 * Plans as drawings: geometry computed from the SVG's own numbers, goldens, and, where Chromium is installed, the page as a browser
 * lays it out with scripts off and without a network.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { planStages } from '../../../src/distributed/plan-stages.js';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { renderHtml } from '../../../src/explain/html.js';
import { renderSvg } from '../../../src/explain/svg.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { joinedAndGrouped, manyStages, spreadUnion, twoStages } from '../../support/explained-plans.js';
import { goldenFolder } from '../../support/golden.js';
import { scan, sortedMerge, table } from '../../support/plan-builders.js';

const goldens = goldenFolder('test/unit/explain/golden/pictures');
const scratch = mkdtempSync(join(tmpdir(), 'distq-pictures-'));
after(() => {
  rmSync(scratch, { recursive: true });
});

function manyTasks(tasks: number): ExecutionPlan {
  const variant = (task: number): ExecutionPlan =>
    scan({ groups: [[[`f${task}`, 1000 + ((task * 7919) % 613)]]], columns: ['k'] });
  return new DistributedLeafExec(
    table('t', 1),
    Array.from({ length: tasks }, (_, task) => variant(task)),
  );
}

const long = 'a column name that is much longer than any box is wide, with <angle> brackets & "quotes" and an emoji 🦆';
const plans: Readonly<Record<string, ExecutionPlan>> = {
  two: twoStages(),
  joined: joinedAndGrouped(),
  union: spreadUnion(),
  alone: table('t', 1),
  forty: manyStages(3),
  'long names': sortedMerge(scan({ groups: [[[`${long}.parquet`, 5]]], columns: [long] }), [long]),
  'a hundred tasks': manyTasks(100),
  'a thousand tasks': manyTasks(1000),
};

interface Box {
  readonly kind: 'stage' | 'text' | 'bar' | 'ground';
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly size: number;
}

/** The widest monospaced font asked for, in parts of its size. */
const CHARACTER = 0.605;

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function number(attributes: string, name: string): number {
  const match = new RegExp(`(?:^|\\s)${name}="(-?[\\d.]+)"`).exec(attributes);
  return match === null ? 0 : Number(match[1]);
}

function boxesOf(svg: string): Box[] {
  const boxes: Box[] = [];
  for (const [, attributes = ''] of svg.matchAll(/<rect ([^>]*?)\/?>/g)) {
    const left = number(attributes, 'x');
    const top = number(attributes, 'y');
    const kind = /class="(stage|bar|ground)"/.exec(attributes)?.[1];
    assert.ok(kind === 'stage' || kind === 'bar' || kind === 'ground', attributes);
    boxes.push({
      kind,
      name: kind,
      left,
      top,
      right: left + number(attributes, 'width'),
      bottom: top + number(attributes, 'height'),
      size: 0,
    });
  }
  for (const [, attributes = '', inner = ''] of svg.matchAll(/<text ([^>]*)>(.*?)<\/text>/gs)) {
    const name = unescaped(inner.replaceAll(/<title>.*?<\/title>/gs, '').replaceAll(/<[^>]*>/g, ''));
    const size = number(attributes, 'font-size');
    const width = Array.from(name).length * size * CHARACTER;
    const x = number(attributes, 'x');
    const y = number(attributes, 'y');
    const left = attributes.includes('text-anchor="end"') ? x - width : x;
    boxes.push({ kind: 'text', name, left, top: y - 0.78 * size, right: left + width, bottom: y + 0.22 * size, size });
  }
  return boxes;
}

function overlap(a: Box, b: Box): boolean {
  const slack = 0.5;
  return a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
}

function inside(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

for (const [name, plan] of Object.entries(plans)) {
  test(`geometry: ${name}`, () => {
    const svg = renderSvg(plan);
    const boxes = boxesOf(svg);
    const of = (kind: Box['kind']): Box[] => boxes.filter((box) => box.kind === kind);
    const [ground] = of('ground');
    assert.ok(ground !== undefined);
    assert.equal(of('stage').length, planStages(plan).length);
    for (const box of boxes) {
      assert.ok(inside(box, ground), `${box.name} leaves the drawing`);
      if (box.kind === 'text') assert.ok(box.size >= 11, `${box.name} is ${box.size} px`);
    }
    const apart = (all: readonly Box[]): void => {
      for (const [index, a] of all.entries()) {
        for (const b of all.slice(index + 1)) assert.ok(!overlap(a, b), `"${a.name}" and "${b.name}" overlap`);
      }
    };
    apart(of('stage'));
    apart([...of('text'), ...of('bar')]);
    for (const part of [...of('text'), ...of('bar')]) {
      for (const stage of of('stage')) {
        assert.ok(inside(part, stage) || !overlap(part, stage), `"${part.name}" sticks out of its stage`);
      }
    }
    assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
  });
}

test('the geometry test sees overlaps', () => {
  const text = (x: number, y: number, content: string): string =>
    `<text class="muted" x="${x}" y="${y}" font-size="12">${content}</text>`;
  const [a, b, c] = boxesOf(`${text(0, 20, 'twelve chars')}${text(80, 22, 'x')}${text(90, 20, 'y')}`);
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  assert.ok(overlap(a, b));
  assert.ok(!overlap(a, c));
});

test('forty stages are about forty', () => {
  assert.equal(planStages(manyStages(3)).length, 38);
});

for (const name of ['two', 'joined', 'union', 'alone']) {
  test(`golden: ${name}`, () => {
    const plan = plans[name];
    assert.ok(plan !== undefined);
    goldens.match(`${name}.svg`, renderSvg(plan));
  });
}

test('golden: the page', () => {
  goldens.match('two.html', renderHtml(twoStages()));
});

describe('the page stands alone', () => {
  for (const [name, plan] of Object.entries(plans)) {
    test(name, () => {
      const html = renderHtml(plan);
      assert.doesNotMatch(html, /<script|<link|<img|@import|url\(|javascript:|\son\w+=/i);
      assert.deepEqual(
        [...html.matchAll(/https?:[^"'\s<]*/g)]
          .map(([address]) => address)
          .filter((address) => address !== 'http://www.w3.org/2000/svg'),
        [],
      );
      const open: string[] = [];
      for (const [, close, tag = '', self] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b(?:"[^"]*"|[^>"])*?(\/?)>/g)) {
        if (self === '/' || ['meta', 'br'].includes(tag)) continue;
        if (close === '/') assert.equal(open.pop(), tag, `</${tag}>`);
        else open.push(tag);
      }
      assert.deepEqual(open, []);
    });
  }
});

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const skip = skipWithoutBrowser();

/** Why there is no browser to look with; false when there is one that starts. */
function skipWithoutBrowser(): string | false {
  if (chromium === undefined) return 'no Chromium is installed';
  const { status, stderr } = spawnSync(chromium, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  // Its launcher is a script that needs more on the PATH than Node does.
  return status === 0 ? false : `${chromium} does not start here: ${stderr.trim().split('\n')[0] ?? ''}`;
}

describe('in a browser, scripts off, no network', { skip }, () => {
  for (const name of ['two', 'forty']) {
    test(name, async () => {
      const plan = plans[name];
      assert.ok(plan !== undefined && chromium !== undefined);
      const page = join(scratch, `${name}.frame.html`);
      const shot = join(scratch, `${name}.png`);
      writeFileSync(join(scratch, `${name}.html`), renderHtml(plan));
      // Headless Chromium takes no screenshot with scripts switched off as a whole; in a sandboxed frame they are off for the page.
      writeFileSync(page, `<iframe sandbox src="${name}.html" style="border:0;width:1580px;height:1180px"></iframe>`);
      // A loaded machine may not have painted the frame within the first budget; an empty page never passes.
      for (const budgetMs of [3_000, 15_000, 60_000]) {
        await promisify(execFile)(
          chromium,
          [
            '--headless=new',
            '--no-sandbox',
            '--disable-gpu',
            '--host-resolver-rules=MAP * ~NOTFOUND',
            `--user-data-dir=${join(scratch, `profile-${name}-${budgetMs}`)}`,
            `--virtual-time-budget=${budgetMs}`,
            '--window-size=1600,1200',
            `--screenshot=${shot}`,
            pathToFileURL(page).href,
          ],
          { timeout: 60_000 },
        );
        if (statSync(shot).size > 20_000) break;
      }
      assert.ok(statSync(shot).size > 20_000, 'the page is not empty');
    });
  }
});
