import { isFunctional } from "../../model/mode.ts";
import { vusIn, WHOLE } from "../plan/shard.ts";
import {
  AllTraces,
  SampledTraces,
  sampleRank,
} from "../../results/traces/traces.ts";
import type { CountedRow } from "../../model/result/totals.ts";
import type { Trace } from "../../model/result/trace.ts";
import { fetchTokens } from "../vu/job.ts";
import { wholeRunMemory } from "../limiter/shared_memory.ts";
import { tokenLimiter } from "../limiter/token_limiter.ts";
import type { Stop } from "../vu/stop.ts";
import type { Clock } from "../../base/time/clock.ts";
import { PreciseClock } from "../../base/time/precise_clock.ts";
import { TimerThread } from "../../base/time/timer_thread.ts";
import { AllowList } from "../../wire/net/allow_list.ts";
import { Network } from "../../wire/net/network.ts";
import { parseBaseUrl } from "../../wire/net/url.ts";
import type { RunTask, WorkerPool } from "./worker_pool.ts";
import { HeldBack } from "./held_back.ts";
import { LocalWorkerPool } from "./local_worker_pool.ts";
import { ThreadPool } from "./thread_pool.ts";

/** What a run gives its worker pool. */
export interface PoolTools {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly registerSecret: (value: string) => void;
  /**
   * Takes the trace of an iteration at once; returns how many bytes it took.
   *
   * @param keep whether it is stored
   */
  readonly writeTrace: (trace: Trace, keep: boolean) => number;
  /** Also for traces that are not stored. */
  readonly everyTrace?: boolean;
  /** Takes each row that is not remembered, of a run that reports them. */
  readonly writeRow: (row: CountedRow) => void;
  /** Threads of a load-family run. */
  readonly workers: number;
}

/**
 * The worker pool of a run: this thread in integration and system modes, which
 * keep every trace, and for a single worker; otherwise worker threads.
 */
export function openWorkerPool(task: RunTask, tools: PoolTools): WorkerPool {
  if (isFunctional(task.plan.mode)) {
    const traces = new AllTraces(tools.writeTrace, tools.everyTrace);
    return new LocalWorkerPool(task, { ...tools, traces });
  }
  const { clock, stop, registerSecret, workers } = tools;
  // A worker without a VU would only cost memory.
  const vus = vusIn(task.plan.shard ?? WHOLE, task.plan.peakVus);
  const useful = Math.max(1, Math.min(workers, vus));
  // Due times are what a load run is about; elsewhere no thread is worth it.
  const timer = clock.coarse ? new TimerThread(useful) : undefined;
  if (useful === 1) {
    return new LocalWorkerPool(task, {
      clock: timer ? new PreciseClock(clock, timer.memory, 0) : clock,
      ...(timer && { timer }),
      stop,
      traces: new SampledTraces(sampleRank(task.plan.seed)),
      registerSecret,
    });
  }
  const bases = task.baseUrls.map(parseBaseUrl);
  const network = new Network({
    allowList: new AllowList(bases),
    tls: task.tls,
    clock,
    route: task.route,
  });
  const memory = wholeRunMemory(task.plan.iterations);
  const held = new HeldBack();
  const closed = new AbortController();
  const tokens = fetchTokens({
    base: bases[0]!,
    clock,
    network,
    plan: task.plan,
    limiter: tokenLimiter(task.plan, memory, clock, held),
    registerSecret,
    userAgent: task.userAgent,
    signal: AbortSignal.any([stop.signal, closed.signal]),
  });
  return new ThreadPool(task, {
    clock,
    stop,
    registerSecret,
    tokens,
    memory,
    held,
    timer: timer?.memory,
    workers: useful,
    close() {
      closed.abort();
      network.close();
      timer?.close();
    },
  });
}
