/** Counts in as little room as they take: most of a run's many arrays hold small ones. */
export type Counts = Uint8Array | Uint16Array | Uint32Array;

/**
 * Counts one more at `index`.
 *
 * @returns the counts; wider ones in their place when one had no room
 */
export function countAt(counts: Counts, index: number): Counts {
  const count = counts[index]! + 1;
  counts[index] = count;
  if (counts[index] === count || counts instanceof Uint32Array) return counts;
  const Wider = counts instanceof Uint8Array ? Uint16Array : Uint32Array;
  const wider = new Wider(counts);
  wider[index] = count;
  return wider;
}

/** A copy, as narrow as can be. */
export function narrowed(counts: ArrayLike<number>): Counts {
  let most = 0;
  for (let index = 0; index < counts.length; index++) {
    if (counts[index]! > most) most = counts[index]!;
  }
  const Narrow = most < 1 << 8
    ? Uint8Array
    : most < 1 << 16
    ? Uint16Array
    : Uint32Array;
  return new Narrow(counts);
}
