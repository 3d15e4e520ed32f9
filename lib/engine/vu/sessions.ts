import type { StepResponse } from "../../model/result/response.ts";
import type { Closable, Keep } from "../../steps/protocol.ts";

interface Entry {
  readonly session: Closable;
  /** The step that used it last. */
  user: number;
}

/** An end that no step has seen, and the step that used the session last. */
interface UnseenEnd {
  readonly step: number;
  readonly response: StepResponse;
}

/** What protocols keep open between steps. */
export class Sessions implements Keep {
  #sessions: Map<string, Entry> | undefined;
  /** The step under way, by its position among those of the iteration. */
  step = 0;

  get(key: string): Closable | undefined {
    const entry = this.#sessions?.get(key);
    if (!entry) return undefined;
    entry.user = this.step;
    return entry.session;
  }

  set(key: string, session: Closable): void {
    (this.#sessions ??= new Map()).set(key, { session, user: this.step });
  }

  get empty(): boolean {
    return this.#sessions === undefined || this.#sessions.size === 0;
  }

  /** Closes everything at once, and waits for it. What cannot be closed is dropped. */
  async close(): Promise<void> {
    await this.end();
  }

  /** The same, and what no step has seen of how they ended. */
  async end(): Promise<readonly UnseenEnd[]> {
    const entries = Array.from(this.#sessions?.values() ?? []);
    this.#sessions = undefined;
    await Promise.all(entries.map(({ session }) => drop(session)));
    return entries.flatMap(({ session, user: step }) => {
      const response = session.unseenEnd?.();
      return response ? [{ step, response }] : [];
    });
  }
}

async function drop(session: Closable): Promise<void> {
  try {
    await session.close();
  } catch {
    // The server may be gone: it is closed already.
  }
}
