import type { ProcessCost } from "../workers/process_cost.ts";
import { plannedMs } from "../plan/ramp.ts";
import { mergeProgress } from "../../results/record/live_recording.ts";
import { StoreError } from "../../results/store/layout.ts";
import { sum } from "../../base/values/sum.ts";
import type { AgentSampling } from "./agent_samples.ts";
import { LiveStore } from "./live_store.ts";
import { shareSoFarOf } from "./stored_share.ts";
import type { RunContext } from "./run_context.ts";

/** The once-a-second work of a run. */
interface Heartbeat {
  /** Rejects when it breaks; never resolves. */
  readonly failure: Promise<never>;
  end(): Promise<void>;
}

/**
 * Once a second: what was recorded reaches the disk, `meta.json` is touched,
 * progress is reported. A store that cannot be written any more ends the run.
 */
export function startHeartbeat(
  run: RunContext,
  agent: AgentSampling,
  cost: ProcessCost,
): Heartbeat {
  const { options: { clock, onProgress, stop }, writer, traces, workers } = run;
  const live = new LiveStore(run, agent);
  const share = shareSoFarOf(run, agent, cost);
  const over = new AbortController();
  const ticking = (async () => {
    for (;;) {
      await clock.sleep(1_000, over.signal);
      if (over.signal.aborted) return;
      const cpu = cost.tick();
      try {
        traces.flush();
        await writer.heartbeat(clock.wall());
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        stop.soft("store_error", error.message);
      }
      const elapsed = clock.now() - run.startedAt;
      const parts = workers.progress();
      run.earlyEnd.note(parts, stop);
      const progress = mergeProgress(
        parts,
        elapsed,
        shareOf(run, elapsed),
      );
      // What a reader misses is no reason to end a run, so a failure here is none.
      const isDue = run.earlyEnd.wantsLatencies(elapsed);
      await live.write(elapsed, isDue || run.metrics !== undefined)
        .catch(storeOnly);
      if (isDue) run.earlyEnd.noteLatencies(live.latencies(elapsed), stop);
      await share?.write().catch(storeOnly);
      run.metrics?.show({
        ...live.figures(),
        vus: progress.vus,
        startLagMs: progress.lateMs,
        cpuRatio: cpu / navigator.hardwareConcurrency,
      });
      onProgress(progress);
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

function storeOnly(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}

function shareOf(
  { plan, workers }: RunContext,
  elapsedMs: number,
): number | undefined {
  const shares: number[] = [];
  const planned = plannedMs(plan);
  if (plan.executor !== "rows" && Number.isFinite(planned)) {
    shares.push(elapsedMs / planned);
  }
  if (plan.iterations !== undefined) {
    const started = sum(workers.progress(), (each) => each.iterations.started);
    shares.push(started / plan.iterations);
  }
  return shares.length === 0 ? undefined : Math.max(...shares);
}
