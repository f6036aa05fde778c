import type { PhysicalRule } from './physical-rule.js';

/**
 * Turns order-sensitive aggregates around where the input is already in the opposite order. None of the functions that exist is
 * order-sensitive in this sense yet; `first_value` and its kin bring their reversals along.
 */
export const optimizeAggregateOrder: PhysicalRule = {
  name: 'OptimizeAggregateOrder',
  optimize: (plan) => plan,
};
