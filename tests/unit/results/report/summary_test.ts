import assert from "node:assert/strict";
import {
  GeneratorRecorder,
  mergeGenerators,
} from "../../../../lib/results/record/generator.ts";
import {
  progressMeta,
  runningMeta,
  summarise,
} from "../../../../lib/results/report/summary.ts";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { ENDING, FACTS } from "./finished_run.ts";
import { iterationsOf, stepTotalsOf, totalsOf } from "./totals.ts";

const nowhere = () => undefined;

Deno.test("summarise gives rates per completed iteration", () => {
  const totals = totalsOf([1], {
    iterations: iterationsOf(8, { failed: 2, throttled: 4 }),
  });
  const meta = summarise(FACTS, totals, ENDING, nowhere);
  assert.deepEqual([meta.error_rate, meta.throttle_rate], [0.25, 0.5]);
});

Deno.test("summarise gives the requests that an open loop was to send, those after a warm-up", () => {
  const recorder = new GeneratorRecorder(1_000, true);
  for (const at of [900, 999.9, 1_000, 1_100, 1_200]) recorder.offered(at);
  recorder.loopLag(0, 1_020, 20);
  const other = new GeneratorRecorder(1_000);
  other.offered(1_300);
  const offered = (parts: GeneratorRecorder[]) =>
    mergeGenerators(parts.map((each) => each.data())).offered;
  assert.equal(offered([recorder, other]), 4);
  assert.equal(offered([new GeneratorRecorder(0)]), undefined);
  const { offered_requests } = summarise(
    FACTS,
    totalsOf([1]),
    { ...ENDING, offered_requests: 4 },
    nowhere,
  );
  assert.equal(offered_requests, 4);
});

Deno.test("progressMeta gives the thresholds as they stand, and judges nothing", () => {
  const thresholds = [
    "error_rate < 1%",
    "throttle_rate < 60%",
    "p95(latency) < 1s",
  ];
  const totals = totalsOf([], {
    iterations: iterationsOf(8, { failed: 2, throttled: 4 }),
  });
  const facts = {
    ...FACTS,
    thresholds: thresholds.map((text) => parseThreshold(text)),
  };
  const meta = progressMeta(facts, totals, 1_000, nowhere);
  assert.deepEqual(
    meta.thresholds.map(({ expression, actual, pass }) => [
      expression,
      actual,
      pass,
    ]),
    [[thresholds[0], 0.25, false], [thresholds[1], 0.5, true]],
  );
  assert.deepEqual([meta.status, meta.verdict], ["running", null]);
});

Deno.test("summarise passes a throttled load run without thresholds", () => {
  const totals = totalsOf([1], {
    iterations: iterationsOf(8, { throttled: 8 }),
  });
  const { verdict, exit_code } = summarise(FACTS, totals, ENDING, nowhere);
  assert.deepEqual([verdict, exit_code], ["pass", 0]);
});

Deno.test("summarise fails a load run that was throttled before its first request", () => {
  const totals = totalsOf([], {
    iterations: iterationsOf(8, { throttled: 8 }),
  });
  const { verdict, notes } = summarise(FACTS, totals, ENDING, nowhere);
  assert.equal(verdict, "fail");
  assert.match(notes[0]!, /^every iteration was throttled before its first/);
});

Deno.test("summarise fails a load run without a completed iteration, and says so", () => {
  const note = "no iteration was completed: a load run without one fails";
  for (const mode of ["load", "stress", "soak"] as const) {
    const facts = { ...FACTS, mode };
    const iterations = iterationsOf(0, { interrupted: 3 });
    const meta = summarise(
      facts,
      totalsOf([], { iterations }),
      ENDING,
      nowhere,
    );
    assert.deepEqual([meta.verdict, meta.exit_code], ["fail", 1], mode);
    assert.equal(meta.notes[0], note);
  }
});

Deno.test("summarise fails a load run in which no iteration passed, unless its threshold on error_rate holds", () => {
  const table: [
    string[],
    failed: number,
    throttled: number,
    verdict: string,
  ][] = [
    [[], 8, 0, "fail"],
    [[], 7, 8, "fail"],
    [[], 7, 0, "pass"],
    [["max(latency) < 1h"], 8, 0, "fail"],
    [["login: error_rate <= 100%"], 8, 0, "fail"],
    [["error_rate <= 100%"], 8, 0, "pass"],
    [["error_rate < 100%"], 8, 0, "fail"],
  ];
  for (const [thresholds, failed, throttled, verdict] of table) {
    const meta = summarise(
      { ...FACTS, thresholds: thresholds.map((text) => parseThreshold(text)) },
      totalsOf([1], { iterations: iterationsOf(8, { failed, throttled }) }),
      ENDING,
      nowhere,
    );
    const says = `${thresholds} ${failed} failed, ${throttled} throttled`;
    assert.equal(meta.verdict, verdict, says);
    assert.equal(
      /^no iteration passed/.test(meta.notes[0] ?? ""),
      verdict === "fail" && thresholds[0] !== "error_rate < 100%",
      says,
    );
  }
});

Deno.test("summarise fails an integration run with one failed row", () => {
  const totals = totalsOf([1], { iterations: iterationsOf(8, { failed: 1 }) });
  const meta = summarise(
    { ...FACTS, mode: "integration" },
    totals,
    ENDING,
    nowhere,
  );
  assert.deepEqual([meta.verdict, meta.exit_code], ["fail", 1]);
  assert.deepEqual(meta.rows, []);
});

const ENDINGS = [
  [
    "an aborted run failed",
    { status: "aborted", abort_reason: "step `pay` failed" },
    "fail",
    1,
  ],
  ["an errored run exits 3", { status: "errored" }, "fail", 3],
  [
    "an interrupted run exits by its signal",
    { status: "interrupted", signal: "SIGTERM" },
    "pass",
    143,
  ],
] as const;

for (const [rule, ending, verdict, code] of ENDINGS) {
  Deno.test(`summarise: ${rule}`, () => {
    const meta = summarise(
      FACTS,
      totalsOf([1]),
      { ...ENDING, ...ending },
      nowhere,
    );
    assert.deepEqual([meta.status, meta.verdict, meta.exit_code], [
      ending.status,
      verdict,
      code,
    ]);
  });
}

Deno.test("summarise: latencies without a sample are null, and not 0", () => {
  const steps = [stepTotalsOf([])];
  const meta = summarise(FACTS, totalsOf([], { steps }), ENDING, nowhere);
  const [step] = meta.steps;
  for (
    const latency of [meta.latency, step!.latency, step!.throttled_latency]
  ) {
    assert.deepEqual(Object.values(latency), Array(7).fill(null));
  }
});

Deno.test("summarise locates a failure by its pointer", () => {
  const failures = ["/steps/0/assert/1", "/steps/0"].map((pointer) => ({
    key: pointer,
    step: "login",
    outcome: "failed" as const,
    code: "status",
    message: "no",
    count: 1,
    pointer,
    iteration: 3,
  }));
  const locations = new Map([["/steps/0/assert/1", 14], ["/steps/0", 9]]);
  const meta = summarise(
    FACTS,
    totalsOf([1], { failures }),
    ENDING,
    (pointer) => ({
      file: "f.yaml",
      line: locations.get(pointer)!,
      column: 7,
    }),
  );
  assert.deepEqual(meta.failures.map(({ step, line }) => [step, line]), [[
    "login",
    14,
  ], ["login", 9]]);
});

Deno.test("summarise notes what is counted in no rate and what is in no group", () => {
  const totals = totalsOf([1], {
    iterations: iterationsOf(1, { interrupted: 1 }),
    otherFailures: 12,
  });
  assert.deepEqual(
    summarise(FACTS, totals, { ...ENDING, notes: ["first"] }, nowhere).notes,
    [
      "first",
      "1 iteration stopped before the end; counted in no rate",
      "12 more failures of other causes",
    ],
  );
});

Deno.test("summarise: the failures of a run are in the groups it names, or in the note of the others", () => {
  const failures = Array.from({ length: 60 }, (_, index) => ({
    key: `${index}`,
    step: "login",
    outcome: "failed" as const,
    code: "status",
    message: "no",
    count: 60 - index,
    pointer: "/steps/0",
    iteration: index,
  }));
  const meta = summarise(
    FACTS,
    totalsOf([1], { failures, otherFailures: 1_000 }),
    ENDING,
    nowhere,
  );
  const named = meta.failures.reduce((all, { count }) => all + count, 0);
  assert.equal(named, 60 * 61 / 2 - 55);
  assert.deepEqual(meta.notes, ["1,055 more failures of other causes"]);
});

Deno.test("summarise ends a run its duration after its start, whatever the clock on the wall says", () => {
  const ending = { ...ENDING, durationMs: 1_500.4 };
  const meta = summarise(FACTS, totalsOf([1]), ending, nowhere);
  assert.equal(meta.started_at, "2026-11-20T18:02:11.000Z");
  assert.equal(meta.ended_at, "2026-11-20T18:02:12.500Z");
  assert.equal(meta.duration_ms, 1_500.4);
});

Deno.test("runningMeta has no verdict yet", () => {
  const { status, verdict, exit_code, ended_at, started_at } = runningMeta(
    FACTS,
  );
  assert.deepEqual([status, verdict, exit_code, ended_at], [
    "running",
    null,
    null,
    null,
  ]);
  assert.equal(started_at, "2026-11-20T18:02:11.000Z");
});
