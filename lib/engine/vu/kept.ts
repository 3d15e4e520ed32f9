import type { Reply } from "../../model/result/reply.ts";
import type { Closable, Keep } from "../../steps/protocol.ts";

interface Entry {
  readonly thing: Closable;
  /** The step that used it last. */
  user: number;
}

/** An end that no step has seen, and the step that used the thing last. */
export interface UnseenEnd {
  readonly step: number;
  readonly reply: Reply;
}

/** What protocols keep open between steps. */
export class Kept implements Keep {
  #things: Map<string, Entry> | undefined;
  /** The step under way, by its place among those of the iteration. */
  step = 0;

  get(key: string): Closable | undefined {
    const entry = this.#things?.get(key);
    if (!entry) return undefined;
    entry.user = this.step;
    return entry.thing;
  }

  set(key: string, thing: Closable): void {
    (this.#things ??= new Map()).set(key, { thing, user: this.step });
  }

  delete(key: string): void {
    this.#things?.delete(key);
  }

  get empty(): boolean {
    return this.#things === undefined || this.#things.size === 0;
  }

  /** Closes everything at once, and waits for it. What cannot be closed is dropped. */
  async close(): Promise<void> {
    await this.end();
  }

  /** The same, and what no step has seen of how the things ended. */
  async end(): Promise<readonly UnseenEnd[]> {
    const entries = Array.from(this.#things?.values() ?? []);
    this.#things = undefined;
    await Promise.all(entries.map(({ thing }) => drop(thing)));
    return entries.flatMap(({ thing, user: step }) => {
      const reply = thing.unseenEnd?.();
      return reply ? [{ step, reply }] : [];
    });
  }
}

async function drop(thing: Closable): Promise<void> {
  try {
    await thing.close();
  } catch {
    // The peer may be gone; there is nothing left to close.
  }
}
