/** Levenshtein distance with adjacent transpositions, over UTF-16 units; small inputs only (names). */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/**
 * The candidates a mistyped name probably meant, nearest first, at most `limit`; empty when nothing is near.
 * Comparison ignores case; a candidate counts as near within a third of the name's length (at least 1, but never all of it).
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const allowed = Math.min(wanted.length - 1, Math.max(1, Math.floor(wanted.length / 3)));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const other = candidate.toLowerCase();
    const contained = other.includes(wanted) || wanted.includes(other);
    const distance = contained && Math.min(other.length, wanted.length) > 2 ? 1 : editDistance(wanted, other);
    if (distance <= allowed || (contained && wanted.length > 2 && other.length > 2))
      scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  // The same letters in another case are meant for sure.
  const same = scored.filter((entry) => entry.distance === 0);
  if (same.length > 0) return same.slice(0, limit).map((entry) => entry.candidate);
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

/** `did you mean "a" or "b"?`, or undefined when there is nothing to suggest. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const near = nearestNames(name, candidates).map((candidate) => `"${candidate}"`);
  if (near.length === 0) return undefined;
  const last = near.pop() ?? '';
  return `did you mean ${near.length === 0 ? last : `${near.join(', ')} or ${last}`}?`;
}
