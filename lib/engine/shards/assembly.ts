import type { Clock } from "../../base/time/clock.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { IdWords } from "../../results/traces/trace_ids.ts";
import type { ByteStream } from "../../wire/net/byte_stream.ts";
import type { Shard } from "../plan/shard.ts";
import { joinReports } from "../workers/partial_report.ts";
import type { PartialShare, ShardShare } from "../workers/worker_pool.ts";
import {
  admit,
  type Agreement,
  type Credentials,
  difference,
  ShardRefused,
} from "./handshake.ts";
import { Frames, Link } from "./link.ts";
import type { FromShard, ShardReport, ToShard } from "./message.ts";

/** How often a shard's clock is compared with the lead's; the fastest trip counts. */
const TRIPS = 5;

/** The messages that change what the lead knows of a shard. */
type MemberMessage = Extract<
  FromShard,
  { type: "ready" | "pong" | "progress" | "so-far" | "share" | "left" }
>;

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

  get soFar(): PartialShare {
    return {
      workers: this.#soFar?.workers ?? [],
      untilMs: this.over ? Infinity : this.#soFarMs,
    };
  }

  /** @param atMs how far the run is */
  receive(message: MemberMessage, atMs: () => number): void {
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
            joinReports(this.#soFar?.workers[nth], each)
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
      default:
        return message satisfies never;
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

/** How long a shard may take to prove itself. */
const PROOF_MS = 5_000;

/** How often strangers are spoken of. */
const SAID_MS = 60_000;

/** A connection that has not proven who it is. */
export interface Newcomer {
  readonly waitingSince: number;
  /** Until it has, or is gone. */
  serve(): Promise<void>;
  close(): void;
}

/** The rules by which the lead lets shards in. */
export interface AssemblyRules extends Credentials {
  /** How many the run has, the lead's included. */
  readonly shards: number;
  readonly agreement: Agreement;
  readonly ids: IdWords;
  readonly clock: Clock;
  /** Says who came, and who was not let in. */
  readonly say: (text: string) => void;
}

/** The shards that joined, and the wait for the others before the run begins. */
export class Assembly {
  /** From now on a shard that goes away is missing in the run. */
  begun = false;
  readonly #members = new Map<number, Member>();
  readonly #complete = Promise.withResolvers<void>();
  readonly #strangers: Strangers;

  /** @param take receives what members send */
  constructor(
    readonly rules: AssemblyRules,
    readonly take: (member: Member, message: FromShard) => void,
  ) {
    this.#complete.promise.catch(() => {});
    this.#strangers = new Strangers(rules);
    this.#look();
  }

  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** The run does not begin. */
  fail(error: unknown): void {
    this.#complete.reject(error);
  }

  /**
   * Waits until every shard is ready; the run begins then.
   *
   * @throws {ShardRefused} naming those that are missing when it takes too long
   */
  async wait(timeoutMs: number): Promise<void> {
    const done = new AbortController();
    void this.rules.clock.sleep(timeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) this.fail(this.#missing(timeoutMs));
    });
    await this.#complete.promise.finally(() => done.abort());
    this.begun = true;
  }

  /**
   * Receives one connection: lets the shard in when everything fits, and says why
   * it does not otherwise. It is a newcomer until it has proven who it is.
   */
  receive(stream: ByteStream, from: string): Newcomer {
    const { clock } = this.rules;
    const frames = new Frames(stream, () => clock.now());
    const tooLong = new AbortController();
    tooLong.signal.addEventListener("abort", () => frames.close());
    return {
      waitingSince: clock.now(),
      serve: () => this.#receive(frames, from, tooLong),
      close: () => tooLong.abort(),
    };
  }

  /** No more connections are received. */
  end(): void {
    this.#strangers.end();
  }

  async #receive(
    frames: Frames,
    from: string,
    tooLong: AbortController,
  ): Promise<void> {
    const { clock, token } = this.rules;
    const over = new AbortController();
    void clock.sleep(PROOF_MS, over.signal).then(() => {
      if (!over.signal.aborted) tooLong.abort();
    });
    try {
      const { shard, nonces } = await admit(frames, this.rules);
      const link = new Link<ToShard, FromShard>(
        frames,
        clock,
        "lead",
        token,
        nonces,
      );
      void this.#serve(link, shard, from).catch(() => frames.close());
    } catch (error) {
      frames.close();
      const why = tooLong.signal.aborted
        ? "it took too long to prove that it knows BENCH_SHARD_TOKEN"
        : (error as Error).message;
      this.#strangers.refused(from, why);
    } finally {
      over.abort();
    }
  }

  /** A member went away, or does what none should. */
  lost(member: Member, why: string): void {
    const { shards, say } = this.rules;
    const name = `shard ${member.index}/${shards}`;
    if (this.begun) {
      if (!member.over) say(`${name} was lost: ${why}`);
      return member.lose(why);
    }
    this.#members.delete(member.index);
    member.link.close();
    say(`${name} left before the run began: ${why}`);
  }

  async #serve(
    link: Link<ToShard, FromShard>,
    shard: Shard,
    from: string,
  ): Promise<void> {
    const { clock, ids, say } = this.rules;
    const name = `shard ${shard.index}/${shard.count} at ${from}`;
    let member: Member | undefined;
    await link.listen((message) => {
      if (member) return this.take(member, message);
      if (message.type !== "join") return;
      const refused = this.#whyNot(shard, message.agreement);
      if (refused !== undefined) {
        say(`${name} was not let in: ${refused}`);
        void link.send({ type: "turned-away", message: refused })
          .then(() => link.close());
        return;
      }
      const joined = member = new Member(shard.index, link, clock);
      void link.lost.then((why) => this.lost(joined, why));
      void link.send({ type: "joined", ids });
      say(`${name} joined`);
      this.#members.set(joined.index, joined);
      joined.ready.promise
        .then(() => this.#look(), (error) => this.fail(error));
    });
  }

  #whyNot({ index, count }: Shard, theirs: Agreement): string | undefined {
    const { shards, agreement } = this.rules;
    if (count !== shards) {
      return `the run has ${shards} shards, it says ${count}`;
    }
    if (this.begun) return "the run has begun without it";
    if (index === 0) return "shard 0 is the lead";
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      return `there is no shard ${index} of ${count}`;
    }
    if (this.#members.has(index)) return `shard ${index} has joined before`;
    return difference(agreement, theirs);
  }

  #look(): void {
    const ready = this.members.map((each) => each.ready.promise);
    if (ready.length !== this.rules.shards - 1) return;
    Promise.all(ready).then(() => {
      if (this.#members.size === this.rules.shards - 1) {
        this.#complete.resolve();
      }
    }, () => {});
  }

  #missing(timeoutMs: number): ShardRefused {
    const { shards } = this.rules;
    const missing = Array.from({ length: shards - 1 }, (_, nth) => nth + 1)
      .filter((index) => !this.#members.has(index));
    return new ShardRefused(
      `${shards - missing.length} of ${shards} shards came within ${
        timeoutMs / 1_000
      } s: ${missing.map((index) => `shard ${index}`).join(", ")} missing`,
      "start every shard with the same --lead, or wait longer with --join-timeout",
    );
  }
}

/** Says who was not let in: the first at once, then a line a minute. */
class Strangers {
  #count = 0;
  #last = ["", ""];
  #saidAt = -Infinity;

  constructor(readonly rules: Pick<AssemblyRules, "clock" | "say">) {}

  refused(from: string, why: string): void {
    const now = this.rules.clock.now();
    this.#count++;
    this.#last = [from, why];
    if (now - this.#saidAt < SAID_MS) return;
    this.#saidAt = now;
    this.end();
  }

  /** Says what was not said. */
  end(): void {
    const count = this.#count;
    const [from, why] = this.#last;
    this.#count = 0;
    if (count === 0) return;
    const { say } = this.rules;
    say(
      count === 1
        ? `${from} was not let in: ${why}`
        : `${count} connections were not let in, the last from ${from}: ${why}`,
    );
  }
}
