import type { AgentPoint } from "../report/agent_rates.ts";

/** A figure before the break and at it; absent where there is no reading. */
export interface Signal {
  readonly calm?: number;
  readonly broken?: number;
}

/** What a break is explained with. All are shares, 1 being all there is. */
export interface Signals {
  readonly cpu: Signal;
  readonly memory: Signal;
  readonly load: Signal;
  /** Of the iterations. */
  readonly throttleRate: Signal;
}

/** A stretch of the run, in milliseconds since its start. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The mean of one figure of the machine before the break and at it. */
export function signalOf(
  points: readonly AgentPoint[],
  pick: "cpu" | "memory" | "load",
  calm: Stretch | undefined,
  broken: Stretch,
): Signal {
  const mean = (stretch: Stretch | undefined) => {
    if (!stretch) return undefined;
    const values = points
      .filter(({ midMs }) => midMs >= stretch.fromMs && midMs < stretch.toMs)
      .map((point) => point[pick]).filter((each) => each !== undefined);
    return values.length === 0
      ? undefined
      : values.reduce((sum, each) => sum + each, 0) / values.length;
  };
  const [before, at] = [mean(calm), mean(broken)];
  return {
    ...(before !== undefined && { calm: before }),
    ...(at !== undefined && { broken: at }),
  };
}
