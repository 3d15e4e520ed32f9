/**
 * Up to `limit` items spread over groups: while there is room every group gets
 * what it brings; then the largest group gives way to smaller ones. The first
 * item of a group stays once it is in.
 */
export class FairShare<T> {
  readonly #groups = new Map<string, T[]>();
  #size = 0;

  constructor(readonly limit: number) {}

  /** Whether `add` would keep an item of this group. */
  accepts(group: string): boolean {
    if (this.#size < this.limit) return true;
    const mine = this.#groups.get(group)?.length ?? 0;
    // Sharing evenly bounds what a group can win, without a search.
    if (mine > this.limit / Math.max(1, this.#groups.size)) return false;
    return this.#largest().length > mine + 1;
  }

  add(group: string, item: T): void {
    if (!this.accepts(group)) return;
    if (this.#size === this.limit) {
      this.#largest().pop();
      this.#size--;
    }
    const mine = this.#groups.get(group);
    if (mine) mine.push(item);
    else this.#groups.set(group, [item]);
    this.#size++;
  }

  list(): { readonly group: string; readonly item: T }[] {
    return [...this.#groups].flatMap(([group, items]) =>
      items.map((item) => ({ group, item }))
    );
  }

  #largest(): T[] {
    let largest: T[] = [];
    for (const items of this.#groups.values()) {
      if (items.length > largest.length) largest = items;
    }
    return largest;
  }
}

/** An item with what it is ranked by. */
interface Ranked<T> {
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
