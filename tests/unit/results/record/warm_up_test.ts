import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { runClosed } from "../../../../lib/engine/schedule/closed.ts";
import { runOpen } from "../../../../lib/engine/schedule/open.ts";
import { SlotLimiter } from "../../../../lib/engine/limiter/slot_limiter.ts";
import { constant } from "../../../../lib/model/course.ts";
import type {
  IterationResult,
  Sink,
} from "../../../../lib/model/result/iteration.ts";
import { LiveRecording } from "../../../../lib/results/record/live_recording.ts";
import { Recorder } from "../../../../lib/results/record/recorder.ts";
import {
  mergeSnapshots,
  type Recording,
} from "../../../../lib/results/record/snapshot.ts";
import {
  SampledTraces,
  sampleRank,
} from "../../../../lib/results/traces/traces.ts";
import { VuFixture } from "../../engine/vu/vu_fixture.ts";

const WARM_UP_MS = 700;

/** A sink that keeps what it passes on. */
function kept(sink: Sink, results: IterationResult[]): Sink {
  return {
    started: (...all) => sink.started(...all),
    sample: (...all) => sink.sample(...all),
    latency: (...all) => sink.latency(...all),
    unsent: (...all) => sink.unsent(...all),
    bytes: (...all) => sink.bytes(...all),
    iteration(result) {
      results.push(result);
      sink.iteration(result);
    },
  };
}

/** A run with a warm-up, recorded, and every iteration of it. */
async function warmedUp(
  open: boolean,
  latencyMs: (attempt: number) => number,
  statuses: readonly number[],
) {
  const fixture = new VuFixture();
  const start = fixture.startedAt + WARM_UP_MS;
  const recorder = new Recorder({
    ...{ start, warmUpMs: WARM_UP_MS, rows: false, ids: [1, 2, 3, 4] },
    steps: [{ id: "get", kind: "call" }],
    traces: new SampledTraces(sampleRank(1)),
  });
  const all: IterationResult[] = [];
  fixture.listeners = {
    sink: kept(recorder, all),
    warmUp: { untilMs: start, sink: kept(recorder.warmUp!, all) },
  };
  const steps = [fixture.step({ latencyMs, statuses })];
  const plan = { peakVus: 5, endMs: 3_000 };
  if (open) {
    const limiter = new SlotLimiter(fixture.generator);
    const rate = constant(60);
    const run = fixture.load(
      { ...plan, executor: "open", rate },
      steps,
      limiter,
    );
    await fixture.clock.drive(runOpen(run, limiter));
  } else {
    await fixture.clock.drive(runClosed(fixture.load(plan, steps)));
  }
  const live = new LiveRecording();
  live.add([recorder.increment(fixture.clock.now(), live.missed(true))]);
  const recording = mergeSnapshots([recorder.snapshot()]);
  return { all, start, recording, scraped: live.figures() };
}

/** The figures of iterations, from nothing but their results. */
function figuresOf(results: readonly IterationResult[], start: number) {
  const attempts = results.flatMap(({ steps }) =>
    steps.flatMap((step) => step.attempts)
  );
  const seconds: number[] = [];
  for (const { endedAt } of results) {
    const t = Math.floor((endedAt - start) / 1_000);
    seconds[t] = (seconds[t] ?? 0) + 1;
  }
  const latencies = attempts.filter(({ outcome }) => outcome !== "throttled")
    .map(({ response: each }) =>
      Math.round((each!.marks.end - each!.marks.start) * 1_000) / 1_000
    );
  return {
    iterations: [results.length, results.filter(({ failed }) => failed).length],
    requests: attempts.length,
    samples: latencies.length,
    least: Math.min(...latencies),
    most: Math.max(...latencies),
    completed: Array.from(seconds, (count = 0) => count),
  };
}

function recordedFigures({ totals, seconds }: Recording) {
  const { service } = totals.latencies;
  return {
    iterations: [totals.iterations.completed, totals.iterations.failed],
    requests: totals.requests,
    samples: service.count,
    least: service.min,
    most: service.max,
    completed: seconds.map(({ completed }) => completed),
  };
}

Deno.test("a warm-up: what begins in it is in no figure, whenever it ends; the rest is as if there had been none", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.integer({ min: 5, max: 400 }), { minLength: 5 }),
      fc.array(fc.constantFrom(200, 200, 503), { minLength: 1, maxLength: 30 }),
      async (open, latencies, statuses) => {
        const { all, start, recording, scraped } = await warmedUp(
          open,
          (attempt) => latencies[attempt % latencies.length]!,
          statuses,
        );
        const [warm, measured] = [true, false].map((isWarm) =>
          all.filter(({ startedAt }) => startedAt < start === isWarm)
        );
        const independent = figuresOf(measured!, start);
        const recorded = recordedFigures(recording);
        const length = independent.completed.length;
        deepStrictEqual(
          { ...recorded, completed: recorded.completed.slice(0, length) },
          independent,
        );
        equal(scraped.iterations.completed, independent.iterations[0]);
        equal(scraped.steps[0]!.durations[0]!.count, independent.samples);
        const apart = recording.warmUp!;
        const { completed, failed } = apart.iterations;
        const before = figuresOf(warm!, start - WARM_UP_MS);
        deepStrictEqual([completed, failed], before.iterations);
        equal(apart.requests, before.requests);
        // An iteration that reaches out of the warm-up is under way all the same.
        const [first] = recording.seconds;
        const underWay = warm!.filter(({ endedAt }) => endedAt > start).length;
        ok(measured!.length === 0 || first!.vus >= Math.min(underWay, 5));
      },
    ),
    { numRuns: 40 },
  );
});
