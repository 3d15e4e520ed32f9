import {
  countAll,
  countSamples,
  OUTCOME_NAMES,
} from "../../lib/model/outcome.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import { rowText, traceName } from "../../lib/results/report/figures.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import type { AgentPoint } from "../model/timeline.ts";
import { type NestedSpan, nestedSpans } from "../model/waterfall.ts";
import { vuNumber } from "../model/words.ts";
import { jsonObject } from "./json_stream.ts";

/** Processes of the format: the run itself, and the target's machine. */
const RUN = 1;
const TARGET = 2;

/** The parts of a timeline. */
interface TimelineParts {
  readonly entries: readonly TraceEntry[];
  readonly traces: AsyncIterable<Trace>;
  /** None when only some traces were asked for. */
  readonly points: readonly SecondPoint[];
  readonly agent: readonly AgentPoint[];
}

/**
 * The run in Chrome's Trace Event Format, which Perfetto and chrome://tracing
 * open: a thread a VU with its iterations and their spans, and counters from
 * the per-second series. Times are microseconds since the run started.
 */
export function traceEvents(
  meta: RunMeta,
  { entries, traces, points, agent }: TimelineParts,
): AsyncGenerator<string> {
  return jsonObject(
    {
      displayTimeUnit: "ms",
      otherData: {
        run: meta.id,
        flow: meta.flow,
        target: meta.target,
        mode: meta.mode,
        started_at: meta.started_at,
        bench_version: meta.bench_version,
      },
    },
    [{ name: "traceEvents", items: events() }],
  );

  async function* events() {
    yield* names(meta, entries, agent.length > 0);
    for (const point of points) {
      yield* runCounters(point);
      yield* stepCounters(meta, point);
    }
    for (const point of agent) yield* targetCounters(point);
    for await (const trace of traces) yield* spans(trace);
  }
}

function* names(
  meta: RunMeta,
  entries: readonly TraceEntry[],
  agent: boolean,
): Generator<object> {
  const name = (pid: number, tid: number, what: string, name: string) => ({
    ph: "M",
    pid,
    tid,
    name: what,
    args: { name },
  });
  yield name(RUN, 0, "process_name", `${meta.flow} against ${meta.target}`);
  if (agent) yield name(TARGET, 0, "process_name", "the target's machine");
  const vus = [...new Set(entries.map((entry) => entry.vu))];
  for (const vu of vus.sort((a, b) => a - b)) {
    yield name(RUN, vuNumber(vu), "thread_name", `VU ${vuNumber(vu)}`);
  }
}

function* spans(trace: Trace): Generator<object> {
  const nested = nestedSpans(trace);
  const tid = vuNumber(trace.vu);
  const from = Math.min(trace.start_us, nested[0]?.from ?? Infinity);
  const to = nested.reduce(
    (end, span) => Math.max(end, span.to),
    trace.start_us + trace.duration_us,
  );
  yield {
    ph: "X",
    pid: RUN,
    tid,
    cat: "iteration",
    name: traceName(trace),
    ts: from,
    dur: to - from,
    args: {
      outcome: trace.outcome,
      trace_id: trace.trace_id,
      ...(trace.row !== undefined &&
        { row: rowText(trace.row, trace.row_name) }),
      ...(trace.values && {
        values: Object.fromEntries(
          trace.values.map(({ name, value }) => [name, value]),
        ),
      }),
    },
  };
  for (const each of nested) yield spanEvent(each, tid);
}

function spanEvent({ span, kind, from, to }: NestedSpan, tid: number): object {
  const { outcome, failure, attributes, request, response } = span;
  return {
    ph: "X",
    pid: RUN,
    tid,
    cat: kind,
    name: span.name,
    ts: from,
    dur: to - from,
    args: {
      ...attributes,
      ...(outcome !== undefined && { outcome }),
      ...(failure && { failure: failure.message }),
      ...(request && { request: request.line }),
      ...(response && { response: response.line }),
    },
  };
}

function* runCounters(point: SecondPoint): Generator<object> {
  const { t, vus, passed, throttled, failed, p50, p95, p99 } = point;
  yield counter(RUN, t, "virtual users", { vus });
  yield counter(RUN, t, "attempts a second", { passed, throttled, failed });
  if (countSamples(point) > 0 && p50 !== null) {
    yield counter(RUN, t, "latency, ms", { p50, p95, p99 });
  }
  if (point.cpu_share !== undefined) {
    yield counter(RUN, t, "generator, share of its CPU", {
      cpu: point.cpu_share,
    });
  }
}

/** Also of a step that did nothing: a counter keeps its value until the next. */
function* stepCounters(
  meta: RunMeta,
  { t, steps }: SecondPoint,
): Generator<object> {
  if (!steps) return;
  const counts = new Map(steps.map(([step, ...counts]) => [step, counts]));
  for (const [index, { id, attempts }] of meta.steps.entries()) {
    if (countAll(attempts) === 0) continue;
    const own = OUTCOME_NAMES.map((outcome, at) =>
      [outcome, counts.get(index)?.[at] ?? 0] as const
    );
    yield counter(
      RUN,
      t,
      `attempts a second of ${id}`,
      Object.fromEntries(own),
    );
  }
}

function* targetCounters(point: AgentPoint): Generator<object> {
  const { t, cpu, memory, received, sent, load1 } = point;
  const rows = [
    ["CPU, share of its cores", { cpu }],
    ["memory used, bytes", { memory }],
    ["network, bytes a second", { received, sent }],
    ["load average", { load1 }],
  ] as const;
  for (const [name, values] of rows) {
    const known = Object.entries(values).filter(([, value]) => value !== null);
    if (known.length > 0) {
      yield counter(TARGET, t, name, Object.fromEntries(known));
    }
  }
}

function counter(pid: number, t: number, name: string, args: object): object {
  // Threads are VUs, which count from 1; counters hang on none of them.
  return { ph: "C", pid, tid: 0, name, ts: Math.round(t * 1_000_000), args };
}
