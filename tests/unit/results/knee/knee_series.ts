import type { AgentSample } from "../../../../lib/model/result/agent.ts";
import type { Distribution } from "../../../../lib/model/metrics.ts";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import type { Knee } from "../../../../lib/model/result/run.ts";
import { findKnee } from "../../../../lib/results/knee/knee.ts";
import type { KneeSecond } from "../../../../lib/results/knee/windows.ts";
import { distributionOf } from "../report/totals.ts";

/** One second of a made-up run; all of its latencies are one value. */
export interface MadeSecond extends KneeSecond {
  /** Milliseconds. */
  readonly latency: number;
}

/** What is said of a second; the rest is as in a healthy one. */
export interface SecondFacts {
  readonly vus?: number;
  readonly completed?: number;
  readonly started?: number;
  readonly failed?: number;
  readonly throttled?: number;
  readonly latency?: number;
}

/** A healthy second: `vus` users, ten iterations each, 10 ms. */
export function second(t: number, facts: SecondFacts = {}): MadeSecond {
  const vus = facts.vus ?? t + 1;
  const completed = facts.completed ?? Math.max(20, vus * 10);
  return {
    t,
    vus,
    started: facts.started ?? completed,
    completed,
    iterations_failed: facts.failed ?? 0,
    iterations_throttled: facts.throttled ?? 0,
    bytes_received: completed * 1_000,
    latency: facts.latency ?? 10,
  };
}

/** A ramp of one user a second, with what differs by second. */
export function ramp(
  length: number,
  facts: (t: number) => SecondFacts = () => ({}),
): MadeSecond[] {
  return Array.from({ length }, (_, t) => second(t, facts(t)));
}

/** The latencies of made-up seconds, exactly. */
export function latencyOf(seconds: readonly MadeSecond[]): Distribution {
  return distributionOf(
    seconds.flatMap(({ completed, latency }) =>
      Array.from({ length: completed }, () => latency)
    ),
  );
}

/** What the machine was doing in a second; shares of two cores and 1,000 bytes. */
export interface MachineFacts {
  readonly cpu?: number;
  readonly memory?: number;
  /** Per core. */
  readonly load?: number;
}

/** One sample a second, from the start on, with counters that add up. */
export function machine(
  length: number,
  facts: (t: number) => MachineFacts,
): AgentSample[] {
  let busy = 100;
  return Array.from({ length: length + 1 }, (_, t) => {
    const { cpu = 0.1, memory = 0.3, load = 0.1 } = facts(Math.max(0, t - 1));
    if (t > 0) busy += cpu * 2;
    return {
      t_ms: t * 1_000,
      ts_ms: 1_795_000_000_000 + t * 1_000,
      cpu_seconds_total: busy,
      cpu_cores: 2,
      mem_used_bytes: memory * 1_000,
      mem_total_bytes: 1_000,
      net_rx_bytes_total: t * 100,
      net_tx_bytes_total: t * 50,
      open_fds: 700,
      load1: load * 2,
    };
  });
}

/** The knee of a made-up run that broke these thresholds as a whole. */
export function kneeOf(
  seconds: readonly MadeSecond[],
  samples: readonly AgentSample[] = [],
  thresholds: readonly string[] = ["p95(latency) < 100ms"],
): Knee {
  const breached = thresholds.map((text) => parseThreshold(text));
  return findKnee({ breached, seconds, latencyOf, samples });
}

/** What a run is like that is slow from its twelfth second on. */
export const SLOW_FROM_12 = (t: number): SecondFacts =>
  t >= 12 ? { latency: 300 } : {};

/** What a machine is like in which something changes at that moment. */
export function from12(facts: MachineFacts): (t: number) => MachineFacts {
  return (t) => t >= 12 ? facts : {};
}
