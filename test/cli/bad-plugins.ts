import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A plug-in with a leaf NumbersExec over a table `numbers` (n = 0 … 9 in two partitions), dealt to 3 tasks, and whatever `more` does. */
function numbers(more: string, { deal = true, unit = 'n' } = {}): string {
  return `export default (distq) => {
  const schema = new distq.Schema([distq.field('n', distq.types.Int64, false)]);
  class NumbersExec extends distq.LeafExec {
    constructor(from, to, partitions = 2, named = schema, fed = false) {
      const feed = distq.workUnitFeed({ *units() { for (let n = 0; n < 10; n++) yield ${unit}; } });
      super({ name: 'NumbersExec', schema: named, partitions, ...(fed ? { feed } : {}) });
      Object.assign(this, { from, to, partitions, fed });
    }
    text() { return \`from=\${this.from}, to=\${this.to}\`; }
    async *rows(partition, context) {
      if (this.fed) for await (const n of context.units()) yield [{ n }];
      else if (partition === 0) for (let n = this.from; n < this.to; n++) yield [{ n }];
    }
  }
  distq.registerNodeCodec({
    leaf: NumbersExec,
    name: 'NumbersExec',
    encode: ({ from, to, partitions, fed }) => ({ from, to, partitions, fed }),
    decode: ({ from, to, partitions, fed }) => new NumbersExec(from, to, partitions, schema, fed),
  });
  distq.registerTable('numbers', { schema, scan: () => new NumbersExec(0, 10) });
  distq.registerTable('fed', { schema, scan: () => new NumbersExec(0, 10, 2, schema, true) });
  ${more}
  distq.desiredTaskCount((node) => (node instanceof NumbersExec ? 3 : undefined));
  ${
    deal
      ? `distq.scaleUpLeaf((leaf, tasks) => {
    if (!(leaf instanceof NumbersExec) || leaf.fed) return undefined;
    return new distq.DistributedLeafExec(leaf, Array.from({ length: tasks }, (_, t) => new NumbersExec(t, t + 1)));
  });`
      : ''
  }
};
`;
}

const onLeaf = (handler: string, answer: string): string =>
  `distq.${handler}((node) => (node instanceof NumbersExec ? ${answer} : undefined));`;

const scaled = (variants: string): string =>
  `distq.scaleUpLeaf((leaf) => (leaf instanceof NumbersExec ? new distq.DistributedLeafExec(leaf, [${variants}]) : undefined));`;

/** What is wrong with each is in its name. */
const BAD_PLUGINS: Readonly<Record<string, string>> = {
  'no-default.mjs': 'export const plugin = () => undefined;\n',
  'no-function.mjs': 'export default { desiredTaskCount: () => 2 };\n',
  'throws.mjs': "export default () => {\n  throw new Error('the licence has run out');\n};\n",
  'syntax.mjs': 'export default (distq) => {\n  distq.desiredTaskCount(((node) => 2);\n};\n',
  'newer.mjs': 'export const apiVersion = 2;\nexport default () => undefined;\n',
  'unknown-part.mjs': 'export default (distq) => distq.registerFunction("f", () => 1);\n',
  'two-tables.mjs': numbers("distq.registerTable('numbers', { schema, scan: () => new NumbersExec(0, 1) });"),
  'no-schema.mjs': "export default (distq) => distq.registerTable('t', { scan: () => null });\n",
  'handler-throws.mjs': numbers(onLeaf('desiredTaskCount', 'node.owner.tasks')),
  'minus-one.mjs': numbers(onLeaf('desiredTaskCount', '-1')),
  'fraction.mjs': numbers(onLeaf('desiredTaskCount', '2.5')),
  'not-a-number.mjs': numbers(onLeaf('desiredTaskCount', 'NaN')),
  'not-dealt.mjs': numbers('', { deal: false }),
  'two-variants.mjs': numbers(scaled('new NumbersExec(0, 5), new NumbersExec(5, 10)')),
  'other-schema.mjs': numbers(
    scaled(
      "...[0, 1, 2].map((t) => new NumbersExec(t, t + 1, 2, new distq.Schema([distq.field('m', distq.types.Utf8)])))",
    ),
  ),
  'other-partitions.mjs': numbers(scaled('new NumbersExec(0, 5), new NumbersExec(5, 9, 4), new NumbersExec(9, 10)')),
  'unknown-worker.mjs': numbers("distq.routeTasks(({ workers }) => [workers[0], 'distq://worker/9', workers[1]]);"),
  'one-url.mjs': numbers('distq.routeTasks(({ workers }) => [workers[0]]);'),
  'rewrites-schema.mjs': numbers(
    "distq.rewriteWorkerPlan(() => new NumbersExec(0, 1, 2, new distq.Schema([distq.field('m', distq.types.Utf8)])));",
  ),
  'lossy-codec.mjs': numbers('').replace('=> ({ from, to, partitions, fed })', '=> ({ to, partitions, fed })'),
  'bad-unit.mjs': numbers('', { unit: 'n < 4 ? n : { when: new Date() }' }),
  'huge-unit.mjs': numbers('', { unit: "'x'.repeat(2 ** 21)" }),
  'squares.mjs': numbers(
    "distq.registerTableFunction('squares', (n) => { if (typeof n !== 'bigint') throw new Error('give a number'); });",
  ),
  'throws-beside.mjs':
    "export default async () => {\n  setTimeout(() => { throw new Error('the licence server is gone'); }, 1);\n  await new Promise((resolve) => setTimeout(resolve, 50));\n};\n",
  'throws-later.mjs': numbers('').replace(
    'async *rows(partition, context) {',
    "async *rows(partition, context) {\n      setTimeout(() => { throw new Error('the clock has stopped'); }, 1);\n      await new Promise(() => undefined);",
  ),
  'bad-rows.mjs': numbers('').replaceAll('yield [{ n }];', "yield [{ n: 'one' }];"),
};

export function writeBadPlugins(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(BAD_PLUGINS)) writeFileSync(join(folder, name), text);
}
