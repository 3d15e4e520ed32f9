import { BenchError, EXIT } from "../../base/errors/bench_error.ts";
import { Cadence } from "../../base/time/cadence.ts";
import { TokenKeeper } from "../../steps/auth/tokens.ts";
import type { Increment, Missed } from "../../results/record/snapshot.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { NumberRange } from "../limiter/iteration_numbers.ts";
import { takeTurns } from "../limiter/rate_limiter.ts";
import { sharedMemory } from "../limiter/limiter.ts";
import { WHOLE } from "../plan/shard.ts";
import { type RunTask, StepError } from "../vu/job.ts";
import type { AskedStop } from "../vu/stop.ts";
import { openWorkerPool } from "../workers/thread_pool.ts";
import { ProcessCost } from "../workers/process_cost.ts";
import { nextFrom } from "../workers/partial_report.ts";
import { RemoteTokens } from "../workers/remote_tokens.ts";
import type {
  PartialReport,
  PoolTools,
  WorkerPool,
  WorkerReport,
} from "../workers/worker_pool.ts";
import { ShardRefused } from "./handshake.ts";
import type { Joined } from "./join.ts";
import { LeaseKeeper } from "./leases.ts";
import type { ShardReport, ToShard } from "./message.ts";

/** How often a shard says how far it is. */
const PROGRESS_MS = 500;
/** Turns from one share so far to the next: at first, and at most. */
const RECORDED_EVERY = 4;
const RECORDED_AT_MOST = 60;

/** The workers of one shard that joined: what they record goes to the lead. */
export class ShardPool implements WorkerPool {
  readonly #task: RunTask;
  readonly #local: WorkerPool;
  readonly #keeper: LeaseKeeper;
  readonly #memory = sharedMemory();
  readonly #remote: RemoteTokens;
  readonly #tokens: TokenKeeper;
  readonly #closed = new AbortController();
  readonly #starts = Promise.withResolvers<
    Extract<ToShard, { type: "run" }>
  >();
  /** Resolves when the lead has stored the run, or is lost. */
  readonly #released = Promise.withResolvers<void>();
  #numbers: PromiseWithResolvers<NumberRange | undefined> | undefined;
  #stoppedByLead = false;
  #leaving: string | undefined;
  #lost: string | undefined;
  /** The first second that the lead does not have whole. */
  #from = 0;

  constructor(
    task: RunTask,
    readonly tools: PoolTools,
    readonly joined: Joined,
  ) {
    this.#task = { ...task, ids: joined.ids };
    const { clock, stop, registerSecret } = tools;
    const memory = this.#memory;
    this.#remote = new RemoteTokens((message) =>
      void joined.link.send(message)
    );
    this.#tokens = new TokenKeeper(async (request, old) => {
      const lease = await this.#remote.obtain(request, old);
      registerSecret(lease.token);
      return lease;
    }, clock);
    this.#local = openWorkerPool(this.#task, {
      ...tools,
      memory,
      tokens: this.#tokens,
    });
    const ask = (count: number) => this.#ask(count);
    this.#keeper = new LeaseKeeper(memory.numbers, ask, clock, task);
    joined.take = (message) => this.#receive(message);
    void joined.link.lost.then((why) => this.#loseLead(why));
    stop.listen((asked) => this.#stopped(asked));
    this.#starts.promise.catch(() => {});
  }

  /** The lead went away before it had stored the run: what is here is all there is. */
  get orphaned(): boolean {
    return this.#lost !== undefined;
  }

  async prepare(): Promise<void> {
    const { link } = this.joined;
    try {
      await this.#local.prepare();
    } catch (error) {
      if (error instanceof StepError) {
        const { pointer, message } = error;
        await link.send({ type: "refused", pointer, message });
      }
      throw error;
    }
    await link.send({ type: "ready" });
  }

  async start(): Promise<number> {
    const { clock } = this.tools;
    const { startsAt, given } = await this.#starts.promise;
    for (const each of given?.secrets ?? []) this.tools.registerSecret(each);
    await this.#local.start(given);
    await this.#keeper.fill();
    const wall = clock.wall() + (startsAt - clock.now());
    takeTurns(this.#task.plan, this.#memory, wall);
    await clock.sleep(startsAt - clock.now());
    return startsAt;
  }

  async run(startsAt: number): Promise<readonly WorkerReport[]> {
    const cost = new ProcessCost(
      this.tools.clock,
      startsAt + (this.#task.plan.warmUpMs ?? 0),
    );
    void this.#keeper.keep(this.#closed.signal);
    const reporting = new AbortController();
    const reports = this.#reportWhile(cost, reporting.signal);
    let workers: readonly WorkerReport[];
    try {
      workers = await this.#local.run(startsAt);
    } catch (error) {
      const message = (error as Error).message;
      await this.joined.link.send({ type: "broken", message });
      throw error;
    } finally {
      reporting.abort();
      await reports;
    }
    await this.#share({
      workers: workers.map((each) => this.#hidden(each)),
      cost: cost.of(workers),
    });
    return workers;
  }

  recorded(from: number): Promise<readonly PartialReport[]> {
    return this.#local.recorded(from);
  }

  increments(missed: Missed): Promise<readonly Increment[]> {
    return this.#local.increments(missed);
  }

  progress(): readonly Progress[] {
    return this.#local.progress();
  }

  notes(): readonly string[] {
    const { index, count } = this.#task.plan.shard ?? WHOLE;
    return this.orphaned
      ? [
        `this is the share of shard ${index} of ${count} alone`,
      ]
      : [];
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#tokens.close();
    this.joined.link.close();
    await this.#local.close();
  }

  #receive(message: ToShard): void {
    const { link } = this.joined;
    switch (message.type) {
      case "ping":
        return void link.send({ type: "pong", now: this.tools.clock.now() });
      case "run":
        return this.#starts.resolve(message);
      case "numbers":
        return this.#numbers?.resolve(message.range);
      case "token":
        return this.#remote.settle(message);
      case "stored":
        link.close();
        return this.#released.resolve();
      case "turned-away":
        return this.#starts.reject(new ShardRefused(message.message));
      case "stop":
        this.#stoppedByLead = true;
        return message.hard
          ? this.tools.stop.hard(message.reason, message.detail)
          : this.tools.stop.soft(message.reason, message.detail);
      case "joined":
      case "alive":
        return;
      default:
        return message satisfies never;
    }
  }

  #ask(count: number): Promise<NumberRange | undefined> {
    this.#numbers = Promise.withResolvers();
    void this.joined.link.send({ type: "need", count });
    return this.#numbers.promise;
  }

  /** A signal ends this shard alone; what a step asks for ends all. */
  #stopped({ reason, detail }: AskedStop): void {
    if (this.#stoppedByLead || this.#lost !== undefined) return;
    this.#starts.reject(new ShardRefused("stopped before the run began"));
    if (reason === "abort_run") {
      void this.joined.link.send({ type: "stop", reason, detail });
    } else {
      this.#leaving ??= detail;
    }
  }

  #loseLead(why: string): void {
    this.#lost = why;
    const message = `the lead was lost: ${why}`;
    this.#starts.reject(
      new BenchError(message, { exitCode: EXIT.errored }),
    );
    this.tools.stop.soft("lead_lost", message);
    this.#numbers?.resolve(undefined);
    this.#remote.lose(message);
    this.#released.resolve();
  }

  /** Progress is left out while the link is busy: the share itself must get through. */
  async #reportWhile(cost: ProcessCost, signal: AbortSignal): Promise<void> {
    const { clock } = this.tools;
    const { link } = this.joined;
    const cadence = new Cadence(
      RECORDED_EVERY,
      RECORDED_AT_MOST,
      RECORDED_EVERY - 1,
    );
    for (let turn = 1;; turn++) {
      await clock.sleep(cost.sleepFor(PROGRESS_MS), signal);
      if (signal.aborted) return;
      if (cost.begins()) turn = 0;
      else if (turn % 2 === 0) cost.tick();
      if (!link.idle) continue;
      const progress = this.#local.progress();
      void link.send({ type: "progress", progress });
      if (cadence.turn()) await this.#reportSoFar(cost);
    }
  }

  async #reportSoFar(cost: ProcessCost): Promise<void> {
    const workers = await this.#local.recorded(this.#from);
    this.#from = nextFrom(workers);
    const reports = workers.map((each) => this.#hidden(each.report));
    void this.joined.link.send({
      type: "so-far",
      workers: workers.map(({ from }, nth) => ({
        from,
        report: reports[nth]!,
      })),
      cost: cost.of(reports),
    });
  }

  /** Hands the share over, and waits until it is safe with the lead. */
  async #share(report: ShardReport): Promise<void> {
    const { link } = this.joined;
    await link.send(
      this.#leaving === undefined
        ? { type: "share", report }
        : { type: "left", report, why: `it was stopped (${this.#leaving})` },
    );
    await this.#released.promise;
  }

  #hidden(report: WorkerReport): WorkerReport {
    return { ...report, snapshot: this.tools.hide(report.snapshot) };
  }
}
