/** Counts in as little room as they take: most of a run's many arrays hold small ones. */
export type Counts = Uint8Array | Uint16Array | Uint32Array;

/** Room is made for so many counts at a time. */
const ROOM = 512;

/**
 * Counts one more at `index`.
 *
 * @returns the counts; longer or wider ones in their place when there was no room
 */
export function countAt(counts: Counts, index: number): Counts {
  if (index >= counts.length) return countAt(longer(counts, index + 1), index);
  const count = counts[index]! + 1;
  counts[index] = count;
  if (counts[index] === count || counts instanceof Uint32Array) return counts;
  const Wider = counts instanceof Uint8Array ? Uint16Array : Uint32Array;
  const wider = new Wider(counts);
  wider[index] = count;
  return wider;
}

/** A copy with room for so many at least. */
function longer(counts: Counts, length: number): Counts {
  const Same = counts.constructor as Uint8ArrayConstructor;
  const copy = new Same(Math.ceil(length / ROOM) * ROOM);
  copy.set(counts);
  return copy;
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
