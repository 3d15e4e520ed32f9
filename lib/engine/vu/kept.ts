import type { Closable, Keep } from "../../steps/protocol.ts";

/** What protocols keep open between steps. */
export class Kept implements Keep {
  #things: Map<string, Closable> | undefined;

  get(key: string): Closable | undefined {
    return this.#things?.get(key);
  }

  set(key: string, thing: Closable): void {
    (this.#things ??= new Map()).set(key, thing);
  }

  delete(key: string): void {
    this.#things?.delete(key);
  }

  get empty(): boolean {
    return this.#things === undefined || this.#things.size === 0;
  }

  /** Closes everything at once, and waits for it. What cannot be closed is let go. */
  async close(): Promise<void> {
    const things = this.#things;
    this.#things = undefined;
    await Promise.all(Array.from(things?.values() ?? [], letGo));
  }
}

async function letGo(thing: Closable): Promise<void> {
  try {
    await thing.close();
  } catch {
    // The peer may be gone; there is nothing left to close.
  }
}
