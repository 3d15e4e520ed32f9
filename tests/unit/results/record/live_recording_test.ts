import { deepEqual, deepStrictEqual, equal, ok } from "node:assert/strict";
import {
  LiveRecording,
  mergeProgress,
} from "../../../../lib/results/record/live_recording.ts";
import { mergeSnapshots } from "../../../../lib/results/record/snapshot.ts";
import { Recorder } from "../../../../lib/results/record/recorder.ts";
import {
  SampledTraces,
  sampleRank,
} from "../../../../lib/results/traces/traces.ts";
import { failedIteration, IDS, iterationOf } from "./fixtures.ts";
import { NO_ITERATIONS } from "../../../../lib/model/result/totals.ts";

const recorder = () =>
  new Recorder({
    start: 0,
    steps: [{ id: "login", kind: "call" }],
    ids: IDS,
    traces: new SampledTraces(sampleRank(1)),
    rows: false,
  });

/** Asks every recorder for what is missed, as threads are asked. */
function ask(live: LiveRecording, recorders: readonly Recorder[], at: number) {
  const missed = live.missed();
  return live.add(
    recorders.map((each) => structuredClone(each.increment(at, missed))),
  );
}

Deno.test("LiveRecording: each whole second and each kept trace comes once, from all recorders together", () => {
  const live = new LiveRecording();
  const both = [recorder(), recorder()];
  both.forEach((each, n) => {
    each.sample(0, "passed", 100, 10, 10, 1, 2);
    each.iteration(iterationOf({ iteration: n }));
  });
  deepEqual(ask(live, both, 900).seconds, []);
  both[0]!.sample(0, "failed", 1_200, 20, 20, 1, 2);
  both[0]!.iteration(failedIteration(2, "no"));
  const news = ask(live, both, 2_500);
  deepEqual(
    news.seconds.map(({ t, passed, failed }) => [t, passed, failed]),
    [[0, 2, 0], [1, 0, 1]],
  );
  deepEqual(news.traces.map(({ iteration }) => iteration), [2]);
  deepEqual(ask(live, both, 2_600), { seconds: [], traces: [] });
  deepEqual(ask(live, both, 3_100).seconds.map(({ t }) => t), [2]);
});

Deno.test("LiveRecording: a second waits for the recorder that has not closed it", () => {
  const live = new LiveRecording();
  const [quick, slow] = [recorder(), recorder()];
  const missed = live.missed();
  const late = live.add([
    quick.increment(3_000, missed),
    slow.increment(1_000, missed),
  ]);
  deepEqual(late.seconds.map(({ t }) => t), [0]);
  deepEqual(ask(live, [quick, slow], 3_000).seconds.map(({ t }) => t), [1, 2]);
});

Deno.test("LiveRecording: totals have counts of now, failures with a trace, and the last latencies", async () => {
  const live = new LiveRecording();
  equal(live.totals(), undefined);
  const it = recorder();
  it.sample(0, "passed", 10, 10, 10, 1, 2);
  it.iteration(failedIteration(0, "no"));
  // Latencies come with the second call, and for a while every fifth after it.
  ask(live, [it], 1_000);
  equal(await live.histograms(["login"]), undefined);
  ask(live, [it], 2_000);
  ok(await live.histograms(["login"]));
  it.sample(0, "passed", 2_100, 30, 30, 1, 2);
  ask(live, [it], 3_000);
  const { latencies, steps, failures, iterations } = live.totals()!;
  deepEqual([latencies.response.count, steps[0]!.requests], [1, 2]);
  equal(iterations.failed, 1);
  ok(failures[0]!.trace_id);
});

Deno.test("LiveRecording: figures are all of the moment that the latencies are of", () => {
  const live = new LiveRecording();
  const both = [recorder(), recorder()];
  const finish = (at: number) =>
    both.forEach((each, n) => {
      each.sample(0, "passed", at, 10, 10, 1, 2);
      each.iteration(iterationOf({ iteration: n }));
    });
  const counted = () => {
    const { iterations, steps } = live.figures();
    const [step] = steps;
    const { passed } = step?.attempts ?? {};
    return [iterations.completed, passed, step?.durations[0]?.count];
  };
  for (let second = 1; second < 9; second++) {
    finish(second * 1_000 - 500);
    ask(live, both, second * 1_000);
    const [iterations, attempts = 0, latencies = 0] = counted();
    equal(latencies, iterations);
    equal(attempts, live.figures().steps.length && iterations);
  }
  const missed = live.missed(true);
  live.add(both.map((each) => each.increment(9_000, missed)));
  deepEqual(counted()[2], 16);
});

Deno.test("LiveRecording: latencies of 16 threads are put together when they come, not whenever they are read", () => {
  const live = new LiveRecording();
  const all = Array.from({ length: 16 }, recorder);
  all.forEach((each, n) => {
    each.sample(0, "passed", 100, 10 + n, 20 + n, 1, 2);
    each.sample(0, "throttled", 100, 5, 5, 1, 2);
  });
  const missed = live.missed(true);
  live.add(all.map((each) => structuredClone(each.increment(900, missed))));
  const [step, ...others] = live.latencies();
  deepEqual([step!.response!.count, others.length], [16, 0]);
  const expected = mergeSnapshots(all.map((each) => each.snapshot()));
  const totals = live.totals()!;
  equal(JSON.stringify(totals), JSON.stringify(expected.totals));
  const p90 = ({ latencies }: typeof totals) =>
    latencies.response.percentile(90);
  equal(p90(totals), p90(expected.totals));
});

Deno.test("mergeProgress(): threads that have reported nothing yet are a run without figures", () => {
  deepStrictEqual(mergeProgress([], 1_000, 0.5), {
    lateMs: 0,
    elapsedMs: 1_000,
    done: 0.5,
    iterations: NO_ITERATIONS,
    requests: 0,
    perSecond: undefined,
    p95Ms: 0,
    vus: 0,
  });
});
