import type { Knee } from "../../model/result/run.ts";
import type { Signal, Signals } from "./signals.ts";

/** A share of capacity by which use has to climb to count. */
const CLIMB = 0.2;
/** CPU use that is the end of it, wherever it came from. */
const FULL_CPU = 0.85;
/** A share of the iterations by which throttles have to rise to count. */
const THROTTLE_RISE = 0.05;

/** A class, and why it was chosen. */
export interface Verdict {
  readonly class: Knee["class"];
  readonly reason: string;
}

/**
 * Why a run broke (specification, "Knee classification"): `degraded` when the
 * machine's use climbed with the break, `throttled` when throttles rose while
 * it stayed flat, else `inconclusive`.
 *
 * @param attached whether an agent gave readings at any time of the run
 */
export function classify(signals: Signals, attached: boolean): Verdict {
  if (!attached) {
    return { class: "inconclusive", reason: "no agent was attached" };
  }
  const climbed = climbs(signals);
  const rise = growth(signals.throttleRate) ?? 0;
  const throttled = rise >= THROTTLE_RISE - ROUNDING;
  if (climbed.length > 0 && throttled) {
    return {
      class: "inconclusive",
      reason: `mixed signals: ${
        climbed.join(", ")
      }, and throttle_rate rose by ${points(rise)}`,
    };
  }
  if (climbed.length > 0) {
    return { class: "degraded", reason: climbed.join(", ") };
  }
  if (signals.throttleRate.calm === undefined) {
    return {
      class: "inconclusive",
      reason: "it was never well, so there is nothing to compare with",
    };
  }
  if (growth(signals.cpu) === undefined) {
    return {
      class: "inconclusive",
      reason:
        "the agent gave no CPU reading to compare before and at the break",
    };
  }
  return throttled
    ? {
      class: "throttled",
      reason: `throttle_rate rose by ${
        points(rise)
      } while CPU, memory and load stayed flat`,
    }
    : {
      class: "inconclusive",
      reason: "neither the machine's use nor throttle_rate rose with it",
    };
}

/** Sums of binary fractions: a rise of exactly 0.2 must count. */
const ROUNDING = 1e-9;

function climbs({ cpu, memory, load }: Signals): string[] {
  const grown = ([["CPU", cpu], ["memory", memory], ["load", load]] as const)
    .flatMap(([name, signal]) => {
      const by = growth(signal);
      return by === undefined || by < CLIMB - ROUNDING
        ? []
        : [`${name} climbed by ${points(by)}`];
    });
  const { broken = 0 } = cpu;
  return broken < FULL_CPU - ROUNDING
    ? grown
    : [...grown, `CPU was at ${Math.round(broken * 100)}%`];
}

function growth({ calm, broken }: Signal): number | undefined {
  return calm === undefined || broken === undefined ? undefined : broken - calm;
}

/** Percentage points. */
function points(share: number): string {
  return `${Math.round(share * 100)} points`;
}
