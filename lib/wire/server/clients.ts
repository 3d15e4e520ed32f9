import type { Clock } from "../../base/time/clock.ts";

/** How long no client is accepted after that failed, as at the descriptor limit. */
const PAUSE_MS = 50;

/** One client that was accepted. */
interface Client {
  /** Since when it is waited for; undefined while it must not be sent away. */
  readonly waitingSince: number | undefined;
  /** Goes on until it counts no longer; never rejects. */
  serve(): Promise<void>;
  close(): void;
}

/** A listener that accepts clients: `Deno.Listener` fits. */
interface Accepts<Connection> {
  accept(): Promise<Connection>;
}

/**
 * The clients of a listener. When there are too many of them, or too few
 * descriptors, the one that is waited for longest goes: who opens connections and
 * does nothing with them keeps no other out.
 */
export class Clients<Each extends Client> implements Iterable<Each> {
  readonly #all = new Set<Each>();
  #left = Promise.withResolvers<void>();

  /** @param most at once */
  constructor(readonly most: number, readonly clock: Clock) {}

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Each> {
    return this.#all.values();
  }

  /** Takes in clients until `signal` aborts, after which the listener is closed. */
  async accept<Connection extends { close(): void }>(
    listener: Accepts<Connection>,
    enter: (connection: Connection) => Each,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        const connection = await listener.accept();
        if (this.size < this.most || this.#dropIdlest()) {
          this.#add(enter(connection));
        } else connection.close();
      } catch {
        // No descriptor is left, or the client has gone.
        if (signal.aborted) return;
        this.#dropIdlest();
        await this.clock.sleep(PAUSE_MS, signal);
      }
    }
  }

  /** Resolves when there are none. */
  async empty(): Promise<void> {
    while (this.size > 0) await this.#left.promise;
  }

  #add(client: Each): void {
    this.#all.add(client);
    void client.serve().then(() => {
      this.#all.delete(client);
      this.#left.resolve();
      this.#left = Promise.withResolvers();
    });
  }

  /** Whether there was one to send away. */
  #dropIdlest(): boolean {
    let idlest: Each | undefined;
    for (const each of this.#all) {
      const since = each.waitingSince;
      if (since === undefined) continue;
      if (since < (idlest?.waitingSince ?? Infinity)) idlest = each;
    }
    if (!idlest) return false;
    this.#all.delete(idlest);
    idlest.close();
    return true;
  }
}
