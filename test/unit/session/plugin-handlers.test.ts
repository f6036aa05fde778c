/** Handlers of plug-ins: who is asked first, what an answer does, and one sentence for every answer that makes no sense. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DistqError } from '../../../src/base/errors.js';
import {
  type ExecutionPlan,
  type LeafExec,
  type Plugin,
  type PluginApi,
  SessionContext,
} from '../../../src/session/index.js';
import { queryRows } from '../../support/query-rows.js';
import { fixturesTpch } from '../../support/repository.js';

type LeafClass = new (from: number, to: number, partitions?: number) => LeafExec;

/** A table `numbers` of n = 0 … 9 whose leaf gives [from, to). */
function registerNumbers(distq: PluginApi, { withCodec = true } = {}): LeafClass {
  const schema = new distq.Schema([distq.field('n', distq.types.Int64, false)]);
  class NumbersExec extends distq.LeafExec {
    readonly from: number;
    readonly to: number;

    constructor(from: number, to: number, partitions = 1) {
      super({ name: 'NumbersExec', schema, partitions });
      this.from = from;
      this.to = to;
    }

    text(): string {
      return `from=${this.from}, to=${this.to}`;
    }

    *rows(partition: number): Generator<{ n: number }[]> {
      if (partition === 0) yield Array.from({ length: this.to - this.from }, (_, i) => ({ n: this.from + i }));
    }
  }
  if (withCodec) {
    distq.registerNodeCodec({
      leaf: NumbersExec,
      name: 'NumbersExec',
      encode: (leaf) => ({ from: leaf.from, to: leaf.to, partitions: leaf.properties.partitioning.count }),
      decode: ({ from, to, partitions }) => new NumbersExec(Number(from), Number(to), Number(partitions)),
    });
  }
  distq.registerTable('numbers', { schema, scan: () => new NumbersExec(0, 10) });
  return NumbersExec;
}

async function withPlugins<T>(
  plugins: readonly Plugin[],
  use: (session: SessionContext) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const session = await SessionContext.create({
    plugins,
    data: [fixturesTpch],
    settings: Object.entries({ 'distq.workers': '3', 'distq.worker_mode': 'in_process', ...settings }),
  });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

const SUM = 'select count(*), sum(n) from numbers';

/** What a query over `numbers` does with these handlers: its rows, or its error. */
async function outcome(add: (distq: PluginApi, leaf: LeafClass) => void, sql = SUM): Promise<string> {
  function faulty(distq: PluginApi): void {
    add(distq, registerNumbers(distq));
  }
  return withPlugins([faulty], async (session) => {
    try {
      return (await queryRows(session, sql)).map((row) => row.join('|')).join(' ');
    } catch (error) {
      if (!(error instanceof DistqError)) throw error;
      assert.ok(error.hint !== undefined, `${error.message} has no hint`);
      return `${error.kind}: ${error.message}`;
    }
  });
}

function dealt(distq: PluginApi, leaf: LeafClass): void {
  distq.desiredTaskCount((node) => (node instanceof leaf ? 3 : undefined));
  distq.scaleUpLeaf((node, tasks) => {
    if (!(node instanceof leaf)) return undefined;
    const cut = (task: number): number => Math.floor((10 * task) / tasks);
    const variants = Array.from({ length: tasks }, (_, task) => new leaf(cut(task), cut(task + 1)));
    return new distq.DistributedLeafExec(node, variants);
  });
}

test('a leaf that nobody wants several tasks for runs in one', async () => {
  assert.equal(await outcome(() => undefined), '10|45');
  await withPlugins([(distq) => void registerNumbers(distq)], async (session) => {
    const frame = await session.sql(SUM);
    assert.match(frame.notDistributedReason ?? '', /^nothing wants more tasks for NumbersExec; a plug-in's desired/);
  });
});

test('a leaf is dealt to tasks: the planned variants are what runs', async () => {
  await withPlugins(
    [
      (distq) => {
        dealt(distq, registerNumbers(distq));
      },
    ],
    async (session) => {
      const frame = await session.sql(SUM);
      const text = await frame.explain();
      assert.match(
        text,
        /DistributedLeafExec:\n *│ *t0: NumbersExec: from=0, to=3\n *│ *t1: NumbersExec: from=3, to=6\n *│ *t2: NumbersExec: from=6, to=10\n/,
      );
      assert.deepEqual(await queryRows(session, SUM), [['10', '45']]);
    },
  );
});

test('the first answer wins, the built-in handlers come last', async () => {
  const pinned: Plugin = (distq) => {
    distq.desiredTaskCount((node) => (node.name === 'DataSourceExec' ? distq.maximum(2) : undefined));
  };
  const later: Plugin = (distq) => {
    distq.desiredTaskCount((node) => (node.name === 'DataSourceExec' ? distq.maximum(1) : undefined));
  };
  const settings = { 'distributed.file_scan_config_bytes_per_partition': '1' };
  const tasks = async (plugins: readonly Plugin[]): Promise<string | undefined> =>
    withPlugins(
      plugins,
      async (session) => {
        const text = await (await session.sql('select n_name from nation where n_regionkey = 1')).explain();
        return /Stage 1 ── tasks=(\d)/.exec(text)?.[1];
      },
      settings,
    );
  assert.equal(await tasks([]), '3');
  assert.equal(await tasks([pinned, later]), '2');
  // With at most one task nothing is left to distribute.
  assert.equal(await tasks([later, pinned]), undefined);
});

test('handlers see workers, partitions and settings', async () => {
  const seen: unknown[] = [];
  const look: Plugin = (distq) => {
    distq.desiredTaskCount((_node, { workerCount, targetPartitions, setting }) => {
      if (seen.length === 0) seen.push(workerCount, targetPartitions, setting('datafusion.execution.batch_size'));
      return undefined;
    });
  };
  await withPlugins([look], (session) => session.sql('select n_name from nation'));
  assert.deepEqual(seen, [3, 2, 8192]);
});

test('rewrites all run, in the order of registration, each on the result of the one before', async () => {
  const seen: string[] = [];
  const rewriting = (name: string, from: number): Plugin =>
    Object.defineProperty(
      (distq: PluginApi): void => {
        const leaf = name === 'first' ? registerNumbers(distq) : undefined;
        if (leaf !== undefined) dealt(distq, leaf);
        distq.rewriteWorkerPlan((plan, { stage, taskIndex, taskCount, worker }) => {
          const visit = (node: ExecutionPlan): ExecutionPlan => {
            if (node.children.length > 0) return node.withNewChildren(node.children.map(visit));
            if (taskIndex === 0)
              seen.push(`${name} ${stage}/${taskIndex}/${taskCount} ${worker} ${node.describe({ full: true })}`);
            return taskIndex === 0 && leaf !== undefined ? new leaf(from, 3) : node;
          };
          return visit(plan);
        });
      },
      'name',
      { value: name },
    );
  await withPlugins([rewriting('first', 2), rewriting('second', 0)], async (session) => {
    // Task 0 gives 2 instead of 0, 1, 2.
    assert.deepEqual(await queryRows(session, SUM), [['8', '44']]);
  });
  assert.deepEqual(seen, [
    'first 1/0/3 distq://worker/1 NumbersExec: from=0, to=3',
    'second 1/0/3 distq://worker/1 NumbersExec: from=2, to=3',
  ]);
});

describe('answers that make no sense', () => {
  const wish =
    (answer: unknown) =>
    (distq: PluginApi, leaf: LeafClass): void => {
      // Plain JavaScript may answer anything.
      distq.desiredTaskCount((node) => (node instanceof leaf ? (answer as number) : undefined));
    };
  for (const [answer, told] of [
    [-1, '-1 tasks'],
    [0, '0 tasks'],
    [2.5, '2.5 tasks'],
    [Number.NaN, 'NaN tasks'],
    [Infinity, 'Infinity tasks'],
    ['2', '"2", which is no number of tasks'],
    [null, 'null, which is no number of tasks'],
    [{ kind: 'minimum', n: 2 }, 'a task count of kind "minimum"'],
    [Promise.resolve(2), 'a promise'],
  ] as const) {
    test(`desired: ${told}`, async () => {
      assert.equal(
        await outcome(wish(answer)),
        `plan: plug-in faulty: desiredTaskCount for NumbersExec answers ${told}`,
      );
    });
  }

  test('a handler that throws', async () => {
    const told = await outcome((distq) => {
      distq.desiredTaskCount((node) => (node as { nothing?: { there: number } }).nothing!.there);
    });
    assert.match(told, /^plan: plug-in faulty: desiredTaskCount for \w+ failed: Cannot read properties of undefined/);
  });

  test('tasks for a leaf that nothing deals to them', async () => {
    assert.equal(
      await outcome(wish(3)),
      'plan: plug-in faulty wants tasks for NumbersExec, and nothing deals it to the 3 of its stage',
    );
  });

  test('one wished task is no licence to run in several', async () => {
    const told = await outcome((distq, leaf) => {
      distq.desiredTaskCount((node) => (node instanceof leaf ? 1 : node.name === 'FilterExec' ? 3 : undefined));
    }, `${SUM} where n > 2`);
    assert.match(told, /^plan: plug-in faulty wants tasks for NumbersExec/);
  });

  const scaled =
    (answer: (distq: PluginApi, leaf: LeafClass, tasks: number) => unknown) =>
    (distq: PluginApi, leaf: LeafClass): void => {
      distq.desiredTaskCount((node) => (node instanceof leaf ? 3 : undefined));
      distq.scaleUpLeaf((node, tasks) =>
        node instanceof leaf ? (answer(distq, leaf, tasks) as InstanceType<LeafClass>) : undefined,
      );
    };
  const scaledCases: readonly (readonly [string, Parameters<typeof scaled>[0], string])[] = [
    [
      'too few variants',
      (distq, leaf) => new distq.DistributedLeafExec(new leaf(0, 10), [new leaf(0, 5), new leaf(5, 10)]),
      'answers 2 variants for 3 tasks',
    ],
    [
      'no variant',
      (distq, leaf) => new distq.DistributedLeafExec(new leaf(0, 10), []),
      'failed: NumbersExec was spread over no task',
    ],
    [
      'differing partition counts',
      (distq, leaf) =>
        new distq.DistributedLeafExec(new leaf(0, 10), [new leaf(0, 5), new leaf(5, 9, 2), new leaf(9, 10)]),
      'failed: NumbersExec has 1 partitions in task 0 and 2 in task 1',
    ],
    [
      'differing schemas',
      (distq, leaf) => {
        const other = new distq.Schema([distq.field('m', distq.types.Utf8)]);
        class OtherExec extends distq.LeafExec {
          text(): string {
            return '';
          }
          rows(): [] {
            return [];
          }
        }
        const odd = new OtherExec({ name: 'OtherExec', schema: other });
        return new distq.DistributedLeafExec(new leaf(0, 10), [new leaf(0, 5), odd, odd]);
      },
      'failed: NumbersExec gives (n: Int64 not null) in task 0 and (m: Utf8) in task 1',
    ],
    [
      'something else',
      () => ({ variants: [] }),
      'answers something that is no plan node made with the classes it was given',
    ],
  ];
  for (const [name, answer, told] of scaledCases) {
    test(`scaled: ${name}`, async () => {
      assert.equal(await outcome(scaled(answer)), `plan: plug-in faulty: scaleUpLeaf for NumbersExec ${told}`);
    });
  }

  const routed =
    (answer: unknown) =>
    (distq: PluginApi, leaf: LeafClass): void => {
      dealt(distq, leaf);
      distq.routeTasks(() => answer as string[]);
    };
  for (const [answer, told] of [
    [['distq://worker/0'], '1 URLs for 3 tasks'],
    [
      ['distq://worker/0', 'distq://worker/7', 'distq://worker/1'],
      '"distq://worker/7", which is no worker (there is distq://worker/0 … distq://worker/2)',
    ],
    ['distq://worker/0', '"distq://worker/0" and no list of URLs'],
  ] as const) {
    test(`routed: ${told}`, async () => {
      assert.equal(await outcome(routed(answer)), `plan: plug-in faulty: routeTasks for stage 1 answers ${told}`);
    });
  }

  const rewritten =
    (answer: (plan: ExecutionPlan, leaf: LeafClass) => unknown) =>
    (distq: PluginApi, leaf: LeafClass): void => {
      dealt(distq, leaf);
      distq.rewriteWorkerPlan((plan) => answer(plan, leaf) as ExecutionPlan);
    };
  test('rewritten: another schema', async () => {
    const told = await outcome(rewritten((_plan, leaf) => new leaf(0, 10)));
    assert.match(
      told,
      /^execution: plug-in faulty: rewriteWorkerPlan answers a plan that gives \(n: Int64 not null\) for one that gives \(/,
    );
  });
  test('rewritten: a node less', async () => {
    const told = await outcome(
      rewritten((plan) => plan.children[0]),
      'select n from numbers where n > 1',
    );
    assert.match(told, /^execution: plug-in faulty: rewriteWorkerPlan answers \w+ with \d/);
  });
  test('rewritten: nothing', async () => {
    assert.match(await outcome(rewritten(() => undefined)), /answers something that is no plan node made with/);
  });
  test('rewritten: thrown', async () => {
    const told = await outcome(
      rewritten(() => {
        throw new Error('no');
      }),
    );
    assert.equal(told, 'execution: plug-in faulty: rewriteWorkerPlan failed: no');
  });
});

test('a leaf without a codec cannot be sent and says what is missing', async () => {
  function faulty(distq: PluginApi): void {
    dealt(distq, registerNumbers(distq, { withCodec: false }));
  }
  await withPlugins([faulty], async (session) => {
    await assert.rejects(queryRows(session, SUM), {
      kind: 'plan',
      message: 'plug-in faulty: NumbersExec has no codec, so that it cannot be sent to a worker or stored',
    });
  });
});

test('a leaf hears of columns and of a limit, and of no limit below a filter', async () => {
  const requests: unknown[] = [];
  const listening: Plugin = (distq) => {
    const leaf = registerNumbers(distq);
    const schema = new distq.Schema([distq.field('n', distq.types.Int64, false)]);
    distq.registerTable('heard', {
      schema,
      scan: ({ columns, limit }) => {
        requests.push([columns, limit]);
        return new leaf(0, 10);
      },
    });
  };
  await withPlugins([listening], async (session) => {
    assert.equal((await queryRows(session, 'select n from heard limit 3')).length, 3);
    assert.equal((await queryRows(session, 'select n from heard where n > 5 limit 3')).length, 3);
    assert.deepEqual(await queryRows(session, 'select count(*) from heard'), [['10']]);
  });
  assert.deepEqual(requests, [
    [['n'], 3],
    [['n'], null],
    [[], null],
  ]);
});

test('registering ends with the default function', async () => {
  const kept: PluginApi[] = [];
  const late: Plugin = (distq) => {
    kept.push(distq);
  };
  await withPlugins([late], () => {
    assert.throws(() => kept[0]?.routeTasks(() => undefined), {
      kind: 'config',
      message: 'plug-in late: routeTasks is called after the plug-in was loaded',
    });
    return Promise.resolve();
  });
});

test('processes are refused to what only a function of this process knows, and auto stays here', async () => {
  const function_: Plugin = (distq) => {
    dealt(distq, registerNumbers(distq));
  };
  await withPlugins(
    [function_],
    async (session) => {
      await assert.rejects(queryRows(session, SUM), {
        kind: 'config',
        message: 'worker processes cannot load what they need: the function function_ registers the node NumbersExec',
      });
    },
    { 'distq.worker_mode': 'processes' },
  );
  await withPlugins(
    [function_],
    async (session) => {
      assert.deepEqual(await queryRows(session, SUM), [['10', '45']]);
    },
    { 'distq.worker_mode': 'auto' },
  );
});
