import type { Clock } from "../../base/time/clock.ts";
import { ShardRefused } from "./handshake.ts";
import type { Member } from "./member.ts";

/** The shards that joined, and the wait for the others before the run begins. */
export class Assembly {
  readonly #members = new Map<number, Member>();
  readonly #complete = Promise.withResolvers<void>();

  /** @param shards how many the run has, the lead's included */
  constructor(readonly shards: number, readonly clock: Clock) {
    this.#complete.promise.catch(() => {});
    this.#look();
  }

  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  has(index: number): boolean {
    return this.#members.has(index);
  }

  add(member: Member): void {
    this.#members.set(member.index, member);
    member.ready.promise.then(() => this.#look(), (error) => this.fail(error));
  }

  remove(member: Member): void {
    this.#members.delete(member.index);
  }

  /** The run does not begin. */
  fail(error: unknown): void {
    this.#complete.reject(error);
  }

  /**
   * Waits until every shard is ready.
   *
   * @throws {ShardRefused} naming those that are missing when it takes too long
   */
  async wait(timeoutMs: number): Promise<void> {
    const done = new AbortController();
    void this.clock.sleep(timeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) this.fail(this.#missing(timeoutMs));
    });
    await this.#complete.promise.finally(() => done.abort());
  }

  #look(): void {
    const ready = this.members.map((each) => each.ready.promise);
    if (ready.length !== this.shards - 1) return;
    Promise.all(ready).then(() => {
      if (this.#members.size === this.shards - 1) this.#complete.resolve();
    }, () => {});
  }

  #missing(timeoutMs: number): ShardRefused {
    const { shards } = this;
    const missing = Array.from({ length: shards - 1 }, (_, nth) => nth + 1)
      .filter((index) => !this.has(index));
    return new ShardRefused(
      `${shards - missing.length} of ${shards} shards came within ${
        timeoutMs / 1_000
      } s: ${missing.map((index) => `shard ${index}`).join(", ")} missing`,
      "start every shard with the same --lead, or wait longer with --join-timeout",
    );
  }
}
