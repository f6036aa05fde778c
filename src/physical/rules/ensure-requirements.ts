import type { PhysicalRule } from './physical-rule.js';
import { ensureDistribution } from './ensure-distribution.js';
import { ensureSorting } from './ensure-sorting.js';
import { reorderJoinKeys } from './join-key-reordering.js';
import { useOrderPreservingVariants } from './order-preserving-variants.js';
import { parallelizeSorts } from './parallelize-sorts.js';
import { pushDownSorts } from './sort-pushdown.js';

/**
 * Makes the plan valid: repartitions, merges and sorts go where a node's needs are not met, and away where they are. Distribution comes
 * first, since repartitioning may lose an order that then has to be made again.
 */
export const ensureRequirements: PhysicalRule = {
  name: 'EnsureRequirements',
  optimize: (plan, config) => {
    const aligned = config.get('optimizer.top_down_join_key_reordering') ? reorderJoinKeys(plan) : plan;
    const distributed = ensureDistribution(aligned, config);
    const sorted = ensureSorting(distributed);
    const parallel = config.get('optimizer.repartition_sorts') ? parallelizeSorts(sorted) : sorted;
    return pushDownSorts(useOrderPreservingVariants(parallel, config));
  },
};
