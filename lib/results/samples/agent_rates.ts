import type { AgentSample } from "../../model/result/agent.ts";

/**
 * A target's machine around one moment of the run. What neither a sample nor
 * the difference from the one before it shows is absent.
 */
export interface AgentPoint {
  /** The span of the rates, in milliseconds since the run started; `tMs` where there are none. */
  readonly fromMs: number;
  /** When the sample was taken, likewise. */
  readonly tMs: number;
  /** Share of all cores, 0 to 1. */
  readonly cpu?: number;
  /** Share of all memory, 0 to 1. */
  readonly memory?: number;
  /** Load average of the last minute, per core. */
  readonly load?: number;
  /** Bytes a second. */
  readonly received?: number;
  readonly sent?: number;
  readonly openFiles?: number;
}

/** Samples further apart than this, four lost scrapes, have a gap between them. */
const GAP_MS = 5_500;

/** Closer ones would make large rates out of small errors of timing. */
const LEAST_MS = 100;

/**
 * One point per sample. Rates come from subtracting adjacent samples, also where a
 * few scrapes between them were lost: the counters are cumulative. There is none
 * across a longer gap, which would smooth out what happened in it, nor where a
 * counter decreased because the machine or the agent was restarted.
 */
export function agentRates(samples: readonly AgentSample[]): AgentPoint[] {
  return samples.map((sample, index) => {
    const before = samples[index - 1];
    const spanMs = before && spanOf(before, sample);
    return {
      tMs: sample.t_ms,
      fromMs: spanMs === undefined ? sample.t_ms : before!.t_ms,
      ...gauges(sample),
      ...(spanMs !== undefined && rates(before!, sample, spanMs / 1_000)),
    };
  });
}

/**
 * The agent's own clock is the exact one, as responses take time; but it
 * may be set while the run goes on, which the run's clock never is.
 */
function spanOf(before: AgentSample, after: AgentSample): number | undefined {
  const here = after.t_ms - before.t_ms;
  const there = after.ts_ms - before.ts_ms;
  const span = there > 0 && Math.abs(there - here) <= 1_000 ? there : here;
  return here <= GAP_MS && span >= LEAST_MS ? span : undefined;
}

function gauges(sample: AgentSample) {
  const { mem_used_bytes, mem_total_bytes, load1 } = sample;
  const cores = coresOf(sample);
  return {
    ...(mem_used_bytes !== null && mem_total_bytes && {
      memory: share(mem_used_bytes / mem_total_bytes),
    }),
    ...(load1 !== null && cores && { load: load1 / cores }),
    ...(sample.open_fds !== null && { openFiles: sample.open_fds }),
  };
}

function rates(before: AgentSample, after: AgentSample, seconds: number) {
  const grown = (
    key: "cpu_seconds_total" | "net_rx_bytes_total" | "net_tx_bytes_total",
  ) => {
    const [from, to] = [before[key], after[key]];
    return from === null || to === null || to < from ? undefined : to - from;
  };
  const cpu = grown("cpu_seconds_total");
  const received = grown("net_rx_bytes_total");
  const sent = grown("net_tx_bytes_total");
  const cores = coresOf(after);
  return {
    ...(cpu !== undefined && cores && cores === before.cpu_cores && {
      cpu: share(cpu / seconds / cores),
    }),
    ...(received !== undefined && { received: received / seconds }),
    ...(sent !== undefined && { sent: sent / seconds }),
  };
}

/** A machine with less than one core is an error of its agent. */
function coresOf({ cpu_cores }: AgentSample): number | undefined {
  return cpu_cores !== null && cpu_cores >= 1 ? cpu_cores : undefined;
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
