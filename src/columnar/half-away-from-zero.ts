/** The nearest whole number; halves go away from zero (Rust's `f64::round`). NaN, infinities and the sign of zero stay. */
export function halfAwayFromZero(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const whole = Math.trunc(value);
  const rounded = Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
  return rounded === 0 && value < 0 ? -0 : rounded;
}
