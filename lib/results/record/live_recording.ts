import { countAll, type OutcomeCounts } from "../../model/outcome.ts";
import type { RunSteps } from "../../model/mode.ts";
import {
  type IterationCounts,
  NO_ITERATIONS,
  type RunTotals,
} from "../../model/result/totals.ts";
import type { Trace } from "../../model/result/trace.ts";
import { NO_TRACES } from "../traces/traces.ts";
import type { CountedFigures } from "../exposition/exposition.ts";
import {
  joinLatencies,
  joinPhases,
  type LatencyData,
  mergeLatencies,
  type PhaseData,
  stretchesOf,
} from "../histograms/latencies.ts";
import { Cadence } from "../../base/time/cadence.ts";
import { sum, sumFields } from "../../base/values/sum.ts";
import {
  byStep,
  type HistogramParts,
  type Increment,
  type MergedSteps,
  mergeSnapshots,
  mergeSteps,
  type Missed,
  type Recording,
} from "./snapshot.ts";
import { type PartFigures, partFigures } from "./part_figures.ts";
import { mergeSeconds, type SecondData } from "./series.ts";
import type { StretchesData } from "../histograms/latency_stretches.ts";
import { FineBuckets } from "../histograms/fine_buckets.ts";
import type { Progress } from "./recorder.ts";

/** Calls from one increment with latencies to the next: at first, and at most. */
const WHOLE_EVERY = 5;
const WHOLE_AT_MOST = 30;

/** The seconds and traces of the last increments. */
export interface LiveNews {
  /** Whole ones, in order. */
  readonly seconds: readonly SecondData[];
  readonly traces: readonly Trace[];
}

/** The counts of all recorders at one moment, with their latencies. */
interface WholeCounts {
  readonly iterations: IterationCounts;
  readonly steps: readonly {
    readonly attempts: OutcomeCounts;
    readonly latencies: LatencyData;
    readonly phases: PhaseData;
  }[];
  /** Put together once, as they are read every second; absent without any. */
  readonly merged?: MergedSteps;
  /** Of all steps. */
  readonly stretches: StretchesData;
}

const NOTHING: WholeCounts = {
  iterations: NO_ITERATIONS,
  steps: [],
  stretches: stretchesOf([]),
};

function wholeCounts(increments: readonly Increment[]): WholeCounts {
  const steps = byStep(increments).map((parts) => ({
    attempts: sumFields(parts.map((each) => each.sampled)),
    latencies: joinLatencies(parts.map((each) => each.latencies)),
    phases: joinPhases(parts.map((each) => each.phases)),
  }));
  return {
    iterations: sumFields(increments.map((each) => each.iterations)),
    stretches: stretchesOf(increments),
    steps,
    merged: mergeSteps(steps.map((step) => [step])),
  };
}

/** The counts of the recorders of an unfinished run so far, put together. */
export class LiveRecording {
  readonly #cadence = new Cadence(WHOLE_EVERY, WHOLE_AT_MOST, 1);
  /** The latencies that were asked for last are those of `histograms.json`. */
  #isTurn = false;
  #asked: Missed = { from: 0, whole: false };
  #seconds = 0;
  #last: readonly Increment[] = [];
  /** Of the last ones with latencies. */
  #whole = NOTHING;
  /** Of each failure group a trace that was handed on, without its spans. */
  readonly #shown = new Map<string, Trace>();

  /**
   * The request for the next increments of the recorders.
   *
   * @param whole with latencies in any case
   */
  missed(whole = false): Missed {
    this.#isTurn = this.#cadence.turn();
    return this.#asked = {
      from: this.#seconds,
      whole: whole || this.#isTurn,
    };
  }

  /** @param increments of every recorder, as results of `missed` */
  add(increments: readonly Increment[]): LiveNews {
    const { whole } = this.#asked;
    if (increments.length === 0) return { seconds: [], traces: [] };
    this.#last = increments;
    if (whole) this.#whole = wholeCounts(increments);
    const fresh = increments.flatMap((each) => each.fresh);
    for (const { group, item } of fresh) {
      if (group === undefined || this.#shown.has(group)) continue;
      this.#shown.set(group, { ...item, spans: [] });
    }
    return {
      seconds: this.#merged(increments),
      traces: fresh.map(({ item }) => item),
    };
  }

  /** Iterations, and what each step counted, all as of the last latencies that came. */
  figures(): CountedFigures {
    const { iterations, steps } = this.#whole;
    return {
      iterations,
      steps: steps.map(({ attempts, latencies }) => {
        const { response, throttled } = mergeLatencies([latencies]);
        return { attempts, durations: [response.data(), throttled.data()] };
      }),
    };
  }

  /** The latencies of each step that came last. */
  latencies(): readonly LatencyData[] {
    return this.#whole.steps.map((each) => each.latencies);
  }

  /** Those of all steps, over time. */
  get stretches(): StretchesData {
    return this.#whole.stretches;
  }

  /** The figures of steps and flows over some seconds, as of the last latencies that came. */
  parts(run: RunSteps): PartFigures | undefined {
    const recording = this.#recording();
    return recording && partFigures(recording, run);
  }

  totals(): RunTotals | undefined {
    return this.#recording()?.totals;
  }

  /** `histograms.json`, where it is to be written anew. */
  async histograms(
    ids: readonly string[],
  ): Promise<HistogramParts | undefined> {
    if (this.#last.length === 0 || !this.#isTurn) return;
    return await this.#recording()?.histograms(ids);
  }

  /** Seconds that every recorder has closed. */
  #merged(increments: readonly Increment[]): SecondData[] {
    const count = Math.min(...increments.map(({ seconds }) => seconds.length));
    // They all begin at the same second, as they were asked to.
    const merged = mergeSeconds(
      increments.map(({ seconds }) =>
        seconds.slice(0, count).map((each, t) => ({ ...each, t }))
      ),
    ).map((each, index) => ({ ...each, t: this.#seconds + index }));
    this.#seconds += count;
    return merged;
  }

  #recording(): Recording | undefined {
    if (this.#last.length === 0) return;
    const failures = [...this.#shown].map(([group, item]) => ({
      ...{ group, item },
      iteration: item.iteration,
    }));
    const { stretches, merged } = this.#whole;
    return mergeSnapshots(
      this.#last.map(({ stretches: _, ...each }, index) => ({
        ...each,
        ...(index === 0 && { stretches }),
        steps: each.steps.map((step, at) => {
          const known = index === 0 ? this.#whole.steps[at] : undefined;
          const { latencies = {}, phases = {} } = known ?? {};
          return { ...step, latencies, phases };
        }),
        seconds: [],
        traces: index === 0 ? { ...NO_TRACES, failures } : NO_TRACES,
      })),
      merged,
    );
  }
}

/** How far a run is, all threads together. */
export interface RunProgress {
  /** Below 0 in the warm-up. */
  readonly elapsedMs: number;
  /** Of the planned time or iterations, from 0 to 1; undefined when neither is known. */
  readonly done: number | undefined;
  readonly iterations: IterationCounts;
  readonly requests: number;
  /** Attempts in the last whole second; undefined until there is one. */
  readonly perSecond: number | undefined;
  /** Of the last whole second; 0 without samples. */
  readonly p95Ms: number;
  /** The most at once in the last whole second; until there is one, now. */
  readonly vus: number;
  /** How late the latest request slot of the last second was handed out. */
  readonly lateMs: number;
}

/** Puts the progress of several threads together, of none of them too. */
export function mergeProgress(
  parts: readonly Progress[],
  elapsedMs: number,
  done: number | undefined,
): RunProgress {
  const fine = new FineBuckets();
  const seconds = parts.flatMap(({ second, warmUp }) =>
    second ?? warmUp?.second ?? []
  );
  for (const { buckets } of seconds) fine.add(buckets);
  return {
    elapsedMs,
    done,
    iterations: sumFields([
      NO_ITERATIONS,
      ...parts.map((part) => part.iterations),
    ]),
    requests: sum(parts, (part) => part.requests),
    perSecond: seconds.length === 0 ? undefined : sum(
      seconds,
      countAll,
    ),
    p95Ms: fine.percentile(95),
    lateMs: Math.max(0, ...parts.map((part) => part.lateMs ?? 0)),
    vus: sum(
      parts,
      (part) => (part.second ?? part.warmUp?.second)?.vus ?? underWay(part),
    ),
  };
}

function underWay({ iterations }: Progress): number {
  const { started, completed, interrupted } = iterations;
  return started - completed - interrupted;
}
