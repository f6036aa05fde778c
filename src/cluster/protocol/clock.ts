/**
 * The machine's monotonic clock in ns: one base for all processes of a machine, so that times of coordinator and workers can be
 * subtracted. Wall clocks could not (L14 of the trap list).
 */
export function nowNs(): bigint {
  return process.hrtime.bigint();
}
