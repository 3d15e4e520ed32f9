/** A map that forgets its oldest entry when it holds `limit`. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();

  constructor(private readonly limit: number) {}

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.limit && !this.#entries.has(key)) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest!);
    }
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
