import {
  type Environment,
  type PreparedRun,
  prepareRun,
} from "../../../../lib/compile.ts";
import { runFlow, type RunOutcome, Stop } from "../../../../lib/run.ts";
import { joinRun, leadRun, type RunPart } from "../../../../lib/shards.ts";
import type { Clock } from "../../../../lib/base/time/clock.ts";
import type { StopSignal } from "../../../../lib/model/result/run.ts";
import type {
  WorkerPool,
  WorkerReport,
} from "../../../../lib/engine/workers/worker_pool.ts";
import { yamlInput } from "../../../support/run_in_process.ts";
import { TurningClock } from "./turning_clock.ts";
import { MemoryNetwork } from "./memory_network.ts";

/** The clock of one machine, which is ahead of the lead's. */
export function ahead(clock: Clock, by: number): Clock {
  return {
    now: () => clock.now() + by,
    wall: () => clock.wall() + by,
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

export const TOKEN = "a token of sixteen characters or more";

/** What a run is made of. */
export interface Parts {
  readonly flow: string;
  readonly baseUrl?: string;
  readonly target?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Compiles a flow against a target, from memory. */
export async function prepared(
  { flow, baseUrl = "http://127.0.0.1:1", target = "", files = {}, env = {} }:
    Parts,
): Promise<PreparedRun> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const environment: Environment = {
    env: (name) => env[name],
    readBytes: (path) => bytes(files[path.replace("/flow/", "")]!),
  };
  const here = `name: here\nbase_urls: ["${baseUrl}"]\n${target}`;
  return await prepareRun(
    yamlInput("flow.yaml", flow, "/flow"),
    yamlInput("target.yaml", here, "/flow"),
    environment,
  );
}

/** One process: how it is stopped, and what it came to. */
export interface Process {
  readonly stop: Stop;
  readonly outcome: Promise<RunOutcome>;
}

/** How a process differs from what a test does not care about. */
export interface ProcessOptions {
  readonly clock?: Clock;
  readonly token?: string;
  readonly version?: string;
  readonly seed?: number;
  readonly joinTimeoutMs?: number;
  readonly tolerateLost?: number;
  readonly storeDir?: string;
  readonly count?: number;
  readonly signal?: () => StopSignal | undefined;
  readonly workers?: number;
  /** Sees the workers as they are opened. */
  readonly opened?: (pool: WorkerPool) => void;
  /** Not the one that the others have. */
  readonly run?: PreparedRun;
}

/** A lead and shards in one process, over connections in memory. */
export class ShardedFixture {
  readonly clock = new TurningClock();
  readonly network = new MemoryNetwork();
  readonly said: string[] = [];
  readonly #begun: Promise<void>[] = [];

  constructor(readonly run: PreparedRun, readonly count: number) {}

  /** Stores what was recorded before as the share of a process without a lead. */
  share(
    index: number,
    reports: readonly WorkerReport[],
    durationMs: number,
    options: ProcessOptions,
  ): Promise<RunOutcome> {
    let now = 0;
    const clock: Clock = {
      now: () => now,
      wall: () => 0,
      sleep: (_, signal) =>
        new Promise((resolve) =>
          signal?.addEventListener("abort", () => resolve())
        ),
    };
    const pool: WorkerPool = {
      prepare: () => Promise.resolve(),
      start: () => Promise.resolve(0),
      run: () => {
        now = durationMs;
        return Promise.resolve(reports);
      },
      recorded: () => Promise.resolve([]),
      increments: () => Promise.resolve([]),
      progress: () => [],
      close: () => Promise.resolve(),
    };
    const shard = { index, count: this.count };
    return this.#start(
      { shard, openPool: () => pool, keep: () => true },
      { ...options, clock },
    ).outcome;
  }

  /** The run as one process has it. */
  alone(options: ProcessOptions = {}): Process {
    return this.#start(undefined, options);
  }

  lead(options: ProcessOptions = {}): Process {
    const sharding = leadRun(this.run, this.network, {
      ...this.#identity(0, options),
      say: (text) => this.said.push(text),
    });
    return this.#start(sharding, options);
  }

  async join(
    index: number,
    options: ProcessOptions = {},
  ): Promise<Process & { orphaned(): boolean }> {
    const { orphaned, ...part } = await joinRun(options.run ?? this.run, {
      ...this.#identity(index, options),
      connect: () => this.network.connect(),
      lead: "lead:7979",
      clock: options.clock ?? this.clock,
      signal: new AbortController().signal,
    });
    return { ...this.#start(part, options), orphaned };
  }

  /** Runs until `ms` after all processes have begun: the first loads modules, which takes real time. */
  async pass(ms: number): Promise<void> {
    await this.clock.drive(Promise.all(this.#begun));
    await this.clock.drive(this.clock.sleep(ms));
  }

  /** All of them, to the end; one alone is a run of one process. */
  async all(options: ProcessOptions = {}): Promise<RunOutcome> {
    if (this.count === 1) return await this.alone(options).outcome;
    const lead = this.lead(options);
    const shards = [];
    for (let index = 1; index < this.count; index++) {
      shards.push(await this.join(index, options));
    }
    const [outcome] = await Promise.all([
      lead.outcome,
      ...shards.map((each) => each.outcome),
    ]);
    return outcome!;
  }

  #identity(index: number, options: ProcessOptions) {
    return {
      shard: { index, count: options.count ?? this.count },
      token: options.token ?? TOKEN,
      joinTimeoutMs: options.joinTimeoutMs ?? 60_000,
      seed: options.seed ?? 1,
      http: "auto" as const,
      arrivals: "constant" as const,
      ...(options.version !== undefined && { version: options.version }),
    };
  }

  #start(part: RunPart | undefined, options: ProcessOptions): Process {
    const stop = new Stop();
    const { storeDir, tolerateLost, opened } = options;
    const begun = Promise.withResolvers<void>();
    this.#begun.push(begun.promise);
    const outcome = runFlow(options.run ?? this.run, {
      seed: options.seed ?? 1,
      tls: { caCerts: [], insecure: false },
      http: "auto",
      workers: options.workers ?? 1,
      clock: options.clock ?? this.clock,
      chance: Math.random,
      stop,
      signal: options.signal ?? (() => undefined),
      notes: [],
      ...(storeDir !== undefined && { storeDir }),
      ...(part && {
        part: {
          ...part,
          ...(tolerateLost !== undefined && { tolerateLost }),
          openPool(task, tools) {
            const pool = part.openPool(task, tools);
            opened?.(pool);
            const start = pool.start.bind(pool);
            pool.start = async (given) => {
              const at = await start(given);
              begun.resolve();
              return at;
            };
            return pool;
          },
        },
      }),
    });
    outcome.then(() => begun.resolve(), () => begun.resolve());
    return { stop, outcome };
  }
}
