import * as v from "valibot";
import { NAME } from "../../language/expressions/template.ts";
import { MODES } from "../../model/mode.ts";
import { stepCounts } from "../../model/result/run.ts";
import { NO_ITERATIONS } from "../../model/result/totals.ts";
import { STEP_PHASES } from "../../model/result/latency.ts";

/*
 * `share.json` as far as joining shares relies on it. The file may come from
 * anywhere: what it misses is reported in its own words, not met half-way.
 */

const s = v.string();
const n = v.number();
const count = v.pipe(n, v.integer(), v.minValue(0));
const words = v.instance(Uint32Array);
/** Milliseconds up to the end of the year 9999: what a run id can say. */
const ms = v.pipe(n, v.minValue(0), v.maxValue(253_402_300_799_999));
/** It becomes a part of the name of the run directory. */
const name = v.pipe(s, v.regex(NAME));

const histogram = v.looseObject({
  counts: words,
  count,
  sum: n,
  min: n,
  max: n,
});

const latencies = v.looseObject({
  service: v.exactOptional(histogram),
  response: v.exactOptional(histogram),
  throttled: v.exactOptional(histogram),
  stretches: v.exactOptional(v.looseObject({
    ms: v.pipe(n, v.minValue(1)),
    blocks: v.array(
      v.looseObject({ buckets: v.instance(Uint16Array), counts: words }),
    ),
  })),
});

const second = v.looseObject({
  ...v.entriesFromList(["t", "vus", "started", "completed"], count),
  ...v.entriesFromList(["iterations_failed", "iterations_throttled"], count),
  ...v.entriesFromList(["passed", "throttled", "failed"], count),
  ...v.entriesFromList(["bytes_sent", "bytes_received", "max"], n),
  ...v.entriesFromList(["buckets", "steps"], words),
});

const health = v.looseObject({ loopLag: n, late: n, coreWait: n });

const trace = v.looseObject({
  trace_id: s,
  iteration: count,
  start_us: n,
  duration_us: n,
  spans: v.array(v.looseObject({ span_id: s, name: s })),
});
const ranked = v.array(v.looseObject({ rank: n, item: trace }));

const snapshot = v.looseObject({
  ids: v.array(n),
  iterations: v.looseObject(
    v.entriesFromList(Object.keys(NO_ITERATIONS), count),
  ),
  steps: v.array(v.looseObject({
    ...stepCounts.entries,
    sampled: stepCounts.entries.attempts,
    latencies,
    phases: v.record(v.picklist(STEP_PHASES), histogram),
  })),
  seconds: v.array(second),
  failures: v.looseObject({
    groups: v.array(
      v.looseObject({ key: s, step: s, count, pointer: s, iteration: count }),
    ),
    other: count,
  }),
  traces: v.looseObject({
    truncated: v.boolean(),
    failures: v.array(v.looseObject({ group: s, item: trace })),
    slowest: ranked,
    sample: ranked,
  }),
  rows: v.looseObject({ rows: v.array(v.unknown()), other: count }),
});

const generator = v.looseObject({
  late: v.exactOptional(histogram),
  loopLag: histogram,
  heldMs: n,
  held: count,
  pausedMs: n,
  paused: count,
  seconds: v.array(health),
});

const worker = v.looseObject({ snapshot, generator, unserved: count });

const shard = v.object({
  index: count,
  count: v.pipe(n, v.integer(), v.minValue(2), v.maxValue(10_000)),
});

/** What is in `share.json`, its counts taken apart. */
export const storedShare = v.looseObject({
  shard,
  facts: v.looseObject({
    id: s,
    flow: name,
    irSha256: s,
    target: s,
    seed: n,
    benchVersion: s,
    startedAt: ms,
    steps: v.array(v.looseObject({ id: s, kind: s })),
  }),
  plan: v.looseObject({
    mode: v.picklist(MODES),
    executor: v.picklist(["closed", "open"]),
    peakVus: n,
    iterations: v.exactOptional(count),
  }),
  workers: v.tupleWithRest([worker], worker),
  cost: v.looseObject({
    durationMs: ms,
    threads: n,
    cpuSeconds: v.array(n),
    cpuTotal: n,
    unserved: count,
  }),
  notes: v.array(s),
  places: v.array(v.tuple([s, v.looseObject({ file: s })])),
  ticks: v.exactOptional(count),
});

/** One of `share.json.part`. */
export const shareTick = v.array(
  v.looseObject({
    from: count,
    seconds: v.array(second),
    health: v.array(health),
  }),
);
