import { sum } from "../../base/values/sum.ts";
import { bitsOf, firstRandom } from "../../base/time/random.ts";
import { type BodyLimits, STORED_BODIES } from "../../model/result/response.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import type { Cell, Trace } from "../../model/result/trace.ts";
import {
  CellMap,
  CellSearch,
  cellsOf,
  packCells,
  unpackCells,
} from "./cell_traces.ts";
import { FairShare, TopKept } from "./selection.ts";
import { type KeptTrace, type TraceDraft, withinShare } from "./trace_draft.ts";
import { deflated, inflated } from "./trace_text.ts";

/** Which traces of a run are kept. */
type TracePolicy = "all" | "sampled";

/**
 * A trace that is kept. One of this thread is built each time it is read; a clone of it
 * is plain data, and so is its JSON.
 */
interface Kept {
  readonly iteration: number;
  /** See `Trace`. */
  readonly cells?: readonly Cell[];
  readonly item: Trace;
}

/** Traces kept, as plain data. */
export interface TraceData {
  readonly policy: TracePolicy;
  /** A trace that should have been kept was not, or was cut. */
  readonly truncated: boolean;
  readonly failures: readonly (Kept & { readonly group: string })[];
  /** Ranked by duration, and at random. */
  readonly slowest: readonly (Kept & { readonly rank: number })[];
  readonly sample: readonly (Kept & { readonly rank: number })[];
  /** One for each cell of the map of latencies. */
  readonly cells: readonly Kept[];
}

/** Of a keeper that keeps none. */
export const NO_TRACES: TraceData = {
  policy: "sampled",
  truncated: false,
  failures: [],
  slowest: [],
  sample: [],
  cells: [],
};

/** The facts of an iteration by which a keeper decides, before the trace is built. */
export interface TraceOffer {
  readonly iteration: number;
  /** Failure group of an iteration that did not pass, or that broke the contract. */
  readonly group?: string;
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
  /** The run's start on the run's clock, in milliseconds. */
  readonly runStart: number;
  /** Called only when the trace is kept, at once. */
  build(): Trace;
  /**
   * Builds the trace later, as often as it is asked for; undefined when more than
   * `most` bytes would have to be kept for that.
   */
  hold(most: number): (() => Trace) | undefined;
}

/** Decides which traces are kept. */
export interface TraceKeeper {
  /** How much of bodies every trace holds. */
  readonly bodies: BodyLimits;
  /**
   * Whether the trace of an iteration that begins now is drawn to be kept, so that
   * its responses must be copied out of their buffers. Asked once for each.
   */
  keeps(iteration: number): boolean;
  /**
   * Whether the trace of an iteration would be kept. Asked before each offer, so that
   * nothing is made of the others.
   *
   * @param group see `TraceOffer`
   * @param runStart the run's start on the run's clock, in milliseconds
   */
  accepts(
    result: IterationResult,
    group: string | undefined,
    runStart: number,
  ): boolean;
  /** Whether the trace was kept; a sampled one may be discarded later. */
  offer(offer: TraceOffer): boolean;
  data(): TraceData;
  /**
   * The kept traces that were not handed on before, failures first, each built as it is
   * asked for; none where each is written as it comes.
   */
  fresh(): Iterable<KeptTrace>;
}

const ALL_BYTES = 64 * 1024 * 1024;

/**
 * Every trace, written as it comes, until 64 MiB are written, and from then on, up to a
 * quarter more, those that did not pass; none stays in memory. `write` returns the bytes
 * it wrote. With `every` it also receives those beyond, which are not stored.
 */
export class AllTraces implements TraceKeeper {
  readonly bodies: BodyLimits;
  #bytes = 0;
  #truncated = false;

  constructor(
    readonly write: (trace: Trace, keep: boolean) => number,
    readonly every: boolean = false,
    readonly limit: number = ALL_BYTES,
  ) {
    this.bodies = { ...STORED_BODIES, whole: every };
  }

  keeps(): boolean {
    return true;
  }

  accepts(): boolean {
    return true;
  }

  offer(offer: TraceOffer): boolean {
    const { limit } = this;
    const most = offer.group === undefined ? limit : limit * 1.25;
    const keep = this.#bytes < most;
    if (!keep) this.#truncated = true;
    if (keep || this.every) this.#bytes += this.write(offer.build(), keep);
    return keep;
  }

  data(): TraceData {
    return { ...NO_TRACES, policy: "all", truncated: this.#truncated };
  }

  fresh(): [] {
    return [];
  }
}

const FAILURES = 200;
const SLOWEST = 50;
const SAMPLE = 200;
/** Steps of all iterations of the random sample together, and how many it has at least. */
const SAMPLE_STEPS = 8_000;
const LEAST_SAMPLE = 20;
/** Digits of a rank as it is stored. */
const RANKS = 1e9;
/** Heads and bodies of one trace; 450 traces then stay within 64 MiB. */
const TRACE_BYTES = ALL_BYTES / (FAILURES + SLOWEST + SAMPLE);
/** Of one that is kept for its cell alone; 1,000 stay within 8 MiB. */
const CELL_BYTES = 8 * 1024;
/** The spans of a step in a built trace, at least: an iteration that is held has none. */
const SPAN_BYTES = 1024;

/**
 * The size of the random sample: 200 iterations, fewer of more than 40 steps, which
 * take memory during a run and most of the time that its end takes.
 *
 * @param steps of all flows of the run
 */
export function sampleSize(steps: number, flows = 1): number {
  const most = Math.floor(SAMPLE_STEPS * flows / Math.max(1, steps));
  return Math.max(LEAST_SAMPLE, Math.min(SAMPLE, most));
}

/**
 * Up to 200 failures spread over their groups, the 50 slowest, one for each cell
 * of the map of latencies, and a random sample: every iteration has a random rank and
 * the highest stay, which is even however many recorders are merged.
 */
export class SampledTraces implements TraceKeeper {
  readonly bodies: BodyLimits = { mostBytes: TRACE_BYTES, whole: false };
  readonly #failures = new FairShare<TraceDraft>(FAILURES);
  readonly #slowest = new TopKept<TraceDraft>(SLOWEST);
  readonly #sample: TopKept<TraceDraft>;
  readonly #cells = new CellMap<TraceDraft>();
  readonly #search = new CellSearch(this.#cells);
  /** The highest ranks of those that began: no other is in the sample at the end. */
  readonly #drawn: TopKept<number>;
  #truncated = false;

  /**
   * @param rank the rank in [0, 1) of an iteration, see `sampleRank`
   * @param sample the size of the random sample
   */
  constructor(readonly rank: (iteration: number) => number, sample = SAMPLE) {
    this.#sample = new TopKept(sample);
    this.#drawn = new TopKept(sample);
  }

  keeps(iteration: number): boolean {
    const rank = this.rank(iteration);
    const drawn = this.#drawn.accepts(rank);
    if (drawn) this.#drawn.add(rank, iteration);
    return drawn;
  }

  accepts(
    { iteration, startedAt, endedAt, steps }: IterationResult,
    group: string | undefined,
    runStart: number,
  ): boolean {
    return (group !== undefined && this.#failures.accepts(group)) ||
      this.#slowest.accepts(endedAt - startedAt) ||
      this.#sample.accepts(this.rank(iteration)) ||
      this.#search.finds(steps, runStart);
  }

  offer(offer: TraceOffer): boolean {
    const { iteration, group, durationMs, steps, runStart } = offer;
    const rank = this.rank(iteration);
    const fails = group !== undefined && this.#failures.accepts(group);
    const slow = this.#slowest.accepts(durationMs);
    const sampled = this.#sample.accepts(rank);
    const first = this.#search.finds(steps, runStart);
    const whole = fails || slow || sampled;
    if (!whole && !first) return false;
    const most = whole ? TRACE_BYTES : CELL_BYTES;
    const cells = cellsOf(steps, runStart);
    const packed = packCells(cells);
    const finished = (trace: Trace) => ({
      ...this.#within(most, trace),
      rank: Math.round(rank * RANKS) / RANKS,
      cells: unpackCells(packed),
    });
    const held = offer.hold(most + steps.length * SPAN_BYTES);
    const draft: TraceDraft = {
      iteration,
      cells: packed,
      given: false,
      build: held ? () => finished(held()) : always(finished(offer.build())),
    };
    if (first) this.#cells.add(cells, draft);
    if (fails) this.#failures.add(group, draft);
    if (slow) this.#slowest.add(durationMs, draft);
    if (sampled) this.#sample.add(rank, draft);
    return true;
  }

  data(): TraceData {
    return {
      policy: "sampled",
      truncated: this.#truncated,
      failures: this.#failures.list().map(built),
      slowest: this.#slowest.list().map(built),
      sample: this.#sample.list().map(built),
      cells: this.#cells.list().map((item) => built({ item })),
    };
  }

  *fresh(): Generator<KeptTrace> {
    const kept: { readonly group?: string; readonly item: TraceDraft }[] = [
      ...this.#failures.list(),
      ...this.#slowest.list(),
      ...this.#sample.list(),
      ...this.#cells.list().map((item) => ({ item })),
    ];
    for (const { group, item } of kept) {
      if (item.given) continue;
      const trace = item.build();
      item.given = true;
      item.build = again(deflated(trace));
      yield { ...(group !== undefined && { group }), item: trace };
    }
  }

  /** The trace within its share; of one that stands for a cell it is known to show less. */
  #within(most: number, whole: Trace): Trace {
    const trace = withinShare(whole, most);
    if (trace !== whole && most === TRACE_BYTES) this.#truncated = true;
    return trace;
  }
}

function always<T>(value: T): () => T {
  return () => value;
}

function again(text: Uint8Array): () => Trace {
  return () => inflated(text);
}

/** All of them built at once would be most of the memory of a run with long flows. */
function built<Draft extends { readonly item: TraceDraft }>(
  { item, ...why }: Draft,
): Omit<Draft, "item"> & Kept {
  return {
    ...why,
    iteration: item.iteration,
    cells: unpackCells(item.cells),
    get item() {
      return item.build();
    },
  };
}

/** The ranks of a run's iterations: the same for the same seed, on every thread. */
export function sampleRank(seed: number): (iteration: number) => number {
  const key = Math.imul(bitsOf(seed), 0x9e3779b9);
  return (iteration) => firstRandom(key ^ iteration);
}

/** Keeps traces of a load run on one thread. */
export function sampledTraces(
  seed: number,
  flows: readonly { readonly flow: { readonly steps: readonly unknown[] } }[],
): SampledTraces {
  const steps = sum(flows, ({ flow }) => flow.steps.length);
  return new SampledTraces(sampleRank(seed), sampleSize(steps, flows.length));
}

/**
 * The traces that one keeper would have kept of several.
 *
 * @param size of the random sample
 */
export function mergeTraces(
  parts: readonly TraceData[],
  size: number = SAMPLE,
): TraceData {
  if (parts.length === 1) return parts[0]!;
  // Each stays what it is: to copy one is to build its trace.
  const failures = new FairShare<TraceData["failures"][number]>(FAILURES);
  const slowest = new TopKept<TraceData["slowest"][number]>(SLOWEST);
  const sample = new TopKept<TraceData["sample"][number]>(size);
  const cells = new CellMap<Kept>();
  for (const part of parts) {
    for (const each of part.failures) failures.add(each.group, each);
    for (const each of part.slowest) slowest.add(each.rank, each);
    for (const each of part.sample) sample.add(each.rank, each);
    for (const each of part.cells) cells.add(each.cells ?? [], each);
  }
  return {
    policy: parts.some((part) => part.policy === "all") ? "all" : "sampled",
    truncated: parts.some((part) => part.truncated),
    failures: failures.list().map(({ item }) => item),
    slowest: slowest.list().map(({ item }) => item),
    sample: sample.list().map(({ item }) => item),
    cells: cells.list(),
  };
}

/**
 * Each kept trace once, by iteration, built as it is asked for. A cell that another
 * trace lies in needs none of its own.
 */
export function* keptTraces(
  { failures, slowest, sample, cells }: TraceData,
): Generator<Trace> {
  const others = [...failures, ...slowest, ...sample];
  const map = new CellMap<Kept>();
  for (const each of [...others, ...cells]) map.add(each.cells ?? [], each);
  const byIteration = new Map(
    [...map.list(), ...others].map((each) => [each.iteration, each]),
  );
  const iterations = [...byIteration.keys()].sort((a, b) => a - b);
  for (const iteration of iterations) yield byIteration.get(iteration)!.item;
}
