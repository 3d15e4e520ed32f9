/** Keeps one of lists that have the same items, where one comes after the other. */
export class SharedList<T> {
  #last: readonly T[] = [];

  /** The last list if it has the same items, else this one. Neither may be changed. */
  of(list: readonly T[]): readonly T[] {
    const last = this.#last;
    if (
      last.length !== list.length ||
      list.some((item, index) => item !== last[index])
    ) this.#last = list;
    return this.#last;
  }
}
