import assert from "node:assert/strict";
import { Recorder } from "../../../../lib/results/record/recorder.ts";
import { seriesOf } from "../../../../lib/results/record/series.ts";
import { mergeSnapshots } from "../../../../lib/results/record/snapshot.ts";
import {
  AllTraces,
  SampledTraces,
  sampleRank,
} from "../../../../lib/results/traces/traces.ts";
import {
  attemptOf,
  failedIteration,
  IDS,
  iterationOf,
  stepOf,
} from "./fixtures.ts";

const STEPS = [{ id: "login", kind: "call" }, { id: "pause", kind: "wait" }];

function recorder(rows = false): Recorder {
  const traces = rows
    ? new AllTraces(() => 1)
    : new SampledTraces(sampleRank(1));
  return new Recorder({ start: 0, steps: STEPS, ids: IDS, traces, rows });
}

function totalsOf(...recorders: Recorder[]) {
  return mergeSnapshots(
    recorders.map((each) => structuredClone(each.snapshot())),
  ).totals;
}

Deno.test("Recorder counts an iteration that is failed and throttled in both", () => {
  const it = recorder();
  it.iteration(iterationOf());
  it.iteration(iterationOf({ failed: true, throttled: true }));
  it.iteration(iterationOf({ throttled: true }));
  const { completed, passed, failed, throttled } = totalsOf(it).iterations;
  assert.deepEqual([completed, passed, failed, throttled], [3, 1, 1, 2]);
});

Deno.test("Recorder keeps a step that was cut off out of everything but the starts", () => {
  const it = recorder();
  it.started(0, 0);
  it.bytes(0, 5, 70, 0, 1);
  const [step] = failedIteration(0, "stopped").steps;
  const steps = [{ ...step!, cutOff: true as const }];
  it.iteration(failedIteration(0, "", { interrupted: true, steps }));
  const totals = totalsOf(it);
  assert.deepEqual(totals.iterations, {
    started: 1,
    completed: 0,
    passed: 0,
    failed: 0,
    throttled: 0,
    interrupted: 1,
  });
  assert.deepEqual([
    totals.failures,
    totals.steps[0]!.failed,
    totals.steps[0]!.attempts.failed,
    totals.steps[0]!.executions,
    totals.steps[0]!.requests,
    it.progress(5).requests,
  ], [[], 0, 0, 1, 1, 1]);
});

Deno.test("Recorder counts what ended before its iteration was cut off, as the seconds do", () => {
  const it = recorder();
  it.started(0, 0);
  it.sample(0, "failed", 1, 1, 1, 10, 20);
  it.sample(1, "throttled", 2, 1, 1, 10, 20);
  const throttled = attemptOf({ outcome: "throttled", sampled: true });
  it.iteration(iterationOf({
    interrupted: true,
    failed: true,
    steps: [
      ...failedIteration(0, "wrong").steps
        .map((each) => ({
          ...each,
          attempts: [attemptOf({ outcome: "failed" })],
        })),
      stepOf({ step: 1, cutOff: true, attempts: [throttled, attemptOf()] }),
    ],
  }));
  const { steps, failures, iterations } = totalsOf(it);
  assert.deepEqual(
    steps.map(({ executions, passed, failed, throttled, attempts }) => [
      ...[executions, passed, throttled, failed],
      attempts,
    ]),
    [
      [1, 0, 0, 1, { passed: 0, throttled: 0, failed: 1 }],
      [1, 0, 0, 0, { passed: 0, throttled: 1, failed: 0 }],
    ],
  );
  assert.deepEqual(failures.map(({ count, step }) => [count, step]), [[
    1,
    "login",
  ]]);
  assert.equal(iterations.completed, 0);
  const [second] = it.snapshot().seconds;
  assert.deepEqual([second!.failed, second!.throttled], [1, 1]);
});

Deno.test("Recorder keeps throttled latencies apart", () => {
  const it = recorder();
  it.sample(0, "passed", 1, 100, 100, 0, 0);
  for (let i = 0; i < 9; i++) it.sample(0, "throttled", 1, 1, 1, 0, 0);
  const { service, throttled } = totalsOf(it).steps[0]!.latencies;
  assert.deepEqual([service.count, service.percentile(50)], [1, 100]);
  assert.deepEqual([throttled.count, throttled.percentile(50)], [9, 1]);
});

Deno.test("Recorder distinguishes response time from service time once they differ", () => {
  const it = recorder();
  it.sample(0, "passed", 1, 10, 10, 0, 0);
  it.sample(0, "passed", 1, 10, 500, 0, 0);
  const { service, response } = totalsOf(it).latencies;
  assert.deepEqual([service.count, service.max], [2, 10]);
  assert.deepEqual([response.count, response.min, response.max], [2, 10, 500]);
});

Deno.test("Recorder counts requests by samples, executions and classes by iterations", () => {
  const it = recorder();
  it.sample(0, "throttled", 1, 1, 1, 10, 20);
  it.sample(0, "passed", 2, 1, 1, 10, 20);
  const attempts = [attemptOf({ outcome: "throttled" }), attemptOf()];
  it.iteration(
    iterationOf({
      steps: [stepOf({ attempts }), stepOf({ step: 1, attempts: [] })],
    }),
  );
  const { steps, requests } = totalsOf(it);
  assert.equal(requests, 2);
  const { latencies: _, ...login } = steps[0]!;
  assert.deepEqual(login, {
    executions: 1,
    requests: 2,
    passed: 1,
    throttled: 0,
    failed: 0,
    attempts: { passed: 1, throttled: 1, failed: 0 },
    repeated: { passed: 0, throttled: 1, failed: 0 },
    bytes_sent: 20,
    bytes_received: 40,
    checks: [],
    http_versions: [],
    phases: {},
  });
  assert.deepEqual([steps[1]!.executions, steps[1]!.requests], [1, 0]);
});

Deno.test("mergeSnapshots of two threads is what one thread would have recorded", () => {
  const whole = recorder();
  const halves = [recorder(), recorder()] as const;
  for (let i = 0; i < 40; i++) {
    for (const each of [whole, halves[i % 2]!]) {
      each.started(i * 100, i);
      each.sample(
        0,
        i % 5 ? "passed" : "failed",
        i * 100,
        i + 1,
        2 * i + 1,
        1,
        1,
      );
      each.iteration(
        i % 5
          ? iterationOf({ iteration: i, startedAt: i * 100 })
          : failedIteration(i, `${i} is wrong`),
      );
    }
  }
  const [one, two] = [totalsOf(whole), totalsOf(...halves)];
  assert.deepEqual(two.iterations, one.iterations);
  for (const p of [1, 50, 99, 100]) {
    assert.equal(
      two.latencies.response.percentile(p),
      one.latencies.response.percentile(p),
    );
  }
  assert.deepEqual(two.failures, one.failures);
  assert.equal(one.failures[0]!.varies, true);
});

Deno.test("mergeSnapshots points a failure group at a kept trace of its own", () => {
  const it = recorder();
  it.iteration(failedIteration(3, "wrong", { row: 2 }));
  const { totals, traces } = mergeSnapshots([it.snapshot()]);
  assert.equal(totals.failures[0]!.trace_id, traces.failures[0]!.item.trace_id);
  assert.equal(totals.failures[0]!.row, 2);
});

Deno.test("mergeSnapshots points a group that is never the cause at a kept trace that shows it", () => {
  const it = recorder();
  for (let i = 0; i < 1_000; i++) {
    const cause = failedIteration(i, "wrong");
    const other = failedIteration(i, "late").steps.map((each) => (
      { ...each, step: 1, startedAt: 10, endedAt: 20 }
    ));
    const steps = i < 500 ? cause.steps : [...cause.steps, ...other];
    it.iteration({ ...cause, steps });
  }
  const { totals, traces } = mergeSnapshots([it.snapshot()]);
  const group = totals.failures.find(({ step }) => step === "pause")!;
  const kept = traces.sample.find(({ item }) =>
    item.trace_id === group.trace_id
  );
  assert.ok(
    kept?.item.spans.some(({ failure }) => failure?.message === "late"),
  );
});

Deno.test("Recorder reports rows one by one when it is asked to", () => {
  const it = recorder(true);
  it.iteration(failedIteration(1, "took 7ms", { row: 1 }));
  it.iteration(iterationOf({ iteration: 0, row: 0 }));
  const { rows } = totalsOf(it);
  assert.deepEqual(
    rows.map((
      { row, outcome, duration_ms, failures },
    ) => [row, outcome, duration_ms, failures[0]?.message]),
    [[0, "passed", 10, undefined], [1, "failed", 10, "took 7ms"]],
  );
  assert.equal(rows[1]!.trace_id, rows[1]!.failures[0]!.trace_id);
});

Deno.test("Recorder keeps everything that is wrong with a row, 20 of it at the most", () => {
  const it = recorder(true);
  const failures = Array.from({ length: 30 }, (_, index) => ({
    code: "assertion",
    message: `check ${index}`,
    pointer: `/steps/0/assert/${index}`,
  }));
  const checks = failures.map((failure, index) => ({
    kind: "assert" as const,
    name: String(index),
    startedAt: NaN,
    endedAt: NaN,
    failure,
  }));
  const outcome = "failed";
  const shown = failures[1]!;
  it.iteration(iterationOf({
    failed: true,
    steps: [
      stepOf({ outcome, failure: shown, checks }),
      stepOf({ step: 1, outcome, failure: { code: "dns", message: "no" } }),
    ],
  }));
  const [row] = totalsOf(it).rows;
  assert.deepEqual(
    row!.failures.map(({ message }) => message).slice(0, 4),
    ["check 1", "check 0", "check 2", "check 3"],
  );
  assert.deepEqual([row!.failures.length, row!.other_failures], [20, 11]);
});

Deno.test("Recorder remembers 200 passed rows and counts the rest", () => {
  const it = recorder(true);
  for (let i = 0; i < 250; i++) it.iteration(iterationOf({ iteration: i }));
  assert.deepEqual([totalsOf(it).rows.length, totalsOf(it).otherRows], [
    200,
    50,
  ]);
});

Deno.test("mergeSnapshots encodes a histogram set for every step", async () => {
  const it = recorder();
  it.sample(0, "passed", 1, 10, 10, 0, 0);
  const { overall, steps } = await mergeSnapshots([it.snapshot()]).histograms([
    "login",
    "pause",
  ]);
  const [login, pause] = [...steps];
  assert.deepEqual([login![0], pause![0]], ["login", "pause"]);
  assert.equal(overall.service, login![1].response);
  assert.notEqual(overall.service, pause![1].service);
});

Deno.test("Recorder counts an attempt without a response, which has no latency", () => {
  const it = recorder();
  it.sample(0, "failed", 1, NaN, NaN, 0, 0);
  it.sample(0, "passed", 2, 10, 10, 5, 5);
  const { totals, seconds } = mergeSnapshots([it.snapshot()]);
  const { response, service } = totals.latencies;
  assert.deepEqual([response.count, service.count, response.min], [1, 1, 10]);
  const [point] = seriesOf(seconds).points;
  assert.deepEqual([point!.passed, point!.failed], [1, 1]);
  assert.equal(point!.buckets.length, 1);
});
