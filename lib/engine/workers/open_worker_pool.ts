import { isFunctional } from "../../model/mode.ts";
import { ownVus } from "../plan/budget.ts";
import {
  AllTraces,
  SampledTraces,
  sampleRank,
} from "../../results/traces/traces.ts";
import { wholeRunMemory } from "../limiter/limiter.ts";
import { PreciseClock } from "../../base/time/precise_clock.ts";
import { TimerThread } from "../../base/time/timer_thread.ts";
import {
  mainThreadServesEvenly,
  MOST_A_TURN,
} from "../../base/process/socket_turns.ts";
import type { RunTask } from "../vu/job.ts";
import type { PoolTools, WorkerPool } from "./worker_pool.ts";
import { HeldBack, mainTokens } from "./main_tokens.ts";
import { LocalWorkerPool } from "./local_worker_pool.ts";
import { ThreadPool } from "./thread_pool.ts";

/**
 * The worker pool of a run: this thread in integration and system modes, which
 * keep every trace, and for a single worker, unless it has more connections than
 * this thread serves evenly; otherwise worker threads.
 */
export function openWorkerPool(task: RunTask, tools: PoolTools): WorkerPool {
  if (isFunctional(task.plan.mode)) {
    const traces = new AllTraces(tools.writeTrace, tools.everyTrace);
    return new LocalWorkerPool(task, { ...tools, traces });
  }
  const { clock, workers, tokens } = tools;
  const { memory = wholeRunMemory(task.plan) } = tools;
  // A worker without a VU would only cost memory.
  const vus = ownVus(task.plan);
  const useful = Math.max(1, Math.min(workers, vus));
  // Due times are what a load run is about; elsewhere no thread is worth it.
  const timer = clock.coarse ? new TimerThread(useful) : undefined;
  if (useful === 1 && (vus <= MOST_A_TURN || mainThreadServesEvenly())) {
    return new LocalWorkerPool(task, {
      ...tools,
      clock: timer ? new PreciseClock(clock, timer.memory, 0) : clock,
      ...(timer && { timer }),
      traces: new SampledTraces(sampleRank(task.plan.seed)),
      memory,
    });
  }
  const main = tokens
    ? { tokens, held: new HeldBack(), close() {} }
    : mainTokens(task, memory, tools);
  return new ThreadPool(task, {
    ...tools,
    memory,
    held: main.held,
    tokens: main.tokens,
    timer: timer?.memory,
    workers: useful,
    close() {
      main.close();
      timer?.close();
    },
  });
}
