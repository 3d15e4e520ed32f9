/**
 * The candidate a person most likely meant by `word`, or undefined when none
 * is near: at most a third of the longer word may differ, and at most three
 * edits; one in words of three letters and more. Letter case and `-`/`_`
 * differences are free. Else the only candidate that begins with the word, of three
 * letters and more.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
): string | undefined {
  if (word === "") return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const distance = editDistance(plain(word), plain(candidate));
    const longer = Math.max(word.length, candidate.length);
    const limit = longer < 3 ? 0 : Math.min(3, Math.floor(longer / 3));
    if (distance <= limit && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined || word.length < 3) return best;
  const [first, ...others] = candidates.filter((each) =>
    plain(each).startsWith(plain(word))
  );
  return others.length === 0 ? first : undefined;
}

/** The hint that says which of the candidates was meant; undefined where none is near. */
export function didYouMean(
  word: string,
  candidates: readonly string[],
  written = (candidate: string): string => candidate,
): string | undefined {
  const near = nearest(word, candidates);
  return near === undefined ? near : `did you mean \`${written(near)}\`?`;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

/** Optimal string alignment: insert, delete, replace, swap two neighbours. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        row[j - 1]! + 1,
        previous[j]! + 1,
        previous[j - 1]! + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] &&
        a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
