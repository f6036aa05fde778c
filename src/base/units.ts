import { DistqError } from './errors.js';

const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  kb: 1000,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1000 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1000 ** 3,
  gib: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1000 ** 4,
  tib: 1024 ** 4,
};

const MS_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `512MiB`, `2g`, `1500000` → bytes; `what` names the flag or setting in the `config` error. */
export function parseByteSize(text: string, what: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const factor = BYTE_UNITS[(match?.[2] ?? '').toLowerCase()];
  if (match === null || factor === undefined) {
    throw new DistqError('config', `${what} cannot be "${text}"`, { hint: 'give a size such as 512MiB or 2g' });
  }
  return Math.round(Number(match[1]) * factor);
}

/** `30s`, `1m30s`, `250ms`, `2` (seconds) → milliseconds. */
export function parseDuration(text: string, what: string): number {
  const trimmed = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1000);
  if (/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(trimmed)) {
    let total = 0;
    for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
      total += Number(amount) * (MS_UNITS[unit ?? ''] ?? 0);
    }
    return Math.round(total);
  }
  throw new DistqError('config', `${what} cannot be "${text}"`, { hint: 'give a duration such as 30s or 1m30s' });
}

/** Digits in groups of three: `1,234,567`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
