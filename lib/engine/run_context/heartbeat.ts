import { sum } from "../../base/values/sum.ts";
import {
  mergeLatencies,
  stretchesOf,
} from "../../results/histograms/latencies.ts";
import { wholeStretches } from "../../results/histograms/latency_stretches.ts";
import {
  type LiveNews,
  LiveRecording,
  mergeProgress,
} from "../../results/record/live_recording.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import { StoreError } from "../../results/store/layout.ts";
import { PAUSE_MS } from "../workers/worker_pool.ts";
import type { RunContext, RunSecond } from "./run_context.ts";

/** The once-a-second work of a run. */
interface Heartbeat {
  /** Rejects when it breaks; never resolves. */
  readonly failure: Promise<never>;
  end(): Promise<void>;
}

/** Once a second every listener gets what was recorded. */
export function startHeartbeat(run: RunContext): Heartbeat {
  const { clock } = run.options;
  const recording = new LiveRecording();
  const over = new AbortController();
  const pause = () => clock.sleep(PAUSE_MS, over.signal);
  const ticking = (async () => {
    for (;;) {
      await clock.sleep(run.cost.sleepFor(1_000), over.signal);
      if (over.signal.aborted) return;
      // The first requests do not wait for a report on the warm-up.
      if (run.cost.begins()) continue;
      await hear(run, await secondOf(run, recording, pause));
    }
  })();
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const ended = ticking.catch(reject);
  failure.catch(() => {});
  return {
    failure,
    end() {
      over.abort();
      return ended;
    },
  };
}

async function hear(
  { listeners }: RunContext,
  second: RunSecond,
): Promise<void> {
  for (const each of listeners) {
    if (!each.second) continue;
    await second.pause();
    try {
      await each.second(second);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
}

const NO_NEWS: LiveNews = { seconds: [], traces: [] };

async function secondOf(
  run: RunContext,
  recording: LiveRecording,
  pause: RunSecond["pause"],
): Promise<RunSecond> {
  const { workers, writer, listeners, options: { clock, stop } } = run;
  const cpuRatio = run.cost.tick() / navigator.hardwareConcurrency;
  const elapsedMs = clock.now() - run.startedAt;
  const parts = workers.progress();
  const progress = mergeProgress(parts, elapsedMs, doneOf(run, elapsedMs));
  await pause();
  const whole = listeners.some((each) => each.wantsLatencies?.(elapsedMs));
  const news = whole || writer.dir !== undefined
    ? recording.add(await workers.increments(recording.missed(whole)))
    : NO_NEWS;
  return {
    ...{ elapsedMs, parts, progress, cpuRatio, stop, recording, news, pause },
    latencies: () => latenciesSoFar(run, recording, elapsedMs),
  };
}

function latenciesSoFar(
  { workers }: RunContext,
  recording: LiveRecording,
  elapsedMs: number,
): LatencyEvidence {
  const others = workers.othersSoFar?.() ?? [];
  const durationMs = Math.min(elapsedMs, ...others.map((each) => each.untilMs));
  const shares = others.flatMap(({ workers }) =>
    workers.map(({ snapshot }) => snapshot)
  );
  const { response } = mergeLatencies([
    ...recording.latencies(),
    ...shares.flatMap(({ steps }) => steps.map((each) => each.latencies)),
  ]);
  const stretches = stretchesOf([recording, ...shares]);
  return {
    latency: response.distribution(),
    blocks: wholeStretches(stretches, durationMs),
    durationMs,
  };
}

/** How much of the planned time or iterations is done, from 0 to 1. */
function doneOf(
  { plan, workers }: RunContext,
  elapsedMs: number,
): number | undefined {
  const done: number[] = [];
  const { endMs, warmUpMs = 0 } = plan;
  if (endMs !== undefined) done.push((elapsedMs + warmUpMs) / endMs);
  if (plan.iterations !== undefined) {
    const completed = sum(
      workers.progress(),
      ({ iterations, warmUp }) =>
        iterations.completed + (warmUp?.completed ?? 0),
    );
    done.push(completed / plan.iterations);
  }
  // Iterations under way at the planned end may take longer.
  return done.length === 0 ? undefined : Math.min(1, Math.max(...done));
}
