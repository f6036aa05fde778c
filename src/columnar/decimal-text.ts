/** An unscaled decimal as text with its scale: (5n, 2) → `0.05`, (2400n, 2) → `24.00`, (5n, -2) → `500`. */
export function formatDecimal(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString();
  if (scale <= 0) return unscaled === 0n ? '0' : sign + digits + '0'.repeat(-scale);
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
