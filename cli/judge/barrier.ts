/** Lets several tasks go on when all of them have come so far. */
export class Barrier {
  readonly #open = Promise.withResolvers<void>();
  #missing: number;

  constructor(count: number) {
    this.#missing = count;
    this.#open.promise.catch(() => {});
  }

  /** Resolves when the last one is there; rejects when one of them never will be. */
  readonly arrive = (): Promise<void> => {
    if (--this.#missing === 0) this.#open.resolve();
    return this.#open.promise;
  };

  /** One of them is not going to come. */
  break(error: unknown): void {
    this.#open.reject(error);
  }
}
