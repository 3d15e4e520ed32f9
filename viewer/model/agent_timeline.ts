import type { AgentFile } from "../store/shapes.ts";

/** One reading, with rates against the reading before; null where unknown. */
export interface AgentPoint {
  /** Seconds since the run started. */
  readonly t: number;
  /** Share of all cores. */
  readonly cpu: number | null;
  /** Bytes. */
  readonly memory: number | null;
  readonly memory_total: number | null;
  /** Bytes a second. */
  readonly received: number | null;
  readonly sent: number | null;
  readonly fds: number | null;
  readonly load1: number | null;
}

type Sample = AgentFile["samples"][number];

/**
 * The agent's counters as rates. A second without a reading becomes a point of
 * nulls, so that a gap stays a gap; a counter that went back (the agent's host
 * was restarted) gives no rate.
 *
 * @param startedAt the run's start, milliseconds since the epoch
 */
export function agentTimeline(
  { samples, interval_ms = 1_000 }: AgentFile,
  startedAt: number,
): AgentPoint[] {
  const points: AgentPoint[] = [];
  let before: Sample | undefined;
  for (const sample of samples) {
    const t = (sample.ts_ms - startedAt) / 1_000;
    const gap = before && sample.ts_ms - before.ts_ms > interval_ms * 1.8;
    if (gap) {
      points.push({ ...NOTHING, t: (before!.ts_ms - startedAt) / 1_000 + 0.5 });
    }
    points.push(pointOf(sample, gap ? undefined : before, t));
    before = sample;
  }
  return points;
}

const NOTHING = {
  cpu: null,
  memory: null,
  memory_total: null,
  received: null,
  sent: null,
  fds: null,
  load1: null,
};

function pointOf(
  sample: Sample,
  before: Sample | undefined,
  t: number,
): AgentPoint {
  const cores = read(sample, "cpu_cores") ?? 1;
  const busy = rate(sample, before, "cpu_seconds_total");
  return {
    t,
    cpu: busy === null ? null : busy / cores,
    memory: read(sample, "mem_used_bytes"),
    memory_total: read(sample, "mem_total_bytes"),
    received: rate(sample, before, "net_rx_bytes_total"),
    sent: rate(sample, before, "net_tx_bytes_total"),
    fds: read(sample, "open_fds"),
    load1: read(sample, "load1"),
  };
}

function rate(
  sample: Sample,
  before: Sample | undefined,
  name: string,
): number | null {
  if (!before) return null;
  const now = read(sample, name);
  const then = read(before, name);
  const seconds = (sample.ts_ms - before.ts_ms) / 1_000;
  if (now === null || then === null || now < then || seconds <= 0) return null;
  return (now - then) / seconds;
}

function read(sample: Sample, name: string): number | null {
  const value = sample[name];
  return typeof value === "number" ? value : null;
}
