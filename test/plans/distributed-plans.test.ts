/**
 * The distributed plans of TPC-H, TPC-DS and ClickBench over tables that have statistics only: goldens of all 164, and the stages of
 * section 9 of the distributed planner reference at its settings: four workers, three partitions, every scan as wide as it can be.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { renderTree } from '../../src/explain/tree.js';
import type { ExecutionPlan } from '../../src/physical/execution-plan.js';
import { skipWithoutCorpus } from '../support/corpora.js';
import { goldenFolder } from '../support/golden.js';
import { nodeTexts, planShape, stageOf } from '../support/plan-shape.js';
import { corpusQueries } from '../support/queries.js';
import { StatisticsSuite, type SuiteName } from '../support/statistics-suites.js';
import { CLICKBENCH_STAGES, type PublishedStages, TPCDS_STAGES, TPCH_STAGES } from '../support/published-stages.js';

interface Suite {
  readonly queries: number;
  readonly factor: number;
  readonly stages: PublishedStages;
}

const SUITES: Readonly<Record<SuiteName, Suite>> = {
  tpch: { queries: 22, factor: 1.5, stages: TPCH_STAGES },
  tpcds: { queries: 99, factor: 2, stages: TPCDS_STAGES },
  clickbench: { queries: 43, factor: 1.5, stages: CLICKBENCH_STAGES },
};

for (const name of Object.keys(SUITES) as SuiteName[]) {
  const skip = skipWithoutCorpus(name);
  describe(name, { skip }, () => {
    if (skip !== false) return;
    const goldens = goldenFolder(`test/plans/distributed/${name}`);
    const { queries, factor, stages } = SUITES[name];
    const suite = StatisticsSuite.open(name, {
      workers: 4,
      settings: {
        'execution.target_partitions': 3,
        'distributed.file_scan_config_bytes_per_partition': 1,
        'distributed.cardinality_task_count_factor': factor,
      },
    });
    const texts = corpusQueries(name);
    const plans = new Map<string, readonly ExecutionPlan[]>();
    const planned = async (query: string): Promise<readonly ExecutionPlan[]> => {
      const known = plans.get(query);
      if (known !== undefined) return known;
      const sql = texts.find((candidate) => candidate.name === query)?.sql;
      assert.ok(sql !== undefined, `the corpus has no ${query}`);
      const made = await (await suite).plans(sql);
      plans.set(query, made);
      return made;
    };
    after(async () => {
      await (await suite).close();
    });

    test(`there are ${queries} queries`, () => {
      assert.equal(texts.length, queries);
    });

    for (const { name: query } of texts) {
      test(`${query}: the plan`, async () => {
        const trees = (await planned(query)).map((plan) => renderTree(plan, { collapse: true }));
        goldens.match(`${query}.txt`, trees.join(''));
      });
    }

    for (const [query, published] of Object.entries(stages)) {
      test(`${query}: the stages`, async () => {
        const plan = (await planned(query)).at(-1);
        assert.ok(plan !== undefined);
        const shape = planShape(plan);
        if (published.all) assert.deepEqual(shape, published.shape);
        else for (const line of published.shape) assert.ok(shape.includes(line), `${line}\nin\n${shape.join('\n')}`);
        if (published.count !== undefined) assert.equal(shape.length - 1, published.count, 'stages');
        for (const [stage, wanted] of Object.entries(published.texts ?? {})) {
          const found = nodeTexts(
            stage === 'H' ? (plan.children[0] ?? plan) : stageOf(plan, Number(stage.slice(1))).plan,
          );
          for (const text of wanted) assert.ok(found.includes(text), `${text}\nin\n${found.join('\n')}`);
        }
      });
    }
  });
}
