/** An item with what it is ranked by. */
export interface Ranked<T> {
  readonly rank: number;
  readonly item: T;
}

/**
 * The `limit` items of the highest rank. Ask `wants` first: the item need not
 * be made when its rank is too low.
 */
export class TopKept<T> {
  /** Lowest rank first. */
  readonly #kept: Ranked<T>[] = [];

  constructor(readonly limit: number) {}

  accepts(rank: number): boolean {
    return this.#kept.length < this.limit || rank > this.#kept[0]!.rank;
  }

  add(rank: number, item: T): void {
    if (!this.accepts(rank)) return;
    if (this.#kept.length === this.limit) this.#kept.shift();
    const at = this.#kept.findIndex((each) => each.rank > rank);
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, { rank, item });
  }

  /** Highest rank first. */
  list(): Ranked<T>[] {
    return this.#kept.toReversed();
  }
}
