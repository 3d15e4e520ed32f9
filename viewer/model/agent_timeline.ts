import { agentRates } from "../../lib/results/samples/agent_rates.ts";
import type { AgentSample } from "../../lib/model/result/agent.ts";

/** The target's machine in one second of a run; null where unknown. */
export interface AgentPoint {
  /** Whole seconds since the run started, on the run's clock. */
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

/** Two readings are never further apart without a gap between them. */
const NEXT = 1;

/**
 * An agent's readings by second, its counters as rates; those the knee is found
 * with. A gap becomes a point of nulls, so that a gap stays a gap.
 */
export function agentTimeline(
  { samples }: { readonly samples: readonly AgentSample[] },
): AgentPoint[] {
  const points: AgentPoint[] = [];
  agentRates(samples).forEach(({ fromMs, tMs, cpu, received, sent }, i) => {
    const sample = samples[i]!;
    // A rate belongs to the second before its reading; one across lost readings
    // to where they go on, as what was not read stays a gap.
    const at = tMs - fromMs < 2_000 ? (fromMs + tMs) / 2 : tMs;
    const t = Math.max(0, Math.floor(at / 1_000));
    const last = points.at(-1);
    if (last && last.t >= t) points.pop();
    else if (last && t - last.t > NEXT) {
      points.push({ ...NOTHING, t: last.t + NEXT });
    }
    points.push({
      t: last && last.t > t ? last.t : t,
      cpu: cpu ?? null,
      memory: sample.mem_used_bytes,
      memory_total: sample.mem_total_bytes,
      received: received ?? null,
      sent: sent ?? null,
      fds: sample.open_fds,
      load1: sample.load1,
    });
  });
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
