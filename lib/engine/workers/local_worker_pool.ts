import { CollectedHeap } from "../../base/process/garbage.ts";
import { shortenTimeSlice } from "../../base/process/time_slice.ts";
import { isFunctional } from "../../model/mode.ts";
import { type Fixture, rowNames, tableFixture } from "../data/table.ts";
import {
  type GivenVariables,
  type Job,
  type OpenJob,
  openJob,
  type RunTask,
} from "../vu/job.ts";
import { type SharedMemory, wholeRunMemory } from "../limiter/limiter.ts";
import { tracedStep } from "../vu/compiled_step.ts";
import { runThread } from "../schedule/thread.ts";
import { type Shard, WHOLE } from "../plan/shard.ts";
import { GeneratorRecorder } from "../../results/record/generator.ts";
import type { RowName } from "../../results/failures/failure_groups.ts";
import type { Increment, Missed } from "../../results/record/snapshot.ts";
import { type Progress, Recorder } from "../../results/record/recorder.ts";
import type { RecordedFlow } from "../../results/record/step_record.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import type { KeptTrace } from "../../results/traces/trace_draft.ts";
import type { TraceKeeper } from "../../results/traces/traces.ts";
import type { TokenSource } from "../../steps/auth/scheme.ts";
import { type MainTokens, mainTokens, networkOf } from "./main_tokens.ts";
import {
  LEAD_MS,
  type PartialReport,
  PAUSE_MS,
  type PoolTools,
  type WorkerPool,
  type WorkerReport,
} from "./worker_pool.ts";
import { rehearse } from "./rehearsal.ts";
import { reportSince } from "./partial_report.ts";
import { watchLoop } from "./process_cost.ts";

/** The tools of a worker, beside its task. */
interface LocalTools extends
  Pick<
    PoolTools,
    "clock" | "stop" | "registerSecret" | "memory" | "rate" | "knownTokens"
  >,
  Partial<Pick<PoolTools, "writeRow">> {
  readonly traces: TraceKeeper;
  /** Absent on the thread that fetches tokens itself. */
  readonly tokens?: TokenSource;
  readonly shard?: Shard;
}

/** A pool of one: the run happens on the calling thread. */
export class LocalWorkerPool implements WorkerPool {
  readonly #job: Job;
  readonly #memory: SharedMemory;
  readonly #own: MainTokens | undefined;
  readonly #fixtures: ReadonlyMap<string, Fixture>;
  #generator: GeneratorRecorder | undefined;
  #open: OpenJob | undefined;
  #given: GivenVariables | undefined;
  #recorder: Recorder | undefined;
  readonly #over = new AbortController();
  /** Kept for the first second: until the run has objects like those of it. */
  #rehearsal: unknown;
  readonly #heap = new CollectedHeap({
    share: 0.4,
    leastMib: 10,
    buffers: false,
  });

  constructor(readonly task: RunTask, readonly tools: LocalTools) {
    const { clock, registerSecret } = tools;
    const network = networkOf(task, clock, tools.shard?.index);
    const memory = tools.memory ?? wholeRunMemory(task.plan, tools.rate);
    const own = tools.tokens
      ? undefined
      : mainTokens(task, memory, tools, network);
    const tokens = tools.tokens ?? own!.tokens;
    this.#memory = memory;
    this.#own = own;
    this.#fixtures = new Map(
      task.fixtures.entries().map(([pool, { columns, cells }]) => [
        pool,
        tableFixture(columns, cells),
      ]),
    );
    this.#job = { task, network, registerSecret, tokens };
  }

  async prepare(): Promise<void> {
    this.#open = await openJob(this.#job);
    if (this.#open.hidesVariables) await Secrets.prepare();
    const { task, tools: { clock, stop } } = this;
    if (!task.rehearses) return;
    this.#rehearsal = await rehearse(task, this.#fixtures, clock, stop);
  }

  start(given?: GivenVariables): Promise<number> {
    this.#given = given;
    const lead = this.task.plan.executor === "open" ? LEAD_MS : 0;
    return Promise.resolve(this.tools.clock.now() + lead);
  }

  async run(startedAt: number): Promise<readonly WorkerReport[]> {
    const { task, tools } = this;
    const { clock, stop } = tools;
    const functional = isFunctional(task.plan.mode);
    if (!functional) shortenTimeSlice();
    const { warmUpMs = 0 } = task.plan;
    const start = startedAt + warmUpMs;
    const recorder = this.#recorder = new Recorder({
      ...{ start, warmUpMs },
      steps: this.#open!.flows.flatMap(({ steps }) => steps.map(tracedStep)),
      ...this.#mixed(),
      ids: task.ids,
      traces: tools.traces,
      rows: functional,
      ...(tools.writeRow && { otherRow: tools.writeRow }),
      rowName: this.#rowName(),
      valueNames: task.flows.map(({ flow: { values = [] } }) =>
        values.map(({ name }) => name)
      ),
    });
    const generator = this.#generator = new GeneratorRecorder(
      start,
      warmUpMs > 0,
    );
    const stopWatching = watchLoop(clock, generator);
    try {
      const unserved = await runThread({
        job: this.#job,
        open: this.#open!,
        shard: tools.shard ?? task.plan.shard ?? WHOLE,
        memory: this.#memory,
        fixtures: this.#fixtures,
        sink: recorder,
        ...(recorder.warmUp &&
          { warmUp: { untilMs: start, sink: recorder.warmUp } }),
        generator,
        stop,
        startedAt,
        given: this.#given?.values,
      });
      return this.#report(unserved, clock.now() - start);
    } finally {
      this.#over.abort();
      await stopWatching();
    }
  }

  recorded(from: number): Promise<readonly PartialReport[]> {
    return Promise.resolve(
      this.#report(0).map((each) => reportSince(each, from)),
    );
  }

  async increments(missed: Missed): Promise<readonly Increment[]> {
    this.#rehearsal = undefined;
    const recorder = this.#recorder;
    if (!recorder) return [];
    this.#heap.look();
    const { clock } = this.tools;
    const fresh: KeptTrace[] = [];
    for (const each of recorder.freshTraces()) {
      fresh.push(each);
      await clock.sleep(PAUSE_MS, this.#over.signal);
    }
    return [recorder.increment(clock.now(), missed, fresh)];
  }

  progress(): readonly Progress[] {
    const now = this.tools.clock.now();
    if (!this.#recorder) return [];
    const lateMs = this.#generator?.lastLate ?? 0;
    return [{ ...this.#recorder.progress(now), lateMs }];
  }

  async close(): Promise<void> {
    this.#own?.close();
    this.#job.network.close();
    await this.tools.clock.close?.();
  }

  #report(unserved: number, lastedMs?: number): readonly WorkerReport[] {
    const { stop: { reason, detail } } = this.tools;
    if (!this.#recorder || !this.#generator) return [];
    const reports = [{
      snapshot: this.#recorder.snapshot(),
      generator: this.#generator.data(),
      unserved,
      ...(lastedMs !== undefined && { lastedMs }),
      ...(reason && { stopReason: reason, stopDetail: detail }),
    }];
    return this.#own?.held.joined(reports) ?? reports;
  }

  #mixed(): { flows?: readonly RecordedFlow[] } {
    const { flows } = this.task;
    if (flows[0]!.prefix === "") return {};
    return {
      flows: flows.map(({ flow: { flow: name, steps }, weight }) => ({
        ...{ name, weight, steps: steps.length },
      })),
    };
  }

  /** The rows that reports name are those of the first pool of a flow. */
  #rowName(): RowName {
    const names = this.task.flows.map(
      ({ flow: { pools: [first] = [] }, prefix }) => {
        const fixture = this.#fixtures.get(prefix + first?.name);
        return fixture && rowNames(fixture);
      },
    );
    return (row, flow) => names[flow]?.(row);
  }
}
