import type { AgentSample } from "../../model/result/agent.ts";
import type { Knee } from "../../model/result/run.ts";
import { agentRates } from "../samples/agent_rates.ts";
import { classify } from "./class.ts";
import { signalText } from "./detail.ts";
import { type Course, courseOf, type Reading, signalOf } from "./signals.ts";

/** A run at one level of load. */
export interface LevelReading {
  readonly level: number;
  readonly throttleRate: number;
  /** As saved; empty without a reading. */
  readonly samples: readonly AgentSample[];
}

/** Runs before a break and at it; absent where there is none. */
type LevelReadings =
  & Course<LevelReading>
  & Required<Pick<Course<LevelReading>, "broken">>;

/**
 * Why a target breaks between two levels that were measured by runs of their own, by
 * the rules for a knee; a level stands where the moment of a ramp does.
 */
export function causeOverLevels(
  runs: LevelReadings,
): Pick<Knee, "class" | "detail"> {
  const all = [runs.first, runs.before, runs.broken];
  const attached = all.some((run) => run && run.samples.length > 0);
  const cores = runs.broken.samples.findLast((each) => each.cpu_cores)
    ?.cpu_cores;
  const machine = (pick: "cpu" | "memory" | "load") =>
    courseOf(runs, (run) => meanOf(run, pick));
  const signals = {
    cpu: machine("cpu"),
    memory: machine("memory"),
    load: machine("load"),
    throttleRate: courseOf(
      runs,
      (run) => ({ value: run.throttleRate, atMs: run.level }),
    ),
    ...(cores && { cores }),
  };
  const verdict = classify(signals, attached);
  return {
    class: verdict.class,
    detail: `${signalText(signals, attached)}; ${verdict.reason}`,
  };
}

/** Over the whole run, which is at one level. */
function meanOf(
  { level, samples }: LevelReading,
  pick: "cpu" | "memory" | "load",
): Reading | undefined {
  const whole = { fromMs: -Infinity, toMs: Infinity };
  const { broken } = signalOf(agentRates(samples), pick, { broken: whole });
  return broken && { value: broken.value, atMs: level };
}
