import assert from "node:assert/strict";
import {
  parsePrecision,
  stopWhenSure,
} from "../../../../lib/engine/run_context/early_end.ts";
import type {
  KnownRun,
  RunSecond,
} from "../../../../lib/engine/run_context/run_context.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { Stop } from "../../../../lib/engine/vu/stop.ts";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import {
  LatencyRecorder,
  mergeLatencies,
  stretchesOf,
} from "../../../../lib/results/histograms/latencies.ts";
import { wholeStretches } from "../../../../lib/results/histograms/latency_stretches.ts";
import {
  type LatencyEvidence,
  latencyIntervals,
} from "../../../../lib/results/statistics/percentile_bounds.ts";

const PLAN = { executor: "closed" } as RunPlan;

/** What a run of so many seconds recorded, of 80 latencies a second. */
function recorded(ms: (t: number, i: number) => number) {
  const recorder = new LatencyRecorder(0);
  return (t: number): LatencyEvidence => {
    for (let i = 0; i < 80; i++) {
      recorder.record(t * 1_000 + i * 12.5, ms(t, i), ms(t, i));
    }
    const { response } = mergeLatencies([recorder.data()]);
    const durationMs = (t + 1) * 1_000 + 3;
    return {
      latency: response.distribution(),
      blocks: wholeStretches(stretchesOf([recorder.data()]), durationMs),
      durationMs,
    };
  };
}

/** In which second `until` ends a run whose seconds take so long; its notes. */
async function ended(
  until: string,
  ms: (t: number, i: number) => number,
  plan = PLAN,
  later = 1,
) {
  const early = stopWhenSure(parsePrecision(until));
  await early.open!({ plan } as KnownRun);
  const stop = new Stop();
  const second = recorded(ms);
  let evidence = second(0);
  let at: number | undefined;
  for (let t = 1; t < 60 && at === undefined; t++) {
    evidence = second(t);
    const elapsedMs = evidence.durationMs;
    const latencies = () => evidence;
    await early.second!({ elapsedMs, latencies, stop } as RunSecond);
    if (stop.requested) at = t + 1;
  }
  // What is under way ends a little later.
  if (at !== undefined) {
    for (let t = at; t < at + later; t++) evidence = second(t);
  }
  const stored = latencyIntervals(evidence);
  return {
    at,
    notes: early.notes!(evidence),
    why: stop.reason,
    stored,
    evidence,
  };
}

Deno.test("--until ends a run once two looks in a row find the percentile so sure, and says when and how sure", async () => {
  const { at, notes, why } = await ended("p50 within 5%", () => 20);
  assert.deepEqual([at, why], [11, "certain"]);
  assert.deepEqual(notes, [
    "p50 within 5%: reached after 11s: within 0%",
  ]);
});

Deno.test("--until lets a run go on whose seconds differ, and says how sure it was", async () => {
  const { at, notes } = await ended("p50 within 1%", (t) => 20 + t % 7 * 10);
  assert.equal(at, undefined);
  assert.match(
    notes[0]!,
    /^p50 within 1%: not reached when the run was over: within \d/,
  );
});

Deno.test("--until decides by the longer side of the interval that is stored, also where the start differs from the rest", async () => {
  for (const slow of [2, 3, 4, 5]) {
    const random = seededRandom(slow);
    const ms = (t: number) => (t < slow ? 200 : 20) * Math.exp(0.3 * random());
    const { at, notes, stored, evidence } = await ended("p90 within 5%", ms);
    const { low, high } = stored.p90!;
    const value = evidence.latency.percentile(90);
    const reach = Math.max(high - value, value - low) / value;
    const said = `within ${Number((reach * 100).toPrecision(3))}%`;
    assert.ok(notes[0]!.endsWith(said), `${notes[0]} ${said}`);
    assert.equal(
      /: reached after \d+s: within/.test(notes[0]!),
      at !== undefined && reach <= 0.05,
      notes[0]!,
    );
  }
});

Deno.test("--until says when what completed after its end makes the percentile less sure", async () => {
  const ms = (t: number, i: number) => t < 11 ? 20 : 20 + i * 40;
  const { notes } = await ended("p95 within 5%", ms, PLAN, 3);
  assert.match(
    notes[0]!,
    /^p95 within 5%: reached after 11s, but not with what completed after that: /,
  );
});

Deno.test("--until looks when a load that changes has come to its last level", async () => {
  const steady = await ended("p50 within 20%", () => 10);
  const vus = {
    from: 1,
    stages: [{ to: 9, overMs: 20_000 }, { to: 9, overMs: 40_000 }],
  };
  const plan = { ...PLAN, vus } as RunPlan;
  const later = await ended("p50 within 20%", () => 10, plan);
  assert.ok(steady.at! < 20 && later.at! >= 20, `${steady.at} ${later.at}`);
});

Deno.test("--until ends no run of rows, and takes percentiles with a decimal", async () => {
  const rows = { executor: "rows" } as RunPlan;
  const { at, notes } = await ended("p50 within 5%", () => 20, rows);
  assert.deepEqual([at, notes], [undefined, []]);
  assert.equal(parsePrecision("p99.9 within 10%").percentile, 99.9);
  assert.throws(
    () => parsePrecision("p100 within 5%"),
    /not what a run can end at/,
  );
});

Deno.test("--until says that a run was too short, not that its samples were too few", async () => {
  const watch = stopWhenSure(parsePrecision("p50 within 50%"));
  await watch.open!({ plan: PLAN } as KnownRun);
  const second = recorded(() => 20);
  second(0);
  assert.deepEqual(watch.notes!(second(1)), [
    "p50 within 50%: not reached when the run was over: too short to say",
  ]);
});
