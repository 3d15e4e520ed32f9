/** Of the turns so far. */
const SHARE = 1 / 20;

/**
 * The turns of work that takes the longer the longer a run is, such as writing all
 * that it recorded: one every `least` turns, then after a twentieth of those that
 * there were, `most` at the most.
 */
export class Cadence {
  #turns = 0;
  #next: number;

  /** @param first turn of work, from 0 */
  constructor(readonly least: number, readonly most: number, first: number) {
    this.#next = first;
  }

  /** Whether the turn that begins is one of work. */
  turn(): boolean {
    const now = this.#turns++;
    if (now < this.#next) return false;
    const pause = Math.max(this.least, Math.ceil(now * SHARE));
    this.#next = now + Math.min(this.most, pause);
    return true;
  }
}
