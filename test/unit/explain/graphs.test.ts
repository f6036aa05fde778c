/** Plans as DOT and as Mermaid: goldens, and a reading of their syntax that any string in a plan must survive. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderDot } from '../../../src/explain/dot.js';
import { renderMermaid } from '../../../src/explain/mermaid.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { joinedAndGrouped, manyStages, spreadUnion, twoStages } from '../../support/explained-plans.js';
import { goldenFolder } from '../../support/golden.js';
import { scan, sortedMerge, table } from '../../support/plan-builders.js';
import { planStages } from '../../../src/distributed/plan-stages.js';

const goldens = goldenFolder('test/unit/explain/golden/graphs');
const plans: Readonly<Record<string, ExecutionPlan>> = {
  two: twoStages(),
  joined: joinedAndGrouped(),
  union: spreadUnion(),
  alone: table('t', 1),
};

/** Names and strings with every character that one of the languages reads as its own. */
function hostile(): ExecutionPlan {
  const name = 'a"b\\c]};-->|<b>&#35;`x`\n{y}\\';
  return sortedMerge(scan({ groups: [[[`${name}.parquet`, 5]]], columns: [name] }), [name]);
}

interface DotGraph {
  readonly clusters: Map<string, string[]>;
  readonly edges: (readonly [from: string, to: string])[];
}

/** Reads the part of DOT's grammar that plans use: statements of ids, quoted strings and [attribute lists]; throws on anything else. */
function parseDot(text: string): DotGraph {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|->|[\w.]+|[{}[\];=,]|\S/gs) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++];
    assert.ok(token !== undefined, `the text ends where ${expected ?? 'more'} should stand`);
    if (expected !== undefined) assert.equal(token, expected, `token ${at}`);
    return token;
  };
  const isId = (token: string | undefined): boolean =>
    token !== undefined && /^(?:[A-Za-z_]\w*|-?[\d.]+|".*")$/s.test(token);
  const id = (): string => {
    const token = take();
    assert.ok(isId(token), `${token} is no id`);
    return token;
  };
  const attributes = (): void => {
    if (tokens[at] !== '[') return;
    take('[');
    while (tokens[at] !== ']') {
      id();
      take('=');
      id();
      if (tokens[at] === ',') take(',');
    }
    take(']');
  };
  const graph: DotGraph = { clusters: new Map(), edges: [] };
  const statements = (cluster: string | null): void => {
    take('{');
    while (tokens[at] !== '}') {
      if (tokens[at] === 'subgraph') {
        take('subgraph');
        const name = id();
        graph.clusters.set(name, []);
        statements(name);
        continue;
      }
      const first = id();
      if (tokens[at] === '=') {
        take('=');
        id();
      } else if (tokens[at] === '->') {
        take('->');
        graph.edges.push([first, id()]);
        attributes();
      } else {
        if (first !== 'node' && first !== 'edge') graph.clusters.get(cluster ?? '')?.push(first);
        attributes();
      }
      take(';');
    }
    take('}');
  };
  take('digraph');
  id();
  statements(null);
  assert.equal(at, tokens.length, 'nothing follows the graph');
  return graph;
}

function boundaryCount(plan: ExecutionPlan): number {
  return planStages(plan).length - 1;
}

describe('dot', () => {
  for (const [name, plan] of Object.entries(plans)) {
    test(name, () => {
      goldens.match(`${name}.dot`, renderDot(plan));
    });
  }

  for (const [name, plan] of Object.entries({ ...plans, hostile: hostile(), many: manyStages(3) })) {
    test(`${name} has a cluster per stage, declared nodes, a tree of edges`, () => {
      const { clusters, edges } = parseDot(renderDot(plan));
      assert.equal(clusters.size, planStages(plan).length);
      const nodes = [...clusters.values()].flat();
      assert.equal(new Set(nodes).size, nodes.length);
      for (const id of edges.flat()) assert.ok(nodes.includes(id), `${id} is declared`);
      assert.equal(edges.length, nodes.length - 1, 'every node but the root has one consumer');
      const clusterOf = (node: string): number => [...clusters.values()].findIndex((own) => own.includes(node));
      assert.equal(edges.filter(([from, to]) => clusterOf(from) !== clusterOf(to)).length, boundaryCount(plan));
    });
  }

  test('the parser refuses what is no DOT', () => {
    for (const text of ['digraph g { a -> ; }', 'digraph g { a [label="x" }', 'digraph g { a -> b ]; }', 'graph { }']) {
      assert.throws(() => parseDot(text));
    }
  });
});

describe('mermaid', () => {
  for (const [name, plan] of Object.entries(plans)) {
    test(name, () => {
      goldens.match(`${name}.mmd`, renderMermaid(plan));
    });
  }

  for (const [name, plan] of Object.entries({ ...plans, hostile: hostile(), many: manyStages(3) })) {
    test(`${name} has only lines of the forms that plans use`, () => {
      const [first, ...lines] = renderMermaid(plan).trimEnd().split('\n');
      assert.equal(first, 'flowchart BT');
      const label = String.raw`"[^"#&<>\\]*(?:(?:#\d+;|<br/>)[^"#&<>\\]*)*"`;
      const forms = [
        new RegExp(String.raw`^ {2}subgraph stage\d+\[${label}\]$`),
        new RegExp(String.raw`^ {4}s\d+n\d+\[${label}\]$`),
        /^ {4}s\d+n\d+ --> s\d+n\d+$/,
        /^ {2}end$/,
        new RegExp(String.raw`^ {2}s\d+n\d+ (?:==|--|-\.) ${label} (?:==>|-->|\.->) s\d+n\d+$`),
      ];
      for (const line of lines)
        assert.ok(
          forms.some((form) => form.test(line)),
          line,
        );
      assert.equal(lines.filter((line) => line.includes('subgraph')).length, planStages(plan).length);
      assert.equal(lines.filter((line) => forms[4]?.test(line)).length, boundaryCount(plan));
    });
  }
});
