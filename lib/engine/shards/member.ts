import type { Progress } from "../../results/record/recorder.ts";
import type { Clock } from "../../base/time/clock.ts";
import { joined } from "../workers/so_far.ts";
import type { OtherSoFar, ShardShare } from "../workers/worker_pool.ts";
import type { Link } from "./link.ts";
import type { FromShard, ShardReport, ToShard } from "./message.ts";

/** How often a shard's clock is compared with the lead's; the fastest trip counts. */
const TRIPS = 5;

/** A shard that joined, as the lead sees it. */
export class Member {
  readonly ready = Promise.withResolvers<void>();
  /** Its share of the run, or what is known of it. */
  readonly share = Promise.withResolvers<ShardShare>();
  /** It has reported all there will be. */
  over = false;
  #progress: readonly Progress[] = [];
  #soFar: ShardReport | undefined;
  #soFarMs = 0;
  #pong: PromiseWithResolvers<number> | undefined;

  constructor(
    readonly index: number,
    readonly link: Link<ToShard, FromShard>,
    readonly clock: Clock,
  ) {
    this.ready.promise.catch(() => {});
  }

  progress(): readonly Progress[] {
    if (!this.over) return this.#progress;
    // Its last second is not the run's last one.
    return this.#progress.map((each) => ({ ...each, second: undefined }));
  }

  get soFar(): OtherSoFar {
    return {
      workers: this.#soFar?.workers ?? [],
      untilMs: this.over ? Infinity : this.#soFarMs,
    };
  }

  /** @param atMs how far the run is */
  receive(message: FromShard, atMs: () => number): void {
    switch (message.type) {
      case "ready":
        return this.ready.resolve();
      case "pong":
        return this.#pong?.resolve(message.now);
      case "progress":
        this.#progress = message.progress;
        return;
      case "so-far":
        this.#soFar = {
          workers: message.workers.map((each, nth) =>
            joined(this.#soFar?.workers[nth], each)
          ),
          cost: message.cost,
        };
        this.#soFarMs = atMs();
        return;
      case "share":
        return this.#finish(message.report);
      case "left":
        this.#finish(message.report, { atMs: atMs(), why: message.why });
        return void this.link.send({ type: "stored" });
    }
  }

  /** Nothing more will come: what it reported so far is its share. */
  lose(why: string): void {
    this.#finish(this.#soFar, { atMs: this.#soFarMs, why });
    this.link.close();
  }

  /**
   * How far its clock is ahead of this one, and how long a message takes to it and
   * back, in milliseconds.
   */
  async compareClocks(): Promise<{ aheadMs: number; tripMs: number }> {
    let best = { aheadMs: 0, tripMs: Infinity };
    for (let trip = 0; trip < TRIPS; trip++) {
      this.#pong = Promise.withResolvers();
      const sent = this.clock.now();
      void this.link.send({ type: "ping" });
      const theirs = await Promise.race([
        this.#pong.promise,
        this.share.promise.then(() => undefined),
      ]);
      if (theirs === undefined) break;
      const received = this.clock.now();
      const tripMs = received - sent;
      if (tripMs >= best.tripMs) continue;
      best = { aheadMs: theirs - (sent + received) / 2, tripMs };
    }
    return best;
  }

  #finish(report: ShardReport | undefined, lost?: ShardShare["lost"]): void {
    if (this.over) return;
    this.over = true;
    this.#soFar = report;
    this.share.resolve({
      index: this.index,
      workers: report?.workers ?? [],
      ...(report && { cost: report.cost }),
      ...(lost && { lost }),
    });
  }
}
