/** Keeps the last few results of something slow, by key. */
export class Memory<T> {
  readonly #kept = new Map<string, Promise<T>>();

  /** @param most results kept; the one unused the longest goes first */
  constructor(readonly most: number) {}

  /** The result under `key`, made once. One that fails is not kept. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const made = make();
    this.#kept.set(key, made);
    made.catch(() => this.#kept.delete(key));
    if (this.#kept.size > this.most) {
      this.#kept.delete(this.#kept.keys().next().value!);
    }
    return made;
  }
}
