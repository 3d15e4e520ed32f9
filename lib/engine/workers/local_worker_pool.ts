import { isFunctional } from "../../model/mode.ts";
import type { Limiter } from "../limiter/limiter.ts";
import { rowNames } from "../data/table.ts";
import { fetchTokens, type Job, type OpenJob, openJob } from "../vu/job.ts";
import { type SharedMemory, wholeRunMemory } from "../limiter/shared_memory.ts";
import { tokenLimiter } from "../limiter/token_limiter.ts";
import type { Stop } from "../vu/stop.ts";
import { tracedStep } from "../vu/traced_step.ts";
import { runThread } from "../schedule/thread.ts";
import { type Shard, WHOLE } from "../plan/shard.ts";
import { GeneratorRecorder } from "../../results/record/generator.ts";
import type { RowName } from "../../results/failures/failures.ts";
import { namesCredential } from "../../language/source/credential_names.ts";
import type { CountedRow } from "../../model/result/totals.ts";
import type { Increment, Missed } from "../../results/record/snapshot.ts";
import { type Progress, Recorder } from "../../results/record/recorder.ts";
import { prepareHiding } from "../../results/failures/without_secrets.ts";
import type { TraceKeeper } from "../../results/traces/traces.ts";
import type { TokenSource } from "../../steps/auth/token_source.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { TimerThread } from "../../base/time/timer_thread.ts";
import { AllowList } from "../../wire/net/allow_list.ts";
import { Network } from "../../wire/net/network.ts";
import { parseBaseUrl } from "../../wire/net/url.ts";
import type {
  RunTask,
  SoFar,
  WorkerPool,
  WorkerReport,
} from "./worker_pool.ts";
import { newSince } from "./so_far.ts";
import { watchLoop } from "./loop_watch.ts";

/** What a worker is given besides its task. */
interface LocalTools {
  readonly clock: Clock;
  /** What wakes the clock's sleepers; ended with the pool. */
  readonly timer?: TimerThread;
  readonly stop: Stop;
  readonly traces: TraceKeeper;
  readonly registerSecret: (value: string) => void;
  /** Takes each row that is not remembered. */
  readonly writeRow?: (row: CountedRow) => void;
  /** Absent on the thread that fetches tokens itself. */
  readonly tokens?: TokenSource;
  readonly shard?: Shard;
  readonly memory?: SharedMemory;
}

/** A pool of one: the run happens on the calling thread. */
export class LocalWorkerPool implements WorkerPool {
  readonly #network: Network;
  readonly #job: Job;
  readonly #memory: SharedMemory;
  readonly #closed = new AbortController();
  #generator: GeneratorRecorder | undefined;
  #open: OpenJob | undefined;
  #recorder: Recorder | undefined;

  constructor(readonly task: RunTask, readonly tools: LocalTools) {
    const bases = task.baseUrls.map(parseBaseUrl);
    this.#network = new Network({
      allowList: new AllowList(bases),
      tls: task.tls,
      clock: tools.clock,
      route: task.route,
      thread: tools.shard?.index,
    });
    this.#memory = tools.memory ?? wholeRunMemory(task.plan.iterations);
    const shared = {
      plan: task.plan,
      base: bases[0]!,
      network: this.#network,
      clock: tools.clock,
      userAgent: task.userAgent,
      signal: tools.stop.signal,
      registerSecret: tools.registerSecret,
    };
    this.#job = {
      ...shared,
      flow: task.flow,
      http: task.http,
      traceparent: task.traceparent ? task.ids : undefined,
      env: task.env,
      files: {
        directory: task.directory,
        readBytes: (path) => Deno.readFileSync(path),
      },
      tokens: tools.tokens ??
        fetchTokens({
          ...shared,
          limiter: this.#tokenLimiter(),
          signal: AbortSignal.any([tools.stop.signal, this.#closed.signal]),
        }),
    };
  }

  async prepare(): Promise<void> {
    this.#open = await openJob(this.#job);
    if (this.#open.hidesVariables) await prepareHiding();
  }

  start(): Promise<number> {
    return Promise.resolve(this.tools.clock.now());
  }

  async run(startedAt: number): Promise<readonly WorkerReport[]> {
    const { task, tools } = this;
    const { clock, stop } = tools;
    const functional = isFunctional(task.plan.mode);
    const recorder = this.#recorder = new Recorder({
      start: startedAt,
      steps: this.#open!.steps.map(tracedStep),
      ids: task.ids,
      traces: tools.traces,
      rows: functional,
      ...(tools.writeRow && { otherRow: tools.writeRow }),
      ...this.#rowNames(),
    });
    const generator = this.#generator = new GeneratorRecorder(startedAt);
    const stopWatching = watchLoop(clock, generator);
    try {
      const unserved = await runThread({
        job: this.#job,
        open: this.#open!,
        shard: tools.shard ?? task.plan.shard ?? WHOLE,
        memory: this.#memory,
        fixtures: task.fixtures,
        sink: recorder,
        generator,
        stop,
        startedAt,
      });
      return this.#report(unserved);
    } finally {
      await stopWatching();
    }
  }

  recorded(from: number): Promise<readonly SoFar[]> {
    return Promise.resolve(this.#report(0).map((each) => newSince(each, from)));
  }

  increments(missed: Missed): Promise<readonly Increment[]> {
    const now = this.tools.clock.now();
    const increment = this.#recorder?.increment(now, missed);
    return Promise.resolve(increment ? [increment] : []);
  }

  progress(): readonly Progress[] {
    const now = this.tools.clock.now();
    if (!this.#recorder) return [];
    const lateMs = this.#generator?.lastLate ?? 0;
    return [{ ...this.#recorder.progress(now), lateMs }];
  }

  close(): void {
    this.#closed.abort();
    this.#network.close();
    this.tools.timer?.close();
  }

  #report(unserved: number): WorkerReport[] {
    const { stop: { reason, detail } } = this.tools;
    if (!this.#recorder || !this.#generator) return [];
    return [{
      snapshot: this.#recorder.snapshot(),
      generator: this.#generator.data(),
      unserved,
      ...(reason && { stopReason: reason, stopDetail: detail }),
    }];
  }

  /** The rows that reports name are those of the first pool. */
  #rowNames(): { rowName?: RowName } {
    const { flow: { pools }, fixtures } = this.task;
    const fixture = fixtures.get(pools?.[0]?.name ?? "");
    return fixture ? { rowName: rowNames(fixture, namesCredential) } : {};
  }

  /** Tokens are fetched during the run, so their waits are recorded with its own. */
  #tokenLimiter(): Limiter {
    const { task: { plan }, tools: { clock } } = this;
    return tokenLimiter(plan, this.#memory, clock, {
      held: (ms) => this.#generator?.held(ms),
    });
  }
}
