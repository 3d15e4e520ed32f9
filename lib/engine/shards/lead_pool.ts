import type { ByteStream } from "../../wire/net/byte_stream.ts";
import type { Increment, Missed } from "../../results/record/snapshot.ts";
import type { Progress } from "../../results/record/recorder.ts";
import { takeTurns } from "../limiter/rate_limiter.ts";
import { sharedMemory } from "../limiter/limiter.ts";
import { type GivenVariables, type RunTask, StepError } from "../vu/job.ts";
import { Stop } from "../vu/stop.ts";
import { type MainTokens, mainTokens } from "../workers/main_tokens.ts";
import { openWorkerPool } from "../workers/thread_pool.ts";
import { sendToken } from "../workers/remote_tokens.ts";
import type {
  PartialReport,
  PartialShare,
  PoolTools,
  ShardShare,
  WorkerPool,
  WorkerReport,
} from "../workers/worker_pool.ts";
import { Clients } from "../../wire/server/clients.ts";
import {
  Assembly,
  type AssemblyRules,
  type Member,
  type Newcomer,
} from "./assembly.ts";
import { ShardRefused } from "./handshake.ts";
import { LeaseKeeper, Leases } from "./leases.ts";
import type { FromShard, ToShard } from "./message.ts";

/** Where shards come to: `Deno.listen` and `Deno.listenTls` fit. */
export interface ShardListener {
  accept(): Promise<ByteStream & { readonly remoteAddr: Deno.Addr }>;
  close(): void;
}

/** The options of the lead of a run of several processes. */
interface LeadOptions extends Omit<AssemblyRules, "ids" | "clock"> {
  /** Where shards come to; it is closed with the pool. */
  readonly listener: ShardListener;
  readonly joinTimeoutMs: number;
}

/** Connections at once that have not proven who they are: many fewer than descriptors. */
const MOST_NEWCOMERS = 128;

/** All shards begin at one instant, this long after it was agreed on at least. */
const NOTICE_MS = 50;

/**
 * The workers of a run of several processes, at the one that leads: its own, and
 * the other shards, which join over the network.
 */
export class LeadPool implements WorkerPool {
  readonly #assembly: Assembly;
  readonly #leases: Leases;
  readonly #keeper: LeaseKeeper;
  readonly #main: MainTokens;
  readonly #local: WorkerPool;
  readonly #memory = sharedMemory();
  readonly #newcomers: Clients<Newcomer>;
  readonly #closed = new AbortController();
  #others: readonly ShardShare[] = [];
  #startsAt = 0;

  constructor(
    readonly task: RunTask,
    readonly tools: PoolTools,
    readonly options: LeadOptions,
  ) {
    const { plan } = task;
    const { clock, stop } = tools;
    this.#assembly = new Assembly(
      { ...options, ids: task.ids, clock },
      (member, message) => this.#receive(member, message),
    );
    this.#newcomers = new Clients(MOST_NEWCOMERS, clock);
    const memory = this.#memory;
    this.#main = mainTokens(task, memory, tools);
    const { tokens } = this.#main;
    // The end of the lead's own share is not the end of the run.
    const own = new Stop(stop.memory);
    own.listen(({ reason, detail }) => stop.soft(reason, detail));
    this.#local = openWorkerPool(task, { ...tools, stop: own, memory, tokens });
    this.#leases = new Leases(plan.iterations, options.shards);
    const grant = (count: number) => Promise.resolve(this.#leases.grant(count));
    this.#keeper = new LeaseKeeper(memory.numbers, grant, clock, task);
    stop.listen((asked) => {
      if (asked.hard) own.hard(asked.reason, asked.detail);
      this.#broadcast({ type: "stop", ...asked });
      this.#assembly.fail(
        new ShardRefused("stopped before every shard had joined"),
      );
    });
  }

  async prepare(): Promise<void> {
    void this.#newcomers.accept(
      this.options.listener,
      (connection) => this.#assembly.receive(connection, hostOf(connection)),
      this.#closed.signal,
    );
    const complete = this.#assembly.wait(this.options.joinTimeoutMs);
    try {
      await Promise.all([this.#local.prepare(), complete]);
    } catch (error) {
      this.#assembly.begun = false;
      throw error;
    }
  }

  async start(given?: GivenVariables): Promise<number> {
    const { clock } = this.tools;
    const members = this.#assembly.members;
    const clocks = await Promise.all(
      members.map((member) => member.compareClocks()),
    );
    const trips = clocks.map(({ tripMs }) => tripMs).filter(Number.isFinite);
    const notice = NOTICE_MS + 2 * Math.max(0, ...trips);
    const startsAt = this.#startsAt = clock.now() + notice;
    members.forEach((member, nth) => {
      const { aheadMs } = clocks[nth]!;
      void member.link.send({
        type: "run",
        startsAt: startsAt + aheadMs,
        given,
      });
    });
    await this.#local.start(given);
    await this.#keeper.fill();
    takeTurns(this.task.plan, this.#memory, clock.wall() + notice);
    await clock.sleep(startsAt - clock.now());
    return startsAt;
  }

  async run(startsAt: number): Promise<readonly WorkerReport[]> {
    void this.#keeper.keep(this.#closed.signal);
    const shares = this.#assembly.members.map((each) => each.share.promise);
    const [own, others] = await Promise.all([
      this.#local.run(startsAt),
      Promise.all(shares),
    ]);
    this.#others = others.toSorted((a, b) => a.index - b.index);
    return this.#main.held.joined(own);
  }

  recorded(from: number): Promise<readonly PartialReport[]> {
    return this.#local.recorded(from);
  }

  increments(missed: Missed): Promise<readonly Increment[]> {
    return this.#local.increments(missed);
  }

  progress(): readonly Progress[] {
    return [this.#local, ...this.#assembly.members].flatMap((each) =>
      each.progress()
    );
  }

  othersSoFar(): readonly PartialShare[] {
    return this.#assembly.members.map((each) => each.soFar);
  }

  others(): readonly ShardShare[] {
    return this.#others;
  }

  async stored(): Promise<void> {
    await Promise.all(
      this.#assembly.members.map(({ link }) => link.send({ type: "stored" })),
    );
  }

  async close(): Promise<void> {
    this.#closed.abort();
    if (!this.#assembly.begun) {
      const message = "the lead ended before the run began";
      this.#broadcast({ type: "turned-away", message });
    }
    for (const { link } of this.#assembly.members) {
      void link.send({ type: "alive" }).then(() => link.close());
    }
    try {
      this.options.listener.close();
    } catch {
      // It is closed already.
    }
    for (const each of this.#newcomers) each.close();
    this.#assembly.end();
    this.#main.close();
    await this.#local.close();
  }

  #receive(member: Member, message: FromShard): void {
    switch (message.type) {
      case "need":
        return void member.link.send({
          type: "numbers",
          range: this.#leases.grant(message.count),
        });
      case "token":
        return void sendToken(this.#main.tokens, message)
          .then((response) => member.link.send(response));
      case "stop":
        return this.tools.stop.soft(message.reason, message.detail);
      case "refused":
        return member.ready.reject(
          new StepError(message.pointer, new Error(message.message)),
        );
      case "broken":
        return this.#assembly.lost(
          member,
          `a bug of bench: ${message.message}`,
        );
      case "join":
      case "alive":
        return;
      case "ready":
      case "pong":
      case "progress":
      case "so-far":
      case "share":
      case "left":
        return member.receive(message, () => this.#elapsed());
      default:
        return message satisfies never;
    }
  }

  #elapsed(): number {
    const { warmUpMs = 0 } = this.task.plan;
    const elapsed = this.tools.clock.now() - this.#startsAt;
    return Math.max(0, elapsed - warmUpMs);
  }

  #broadcast(message: ToShard): void {
    for (const { link } of this.#assembly.members) void link.send(message);
  }
}

function hostOf({ remoteAddr }: { readonly remoteAddr: Deno.Addr }): string {
  const { hostname } = remoteAddr as Deno.NetAddr;
  // A socket that listens for both families has IPv4 in IPv6.
  return hostname.replace(/^::ffff:(?=\d+\.)/, "");
}
