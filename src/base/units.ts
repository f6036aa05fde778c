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

/** For people: `1.5 MiB`, `12 B`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? 'B'}`;
}

/** For people: `870 ns`, `1.2 ms`, `3.4 s`, `2 min 05 s`. */
export function durationText(nanos: number): string {
  if (nanos < 1_000) return `${Math.round(nanos)} ns`;
  if (nanos < 1_000_000) return `${(nanos / 1_000).toFixed(1)} µs`;
  if (nanos < 1_000_000_000) return `${(nanos / 1_000_000).toFixed(1)} ms`;
  const seconds = nanos / 1_000_000_000;
  if (seconds < 60) return `${seconds.toFixed(2)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, '0')} s`;
}

/** Digits in groups of three: `1,234,567`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
