import { type GivenVariables, type RunTask, StepError } from "../vu/job.ts";
import type { Increment, Missed } from "../../results/record/snapshot.ts";
import type { Progress } from "../../results/record/recorder.ts";
import { checkDescriptors } from "../../base/process/descriptors.ts";
import { CollectedHeap } from "../../base/process/garbage.ts";
import {
  mainThreadServesEvenly,
  MOST_A_TURN,
  serveEvenly,
} from "../../base/process/socket_turns.ts";
import {
  LEAD_MS,
  type PartialReport,
  type PoolTools,
  type WorkerPool,
  type WorkerReport,
} from "./worker_pool.ts";
import { HeldBack, mainTokens } from "./main_tokens.ts";
import { shareCells } from "../data/table.ts";
import type { FromWorker, SentTask, TokenAsked, ToWorker } from "./message.ts";
import { reportSince } from "./partial_report.ts";
import { sendToken } from "./remote_tokens.ts";
import { threadShard, WHOLE } from "../plan/shard.ts";
import { isFunctional } from "../../model/mode.ts";
import { ownVus } from "../plan/budget.ts";
import { unpackTraces } from "../../results/traces/packed_traces.ts";
import { AllTraces, sampledTraces } from "../../results/traces/traces.ts";
import { wholeRunMemory } from "../limiter/limiter.ts";
import { PreciseClock } from "../../base/time/precise_clock.ts";
import { LocalWorkerPool } from "./local_worker_pool.ts";

/** The tools that worker threads have from the main thread. */
interface WorkerTools extends
  Required<
    Pick<
      PoolTools,
      "clock" | "stop" | "workers" | "registerSecret" | "tokens" | "memory"
    >
  > {
  /** Of this thread's requests. */
  readonly held: HeldBack;
  /** Ends what the main thread holds for them. */
  readonly close: () => void;
}

/** One worker, and its latest progress. */
interface PoolWorker {
  readonly thread: Worker;
  readonly ready: PromiseWithResolvers<void>;
  readonly done: PromiseWithResolvers<WorkerReport>;
  /** For what it recorded so far. */
  readonly recorded: Asked<PartialReport>;
  /** For what came since it was asked before. */
  readonly increment: Asked<Increment>;
  progress: Progress | undefined;
}

/**
 * Something that a worker is asked for again and again. It must not be raced with the
 * end of the worker: a promise keeps the reactions to it until it is settled, and
 * with them all that was sent.
 */
class Asked<T> {
  #waiting: PromiseWithResolvers<T | undefined> | undefined;
  #ended = false;

  /** Resolves to what is sent next; to undefined once the worker has ended. */
  next(ask: () => void): Promise<T | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    this.#waiting ??= Promise.withResolvers();
    ask();
    return this.#waiting.promise;
  }

  take(sent: T | undefined): void {
    this.#waiting?.resolve(sent);
    this.#waiting = undefined;
  }

  /** One that is done, or broke, sends nothing any more. */
  end(): void {
    this.#ended = true;
    this.take(undefined);
  }
}

/** A pool of worker threads, each with its share of the plan. */
class ThreadPool implements WorkerPool {
  readonly #workers: PoolWorker[] = [];
  readonly #heap = new CollectedHeap({ share: 1, leastMib: 16, buffers: true });
  #given: GivenVariables | undefined;

  constructor(readonly task: RunTask, readonly tools: WorkerTools) {
    const cut = () => this.#broadcast({ type: "cut" });
    tools.stop.signal.addEventListener("abort", cut, { once: true });
  }

  async prepare(): Promise<void> {
    const { workers: count, stop, memory } = this.tools;
    const task = sentTask(this.task);
    serveEvenly();
    checkDescriptors(count);
    for (let index = 0; index < count; index++) {
      const worker = this.#start(index);
      send(worker.thread, {
        type: "prepare",
        task,
        shard: threadShard(task.plan.shard ?? WHOLE, index, count),
        memory,
        stop: stop.memory,
      });
    }
    await Promise.all(this.#workers.map((each) => each.ready.promise));
  }

  start(given?: GivenVariables): Promise<number> {
    this.#given = given;
    return Promise.resolve(this.tools.clock.now() + LEAD_MS);
  }

  async run(startsAt: number): Promise<readonly WorkerReport[]> {
    const { clock } = this.tools;
    const wall = clock.wall() + (startsAt - clock.now());
    const given = this.#given;
    this.#broadcast({ type: "run", startsAt: wall, given });
    const reports = this.#workers.map((each) => each.done.promise);
    return this.tools.held.joined(await Promise.all(reports));
  }

  recorded(from: number): Promise<readonly PartialReport[]> {
    return Promise.all(this.#workers.map(async ({ recorded, thread, done }) => {
      const part = await recorded.next(() =>
        send(thread, { type: "record", from })
      );
      return part ?? reportSince(await done.promise, from);
    }));
  }

  async increments(missed: Missed): Promise<readonly Increment[]> {
    this.#heap.look();
    const all = await Promise.all(
      this.#workers.map(({ increment, thread }) =>
        increment.next(() => send(thread, { type: "increment", missed }))
      ),
    );
    const known = all.filter((each) => each !== undefined);
    return known.length === all.length ? known : [];
  }

  progress(): readonly Progress[] {
    return this.#workers.flatMap(({ progress }) => progress ?? []);
  }

  close(): Promise<void> {
    for (const { thread } of this.#workers) thread.terminate();
    this.tools.close();
    return Promise.resolve();
  }

  #start(index: number): PoolWorker {
    const worker: PoolWorker = {
      thread: new Worker(new URL("./worker.ts", import.meta.url), {
        type: "module",
        name: `bench-${index}`,
      }),
      ready: Promise.withResolvers(),
      done: Promise.withResolvers(),
      recorded: new Asked(),
      increment: new Asked(),
      progress: undefined,
    };
    // The first rejection is reported; no other may be unhandled.
    worker.ready.promise.catch(() => {});
    worker.done.promise.catch(() => {});
    worker.thread.onmessage = ({ data }) => this.#receive(worker, data);
    worker.thread.onerror = (event) => {
      event.preventDefault();
      fail(worker, new Error(event.message));
    };
    this.#workers.push(worker);
    return worker;
  }

  #receive(worker: PoolWorker, message: FromWorker): void {
    switch (message.type) {
      case "ready":
        return worker.ready.resolve();
      case "refused":
        return fail(
          worker,
          new StepError(message.pointer, new Error(message.message)),
        );
      case "progress":
        worker.progress = message.progress;
        return;
      case "secret":
        return this.tools.registerSecret(message.value);
      case "token":
        return void this.#lease(worker.thread, message);
      case "stop":
        return this.tools.stop.soft(message.reason, message.detail);
      case "recorded":
        return worker.recorded.take(message.part);
      case "increment":
        return worker.increment.take(message.increment);
      case "done": {
        const { report, traces: packed } = message;
        const traces = unpackTraces(packed);
        const snapshot = { ...report.snapshot, traces };
        worker.done.resolve({ ...report, snapshot });
        return end(worker);
      }
      case "broken":
        return fail(worker, new Error(message.message));
      default:
        return message satisfies never;
    }
  }

  async #lease(worker: Worker, message: TokenAsked): Promise<void> {
    send(worker, await sendToken(this.tools.tokens, message));
  }

  #broadcast(message: ToWorker): void {
    for (const { thread } of this.#workers) send(thread, message);
  }
}

/** One copy of the rows serves all threads. */
function sentTask(task: RunTask): SentTask {
  const fixtures = new Map(
    task.fixtures.entries().map(([pool, { columns, cells }]) => [
      pool,
      { columns, cells: shareCells(cells) },
    ]),
  );
  return { ...task, fixtures };
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

function fail(worker: PoolWorker, error: Error): void {
  worker.ready.reject(error);
  worker.done.reject(error);
  end(worker);
}

function end({ recorded, increment }: PoolWorker): void {
  recorded.end();
  increment.end();
}

/**
 * The worker pool of a run: this thread in integration and system modes, which
 * keep every trace, and for a single worker, unless it has more connections than
 * this thread serves evenly; otherwise worker threads.
 */
export function openWorkerPool(task: RunTask, tools: PoolTools): WorkerPool {
  if (isFunctional(task.plan.mode)) {
    const traces = new AllTraces(tools.writeTrace, tools.everyTrace);
    return new LocalWorkerPool(task, { ...tools, traces });
  }
  const { clock, workers, tokens, rate } = tools;
  const { memory = wholeRunMemory(task.plan, rate) } = tools;
  // A worker without a VU would only cost memory.
  const vus = ownVus(task.plan);
  const useful = Math.max(1, Math.min(workers, vus));
  if (useful === 1 && (vus <= MOST_A_TURN || mainThreadServesEvenly())) {
    return new LocalWorkerPool(task, {
      ...tools,
      // Due times are what a load run is about.
      clock: clock.coarse ? new PreciseClock(clock) : clock,
      traces: sampledTraces(task.plan.seed, task.flows),
      memory,
    });
  }
  const main = tokens
    ? { tokens, held: new HeldBack(), close() {} }
    : mainTokens(task, memory, tools);
  return new ThreadPool(task, {
    ...tools,
    memory,
    held: main.held,
    tokens: main.tokens,
    workers: useful,
    close: () => main.close(),
  });
}
