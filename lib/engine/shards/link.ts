import { deserialize, serialize } from "node:v8";
import type { Clock } from "../../base/time/clock.ts";
import type { Frames } from "./frames.ts";
import { type End, type Nonces, Seal } from "./seal.ts";

/** Bytes of one message: what a shard recorded has a few megabytes at the most. */
const MOST = 1 << 30;
/** How often each end says that it is there, and how long silence may last. */
const ALIVE_MS = 1_000;
const SILENCE_MS = 10_000;

/** One end of the connection between the lead and a shard; messages are sealed. */
export class Link<Sent extends { type: string }, Received> {
  readonly #mine: Seal;
  readonly #theirs: Seal;
  readonly #closed = new AbortController();
  readonly #lost = Promise.withResolvers<string>();
  /** Resolves with what went wrong when the link breaks; never rejects. */
  readonly lost: Promise<string> = this.#lost.promise;

  constructor(
    readonly frames: Frames,
    readonly clock: Clock,
    end: End,
    token: string,
    nonces: Nonces,
  ) {
    this.#mine = new Seal(token, nonces, end);
    this.#theirs = new Seal(token, nonces, end === "lead" ? "shard" : "lead");
  }

  /** Whether everything that was said is on its way. */
  get idle(): boolean {
    return this.frames.waiting === 0;
  }

  /** Sends. Resolves when it is on its way; a broken link is reported by `lost`. */
  send(message: Sent): Promise<void> {
    if (this.#closed.signal.aborted) return Promise.resolve();
    return this.frames.write(this.#mine.close(serialize(message)))
      .catch((error) => this.#break(error.message));
  }

  /** Calls `take` with each message until the link breaks or is closed. */
  async listen(take: (message: Received) => void): Promise<void> {
    void this.#watch();
    try {
      for (;;) {
        const sealed = await this.frames.read(MOST);
        if (!sealed) return this.#break("the connection was closed");
        take(deserialize(this.#theirs.open(sealed)) as Received);
      }
    } catch (error) {
      this.#break((error as Error).message);
    }
  }

  close(): void {
    this.#closed.abort();
    this.frames.close();
  }

  /** Says that this end is there, and looks whether the other one is. */
  async #watch(): Promise<void> {
    const { signal } = this.#closed;
    for (;;) {
      await this.clock.sleep(ALIVE_MS, signal);
      if (signal.aborted) return;
      if (this.clock.now() - this.frames.heardAt > SILENCE_MS) {
        return this.#break(`nothing was heard for ${SILENCE_MS / 1_000} s`);
      }
      if (this.idle) void this.send({ type: "alive" } as unknown as Sent);
    }
  }

  #break(why: string): void {
    if (this.#closed.signal.aborted) return;
    this.close();
    this.#lost.resolve(why);
  }
}
