import { isFunctional } from "../../model/ir/mode.ts";
import {
  AllTraces,
  lotOf,
  SampledTraces,
} from "../../results/traces/traces.ts";
import type { Trace } from "../../model/result/trace.ts";
import { fetchTokens } from "../vu/job.ts";
import { sharedMemory } from "../schedule/shared.ts";
import { tokenGate } from "../schedule/token_gate.ts";
import type { Stop } from "../vu/stop.ts";
import type { Clock } from "../../base/time/clock.ts";
import { AllowList } from "../../wire/net/allow_list.ts";
import { Network } from "../../wire/net/network.ts";
import { parseBaseUrl } from "../../wire/net/url.ts";
import type { Crew, CrewTask } from "./crew.ts";
import { HeldBack } from "./held_back.ts";
import { LocalCrew } from "./local_crew.ts";
import { WorkerCrew } from "./worker_crew.ts";

/** What the run gives its threads. */
export interface HireTools {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly registerSecret: (value: string) => void;
  /**
   * Takes the trace of an iteration at once and says how many bytes it took.
   *
   * @param keep whether it is stored
   */
  readonly writeTrace: (trace: Trace, keep: boolean) => number;
  /** Those that are not stored are wanted too. */
  readonly everyTrace?: boolean;
  /** Threads of a load-family run. */
  readonly workers: number;
}

/**
 * The threads of a run: this one in integration and system modes, which keep
 * every trace, and for a single thread; else workers.
 */
export function hireCrew(task: CrewTask, tools: HireTools): Crew {
  const { clock, stop, registerSecret, workers } = tools;
  if (isFunctional(task.plan.mode)) {
    const { writeTrace, everyTrace } = tools;
    const traces = new AllTraces(writeTrace, everyTrace);
    return new LocalCrew(task, { clock, stop, traces, registerSecret });
  }
  // A worker without a VU would only cost memory.
  const useful = Math.max(1, Math.min(workers, task.plan.peakVus));
  if (useful === 1) {
    const traces = new SampledTraces(lotOf(task.plan.seed));
    return new LocalCrew(task, { clock, stop, traces, registerSecret });
  }
  const bases = task.baseUrls.map(parseBaseUrl);
  const network = new Network({
    allowList: new AllowList(bases),
    tls: task.tls,
    clock,
  });
  const memory = sharedMemory(task.flow.pools?.length ?? 0);
  const held = new HeldBack();
  const closed = new AbortController();
  const tokens = fetchTokens({
    base: bases[0]!,
    clock,
    network,
    plan: task.plan,
    gate: tokenGate(task.plan, memory, clock, held),
    registerSecret,
    userAgent: task.userAgent,
    signal: AbortSignal.any([stop.signal, closed.signal]),
  });
  return new WorkerCrew(task, {
    clock,
    stop,
    registerSecret,
    tokens,
    memory,
    held,
    workers: useful,
    close() {
      closed.abort();
      network.close();
    },
  });
}
