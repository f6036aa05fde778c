/**
 * How a logical worker is called where people route tasks and where rows say who made them. It stays the same wherever the worker is
 * hosted, so that a plan routed by URL runs with one process or with ten.
 */
export function workerUrl(worker: number): string {
  return `distq://worker/${worker}`;
}
