import assert from "node:assert/strict";
import { driftOf } from "../../../../lib/results/statistics/drift.ts";
import { driftSentences } from "../../../../lib/results/report/drift_text.ts";
import { simulatedRun } from "../../../simulation/draws.ts";

const CALM = { within: 0.2, between: 0.05, correlation: 0.3 };
const MINUTES = 10;

/** A soak run of ten minutes whose latency grows by so many ms in each. */
function soak(
  growth: number,
  seconds = MINUTES * 60,
  memory = (t: number) => 1e9 + t * 2 * 1_048_576 + (t % 7) * 1e5,
) {
  const latency = Array.from(
    { length: seconds },
    (_, t) =>
      simulatedRun(
        { ...CALM, ms: 20 + growth * t / 60 },
        1,
        30,
        t * 31 + 1,
      )[0]!,
  );
  const all = Array<number>(seconds).fill(10);
  return driftOf({
    durationMs: seconds * 1_000,
    latency,
    completed: all,
    failed: all.map((_, t) => t % 10 === 0 ? 1 : 0),
    readings: all.map((_, t) => ({
      at: t * 1_000,
      memory: memory(t),
      cpu: null,
      openFiles: 40 + t % 3,
    })),
  });
}

Deno.test("driftOf finds how fast p95 grew, and the memory of the target", () => {
  const { windows, figures } = soak(1);
  assert.equal(windows, 60);
  const [p95, errors, memory, files] = figures;
  assert.deepEqual(figures.map(({ metric }) => metric), [
    "p95",
    "error_rate",
    "target_memory",
    "target_open_files",
  ]);
  assert.equal(p95!.verdict, "grew");
  // p95 is 1.4 times the median; the median grows by 60 ms an hour.
  assert.ok(p95!.low! < 84 && p95!.high! > 80, `${p95!.low} ${p95!.high}`);
  assert.equal(errors!.verdict, "steady");
  assert.equal(memory!.verdict, "grew");
  assert.ok(Math.abs(memory!.per_hour! / 1_048_576 - 7_200) < 50);
  assert.equal(files!.verdict, "steady");
});

Deno.test("driftOf: a stall of some seconds hides no growth", () => {
  const durationMs = 48_000;
  // 50 ms that grow by 1 % a second, and five seconds in which others had the machine.
  const latency = Array.from(
    { length: 48 },
    (_, t) =>
      simulatedRun(
        {
          ...{ within: 0.02, between: 0.02, correlation: 0 },
          ms: (50 + 0.5 * t) * (t >= 2 && t < 7 ? 1.2 + t / 8 : 1),
        },
        1,
        65,
        t * 31 + 1,
      )[0]!,
  );
  const none = latency.map(() => 0);
  const [p95] = driftOf({
    ...{ durationMs, latency, completed: none, failed: none, readings: [] },
  }).figures;
  assert.equal(p95!.verdict, "grew", JSON.stringify(p95));
  assert.ok(p95!.low! < 1_800 && p95!.high! > 1_800, JSON.stringify(p95));
});

Deno.test("driftOf calls a run that stays as it is steady", () => {
  assert.equal(soak(0).figures[0]!.verdict, "steady");
});

Deno.test("driftOf says nothing of a short run, and driftSentences say so", () => {
  const short = soak(1, 29);
  assert.deepEqual(short, { windows: 0, figures: [] });
  assert.match(driftSentences(short)[0]!, /^drift: too short to say/);
});

Deno.test("driftOf keeps a figure that has no bounds, and driftSentences say so", () => {
  const short = soak(0, 45, (t) => t < 20 ? 1e9 : 2e9);
  assert.deepEqual(
    short.figures.find(({ metric }) => metric === "target_memory"),
    {
      metric: "target_memory",
      unit: "bytes",
      per_hour: null,
      low: null,
      high: null,
      verdict: "unclear",
    },
  );
  assert.ok(
    driftSentences(short).includes(
      "drift: memory of the target unclear, a longer run can say",
    ),
  );
});

Deno.test("driftSentences say how fast, and between which bounds", () => {
  const text = (verdict: "grew" | "fell", sign: number) =>
    driftSentences({
      windows: 60,
      figures: [{
        metric: "p95",
        unit: "ms",
        per_hour: sign * 4.1,
        low: Math.min(sign * 3.2, sign * 5),
        high: Math.max(sign * 3.2, sign * 5),
        verdict,
      }],
    });
  assert.deepEqual(text("grew", 1), [
    "drift: p95 grew 4.1ms an hour (3.2ms to 5ms)",
  ]);
  assert.deepEqual(text("fell", -1), [
    "drift: p95 fell 4.1ms an hour (3.2ms to 5ms)",
  ]);
});
