/** Keeps the last few results of something slow, by key. */
export class Memory<T> {
  readonly #kept = new Map<string, T>();

  /** @param most results kept; the one unused the longest goes first */
  constructor(readonly most: number) {}

  /** The result under `key`, made once. A promise that fails is not kept. */
  get(key: string, make: () => T): T {
    const made = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    if (made instanceof Promise) made.catch(() => this.#kept.delete(key));
    if (this.#kept.size > this.most) {
      this.#kept.delete(this.#kept.keys().next().value!);
    }
    return made;
  }
}
