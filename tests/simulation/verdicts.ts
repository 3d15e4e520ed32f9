import {
  judgeRatio,
  LatencyChange,
} from "../../lib/results/comparison/judge.ts";
import type { ComparisonVerdict } from "../../lib/results/comparison/comparison.ts";
import type { LatencyBlock } from "../../lib/model/result/latency.ts";
import type { Draws, Scenario } from "./coverage.ts";
import { pairedRuns, simulatedRun } from "./draws.ts";

/** In how many of the simulated comparisons anything came out so. */
export type Verdicts = Readonly<Record<ComparisonVerdict, number>>;

/** What a comparison judges of the whole run. */
const PERCENTILES = [50, 90, 95, 99] as const;
/** The confidence of one of eight figures whose intervals hold together with 98 %. */
const CONFIDENCE = 1 - 0.02 / 8;

/** How two runs are simulated, and how much slower the second target is. */
export interface Trial extends Scenario {
  /** 1.05 is 5 % more service time. */
  readonly slower: number;
  /** Measured in the same seconds, which were the same for both. */
  readonly paired: boolean;
  readonly margin: number;
}

/** The worst verdict over all percentiles, in so many simulated comparisons. */
export function verdicts(trial: Trial, { count, first }: Draws): Verdicts {
  const found = { better: 0, same: 0, worse: 0, unclear: 0 };
  for (let i = 0; i < count; i++) found[verdictOf(trial, first + i)]++;
  return found;
}

function verdictOf(trial: Trial, index: number): ComparisonVerdict {
  const [a, b] = runsOf(trial, index);
  const latency = new LatencyChange({
    bases: [a!],
    candidate: b!,
    paired: trial.paired,
    confidence: CONFIDENCE,
  });
  const bounds = PERCENTILES.map((p) => latency.percentile(p));
  const typical = latency.typical();
  const all = [...bounds, ...typical ? [typical] : []].map((bounds) => {
    if (typeof bounds === "string") return "unclear";
    return judgeRatio(
      bounds,
      { ...trial, durationMs: trial.seconds * 1_000 },
      "more",
    )
      .verdict;
  });
  const order = ["worse", "better", "unclear", "same"] as const;
  return order.find((each) => all.includes(each))!;
}

function runsOf(trial: Trial, index: number): readonly LatencyBlock[][] {
  const { seconds, perSecond, between, correlation, slower } = trial;
  const target = { ms: 20, within: 0.3, between, correlation };
  const seed = index * 7_919 + 1;
  if (trial.paired) {
    return pairedRuns(target, slower, seconds, perSecond, seed);
  }
  return [1, slower].map((factor, side) =>
    simulatedRun(
      { ...target, ms: 20 * factor },
      seconds,
      perSecond,
      seed + side * 1_000_003,
    )
  );
}
