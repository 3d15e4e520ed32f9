import type { Outcome } from "../../model/outcome.ts";
import type { IterationResult, Sink } from "../../model/result/iteration.ts";
import type { CountedRow, IterationCounts } from "../../model/result/totals.ts";
import {
  FailureGroups,
  type RowName,
  rowOf,
} from "../failures/failure_groups.ts";
import { withoutSecrets } from "../failures/failures.ts";
import {
  type Counted,
  type Increment,
  type Missed,
  type RecorderSnapshot,
  RowLog,
} from "./snapshot.ts";
import { type SecondData, Seconds } from "./series.ts";
import {
  LatencyStretches,
  stretchesOfStep,
} from "../histograms/latency_stretches.ts";
import { ContractRecord, mergeContracts } from "./contract_record.ts";
import { FlowRecord, type RecordedFlow, StepRecord } from "./step_record.ts";
import { WarmUp, type WarmUpProgress } from "./warm_up.ts";
import type { Trace, TracedStep } from "../../model/result/trace.ts";
import { buildTrace, valuesOf } from "../traces/trace_build.ts";
import { hold } from "../traces/held_iteration.ts";
import { type IdWords, traceId } from "../traces/trace_ids.ts";
import type { KeptTrace } from "../traces/trace_draft.ts";
import type { TraceKeeper, TraceOffer } from "../traces/traces.ts";

/** The options of a recorder. */
interface RecorderOptions {
  /** The start of what is measured, on the run's clock in milliseconds. */
  readonly start: number;
  /** Before it, in milliseconds. */
  readonly warmUpMs?: number | undefined;
  readonly steps: readonly TracedStep[];
  readonly ids: IdWords;
  readonly traces: TraceKeeper;
  /** Remember iterations one by one, as integration and system modes report them. */
  readonly rows: boolean;
  /** Takes the rows that are not remembered. */
  readonly otherRow?: (row: CountedRow) => void;
  /** Of a mix. */
  readonly flows?: readonly RecordedFlow[];
  /** The name of a fixture row. */
  readonly rowName?: RowName;
  /** By flow: the values drawn for each iteration, by index. */
  readonly valueNames?: readonly (readonly string[])[];
}

/** Traces that are built for an increment, and steps of all of them together, as a rule. */
const FRESH_TRACES = 5;
const FRESH_STEPS = 200;

/** How far a run is, for progress. */
export interface Progress {
  readonly iterations: IterationCounts;
  readonly requests: number;
  readonly second: SecondData | undefined;
  readonly warmUp?: WarmUpProgress;
  /** How late the latest request slot of the last second was handed out. */
  readonly lateMs?: number;
}

/**
 * Listens to the engine of one thread, in memory that does not grow with the
 * number of requests. `snapshot` gives plain data; several of them are put
 * together by `mergeSnapshots`.
 */
export class Recorder implements Sink {
  readonly #steps: readonly StepRecord[];
  readonly #seconds: Seconds;
  /** The response times of all steps, over time. */
  readonly #stretches: LatencyStretches;
  /** Of a mix; none of a flow by itself, whose iterations are those of the run. */
  readonly #flows: readonly FlowRecord[];
  readonly #failures: FailureGroups;
  readonly #rows: RowLog | undefined;
  #contract: ContractRecord | undefined;
  /** Takes the iterations that begin before the start; absent without a warm-up. */
  readonly warmUp: WarmUp | undefined;

  constructor(readonly options: RecorderOptions) {
    const { start, warmUpMs, steps, flows = [], rowName, otherRow } = options;
    this.#seconds = new Seconds(start, steps.length);
    if (warmUpMs) {
      this.warmUp = new WarmUp(start - warmUpMs, steps.length, this.#seconds);
    }
    this.#stretches = new LatencyStretches(start);
    this.#steps = steps.map((step, index) =>
      new StepRecord(step, start, stretchesOfStep(index, steps.length))
    );
    this.#flows = flows.map((each) => new FlowRecord(each));
    this.#failures = new FailureGroups(steps, rowName, start);
    this.#rows = options.rows
      ? new RowLog(steps, flows, rowName, otherRow)
      : undefined;
  }

  started(at: number, iteration: number): boolean {
    this.#seconds.started(at);
    return this.options.traces.keeps(iteration);
  }

  sample(
    step: number,
    outcome: Outcome,
    at: number,
    service: number,
    response: number,
    sent: number,
    received: number,
  ): void {
    const counts = this.#steps[step];
    if (!counts) return;
    const { sums } = counts;
    // A refused connection sent nothing.
    if (sent > 0) sums.requests++;
    counts.sampled[outcome]++;
    sums.bytes_sent += sent;
    sums.bytes_received += received;
    if (Number.isNaN(service)) {
      // Nothing came back that says how long the target takes.
    } else if (outcome === "throttled") {
      counts.latencies.recordThrottled(service);
    } else {
      counts.latencies.record(at, service, response);
      this.#stretches.record(at, response);
    }
    this.#seconds.attempt(step, at, outcome, response, sent, received);
  }

  latency(
    step: number,
    outcome: Outcome,
    at: number,
    service: number,
    response: number,
  ): void {
    const latencies = this.#steps[step]?.latencies;
    if (outcome === "throttled") return latencies?.recordThrottled(service);
    latencies?.record(at, service, response);
    this.#stretches.record(at, response);
    this.#seconds.latency(at, response);
  }

  unsent(step: number, at: number, outcome: Outcome): void {
    const counts = this.#steps[step];
    if (!counts) return;
    counts.sampled[outcome]++;
    this.#seconds.unsent(step, at, outcome);
  }

  bytes(
    step: number,
    at: number,
    sent: number,
    received: number,
    requests: number,
  ): void {
    const sums = this.#steps[step]?.sums;
    if (!sums) return;
    sums.requests += requests;
    sums.bytes_sent += sent;
    sums.bytes_received += received;
    this.#seconds.bytes(at, sent, received, requests);
  }

  iteration(result: IterationResult): void {
    this.#seconds.ended(result);
    const broken = this.#noteSteps(result);
    if (result.interrupted) {
      // It counts in no rate, but the steps that ended before did.
      const steps = result.steps.filter(({ cutOff }) => !cutOff);
      this.#failures.note({ ...result, steps });
      return;
    }
    this.#flows[result.flow]?.note(result);
    const group = this.#failures.note(result) ?? broken;
    const { ids, traces, start } = this.options;
    const kept = traces.accepts(result, group, start) &&
      traces.offer(this.#offer(result, group));
    this.#rows?.note(
      result,
      kept ? traceId(ids, result.iteration) : undefined,
    );
  }

  /** Counts the steps of an iteration; returns the group of the first that is not as described. */
  #noteSteps(result: IterationResult): string | undefined {
    let broken: string | undefined;
    const { steps } = result;
    for (let at = 0; at < steps.length; at++) {
      const each = steps[at]!;
      this.#steps[each.step]?.note(each);
      if (!each.contract || each.cutOff) continue;
      const found = (this.#contract ??= new ContractRecord()).note(
        each,
        result,
      );
      broken ??= found;
    }
    return broken;
  }

  /**
   * How far the run is. Cheap: nothing is copied.
   *
   * @param at now, on the run's clock in milliseconds
   */
  progress(at: number): Progress {
    return {
      iterations: this.#seconds.iterations(),
      requests: this.#seconds.requests,
      second: this.#seconds.last(at),
      ...(this.warmUp && { warmUp: this.warmUp.progress(at) }),
    };
  }

  /** Everything so far, fit for another thread. */
  snapshot(): RecorderSnapshot {
    return {
      ...this.#counted(true),
      seconds: this.#seconds.data(),
      traces: this.options.traces.data(),
      ...(this.warmUp && { warmUp: this.warmUp.data() }),
    };
  }

  /** Some of the kept traces that were not handed on before, each built as it is asked for. */
  *freshTraces(): Generator<KeptTrace> {
    const most = Math.floor(FRESH_STEPS / Math.max(1, this.#steps.length));
    let left = Math.max(1, Math.min(FRESH_TRACES, most));
    for (const each of this.options.traces.fresh()) {
      yield each;
      if (--left === 0) return;
    }
  }

  /**
   * The increment for a reader of an unfinished run. Its size does not depend on the
   * number of requests.
   *
   * @param at now, on the run's clock in milliseconds
   * @param fresh those of `freshTraces`
   */
  increment(
    at: number,
    { from, whole }: Missed,
    fresh: readonly KeptTrace[] = [...this.freshTraces()],
  ): Increment {
    this.#seconds.last(at);
    return {
      ...this.#counted(whole),
      seconds: this.#seconds.closedFrom(from),
      fresh,
    };
  }

  #counted(whole: boolean): Counted {
    const contract = mergeContracts([
      this.#contract?.data(),
      this.warmUp?.contract,
    ]);
    return {
      ids: this.options.ids,
      iterations: this.#seconds.iterations(),
      steps: this.#steps.map((step) => step.data(whole)),
      ...(whole && { stretches: this.#stretches.data() }),
      ...(this.#flows.length > 0 && {
        flows: this.#flows.map((each) => each.data()),
      }),
      failures: this.#failures.data(),
      ...(contract && { contract }),
      rows: this.#rows?.data() ?? { rows: [], other: 0 },
    };
  }

  #offer(result: IterationResult, group: string | undefined): TraceOffer {
    return {
      iteration: result.iteration,
      ...(group !== undefined && { group }),
      durationMs: result.endedAt - result.startedAt,
      steps: result.steps,
      runStart: this.options.start,
      hold: (most) => this.#later(hold(result, most)),
      build: () => this.#trace(result),
    };
  }

  /** Of its own, as a closure of `#offer` would hold the results of the VU as well. */
  #later(held: (() => IterationResult) | undefined): (() => Trace) | undefined {
    return held && (() => this.#trace(held()));
  }

  #trace(result: IterationResult): Trace {
    const { steps, start, ids, traces, rowName, valueNames = [] } =
      this.options;
    return withoutSecrets(
      {
        ...buildTrace(result, steps, start, ids, traces.bodies),
        ...rowOf(result, rowName),
        ...valuesOf(result, valueNames[result.flow] ?? []),
      },
      result,
    );
  }
}
