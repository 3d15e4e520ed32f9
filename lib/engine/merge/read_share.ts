import { ifPossible } from "../../base/values/if_possible.ts";
import { countSamples, OUTCOME_NAMES } from "../../model/outcome.ts";
import * as v from "valibot";
import type { GenericSchema } from "valibot";
import { countsFromJson } from "../../base/values/counts_json.ts";
import { sum } from "../../base/values/sum.ts";
import { NAME } from "../../language/expressions/template.ts";
import { MODES } from "../../model/mode.ts";
import { STEP_PHASES } from "../../model/result/latency.ts";
import { stepCounts } from "../../model/result/run.ts";
import { NO_ITERATIONS } from "../../model/result/totals.ts";
import { decodeBlocks } from "../../results/histograms/stretches_text.ts";
import type { SecondData } from "../../results/record/series.ts";
import { FILES, unreadable } from "../../results/store/layout.ts";
import { fitting } from "../../results/store/meta_schema.ts";
import type { ShareTicks } from "../../results/store/run_files.ts";
import { readJson, readPart } from "../../results/store/stored_file.ts";
import type { ShareTick, StoredShare } from "../run_context/stored_share.ts";
import { joinReports, withSeconds } from "../workers/partial_report.ts";

/*
 * `share.json` as far as joining shares relies on it. The file may come from
 * anywhere: what it misses is reported in its own words, not met half-way.
 */

const s = v.string();
const n = v.number();
const count = v.pipe(n, v.integer(), v.minValue(0));
const words = v.instance(Uint32Array);
const counts = v.union([
  v.instance(Uint8Array),
  v.instance(Uint16Array),
  words,
]);
/** Milliseconds up to the end of the year 9999: what a run id can say. */
const ms = v.pipe(n, v.minValue(0), v.maxValue(253_402_300_799_999));
/** The name of a flow, which is a part of the name of the run directory. */
const name = v.pipe(s, v.regex(NAME));

const histogram = v.looseObject({
  counts,
  count,
  sum: n,
  min: n,
  max: n,
});

const stretches = v.looseObject({
  ms: v.pipe(n, v.minValue(1)),
  blocks: v.pipe(s, v.check(isBlocks, "Invalid stretches")),
});

const latencies = v.looseObject({
  service: v.exactOptional(histogram),
  response: v.exactOptional(histogram),
  throttled: v.exactOptional(histogram),
  stretches: v.exactOptional(stretches),
});

const second = v.looseObject({
  ...v.entriesFromList(["t", "vus", "started", "completed"], count),
  ...v.entriesFromList(["iterations_failed", "iterations_throttled"], count),
  ...v.entriesFromList(OUTCOME_NAMES, count),
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
const kept = { iteration: count, item: trace };
const ranked = v.array(v.looseObject({ ...kept, rank: n }));

const iterationCounts = v.looseObject(
  v.entriesFromList(Object.keys(NO_ITERATIONS), count),
);

const snapshot = v.looseObject({
  ids: v.array(n),
  iterations: iterationCounts,
  steps: v.array(v.looseObject({
    ...stepCounts.entries,
    sampled: stepCounts.entries.attempts,
    repeated: stepCounts.entries.attempts,
    latencies,
    phases: v.record(v.picklist(STEP_PHASES), histogram),
  })),
  stretches,
  seconds: v.array(second),
  failures: v.looseObject({
    groups: v.array(
      v.looseObject({ key: s, step: s, count, pointer: s, iteration: count }),
    ),
    other: count,
  }),
  traces: v.looseObject({
    truncated: v.boolean(),
    failures: v.array(v.looseObject({ ...kept, group: s })),
    slowest: ranked,
    sample: ranked,
    cells: v.array(v.looseObject({ item: trace })),
  }),
  rows: v.looseObject({ rows: v.array(v.unknown()), other: count }),
  warmUp: v.exactOptional(v.looseObject({
    iterations: iterationCounts,
    requests: count,
    seconds: v.array(second),
  })),
});

const generator = v.looseObject({
  late: v.exactOptional(histogram),
  offered: v.exactOptional(count),
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

/** The schema of `share.json`, its counts taken apart. */
const storedShare = v.looseObject({
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
    warmUpMs: v.exactOptional(ms),
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
const shareTick = v.array(
  v.looseObject({
    from: count,
    seconds: v.array(second),
    health: v.array(health),
  }),
);

/**
 * The share in a run directory; undefined when there is none.
 *
 * @throws {StoreError} when it is damaged
 */
export async function readShare(dir: string): Promise<StoredShare | undefined> {
  const path = `${dir}/${FILES.share}`;
  const stored = await readJson(path);
  if (stored === undefined) return undefined;
  const share = checked<StoredShare>(storedShare, stored, path);
  const whole = share.ticks === undefined
    ? share
    : withTicks(share, await readTicks(dir, share.ticks));
  const wrong = unsound(whole);
  if (wrong === undefined) return whole;
  throw unreadable(path, wrong);
}

async function readTicks(dir: string, count: number): Promise<ShareTick[]> {
  const path = `${dir}/${FILES.sharePart}`;
  const { ticks = [] } = await readPart<Partial<ShareTicks>>(path) ?? {};
  if (ticks.length < count) {
    throw unreadable(path, `it has ${ticks.length} of ${count} ticks`);
  }
  return ticks.slice(0, count)
    .map((each) => checked<ShareTick>(shareTick, each, path));
}

function withTicks(
  share: StoredShare,
  ticks: readonly ShareTick[],
): StoredShare {
  const workers = share.workers.map((report, nth) =>
    ticks.flatMap((tick) => tick[nth] ?? []).reduce(
      (known, { from, seconds, health }) =>
        joinReports(known, {
          from,
          report: withSeconds(report, seconds, health),
        }),
      report,
    )
  );
  return { ...share, workers };
}

function checked<T>(
  schema: GenericSchema,
  stored: unknown,
  path: string,
): T {
  let counts: unknown;
  try {
    counts = countsFromJson(stored);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  fitting(schema, counts, path);
  return counts as T;
}

function isBlocks(text: string): boolean {
  return ifPossible(() => decodeBlocks(text).length > 0, false);
}

type Snapshot = StoredShare["workers"][number]["snapshot"];
type Histogram = Snapshot["steps"][number]["phases"]["ttfb"];

/**
 * The part of a share that does not add up. Its parts say the same in several ways; a
 * share that was changed or damaged seldom says it the same in all of them.
 */
function unsound(share: StoredShare): string | undefined {
  const { shard, plan, facts, workers } = share;
  if (shard.index >= shard.count) {
    return `there is no shard ${shard.index} of ${shard.count}`;
  }
  if (
    plan.shard?.index !== shard.index || plan.shard.count !== shard.count
  ) return "`plan.shard` is not `shard`";
  const ids = workers[0]!.snapshot.ids.join();
  for (const [nth, { snapshot, generator }] of workers.entries()) {
    const at = `workers.${nth}`;
    if (snapshot.ids.join() !== ids) {
      return `\`${at}.snapshot.ids\` are of another run`;
    }
    if (snapshot.steps.length !== facts.steps.length) {
      return `\`${at}.snapshot.steps\` has ${snapshot.steps.length} steps, the flow has ${facts.steps.length}`;
    }
    const wrong = unevenHistogram(snapshot, generator, at) ??
      unevenCounts(snapshot);
    if (wrong !== undefined) return wrong;
  }
}

function unevenHistogram(
  { steps }: Snapshot,
  { late, loopLag }: StoredShare["workers"][number]["generator"],
  at: string,
): string | undefined {
  const all: [string, Histogram | undefined][] = [
    ["generator.late", late],
    ["generator.loopLag", loopLag],
    ...steps.flatMap(({ latencies, phases }, step) => {
      const { service, response, throttled } = latencies;
      const parts = { service, response, throttled, ...phases };
      return Object.entries(parts).map(([name, each]) =>
        [`snapshot.steps.${step}: ${name}`, each] as [string, typeof each]
      );
    }),
  ];
  for (const [name, histogram] of all) {
    if (!histogram) continue;
    const { counts, count, min, max } = histogram;
    const added = sum([...counts], (each) => each);
    if (added !== count || min > max) {
      return `\`${at}.${name}\`: its counts add up to ${added}, \`count\` is ${count}`;
    }
  }
}

function unevenCounts(
  { iterations, steps, seconds }: Snapshot,
): string | undefined {
  const over = (key: keyof SecondData) =>
    sum(seconds, (each) => each[key] as number);
  const samples = (key: "service" | "response" | "throttled") =>
    sum(steps, ({ latencies }) => latencies[key]?.count ?? 0);
  const { started, completed, interrupted, passed } = iterations;
  const others = Math.max(iterations.failed, iterations.throttled);
  const said: [string, number, string, number][] = [
    ["iterations begun", started, "its seconds", over("started")],
    ["iterations completed", completed, "its seconds", over("completed")],
    [
      "attempts with a latency",
      samples("service"),
      "its seconds",
      sum(seconds, countSamples),
    ],
    [
      "throttled attempts",
      samples("throttled"),
      "its seconds",
      over("throttled"),
    ],
  ];
  for (const [what, have, where, has] of said) {
    if (have !== has) return `it has ${have} ${what}, ${where} ${has}`;
  }
  if (completed + interrupted > started || passed + others > completed) {
    return "`iterations` do not add up";
  }
  if (seconds.some(({ t }, index) => t !== index)) {
    return "its seconds are not one after the other";
  }
}
