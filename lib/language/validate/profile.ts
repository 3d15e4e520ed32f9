import type { Report } from "../../base/text/diagnostic.ts";
import { formatDuration } from "../../base/values/duration.ts";
import { boundsOf } from "../../model/course.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { METRICS } from "../../model/metrics.ts";
import { isFunctional } from "../../model/mode.ts";
import {
  formatThreshold,
  isKnownBySecond,
  limitOf,
  type Threshold,
} from "../expressions/threshold.ts";
import { hasWholeLoad, ignoredKeys, type Stage } from "../flow/profile.ts";
import type { Kinds } from "../flow/registry.ts";
import type { Flow, Profile, Step } from "../ir.ts";
import type { IsSound } from "./parts.ts";

/** Checks the profile as a whole, which may have thresholds for what has a name in the run. */
export function checkProfile(
  profile: Profile,
  names: NamesOfRun,
  isSound: IsSound,
  report: Report,
): void {
  const known = [...names.flows ?? [], ...names.steps];
  if (hasWholeLoad(isSound)) checkLoad(profile, report);
  checkKnee(profile, names, report);
  for (const [index, threshold] of (profile.thresholds ?? []).entries()) {
    const { step } = threshold;
    if (step !== undefined && !known.includes(step)) {
      const at = `/profile/thresholds/${index}`;
      report({ at, code: "threshold-step", ...unknownStep(step, names) });
    }
    checkShare(threshold, `/profile/thresholds/${index}`, report);
    checkSamples(threshold, names, `/profile/thresholds/${index}`, report);
    const { quantity } = METRICS[threshold.metric];
    const message = quantity.problem(limitOf(threshold));
    if (message === undefined) continue;
    const at = `/profile/thresholds/${index}/value`;
    report({ at, code: "out-of-range", message });
  }
}

/** Why a threshold cannot be of `step`. */
function unknownStep(
  step: string,
  names: NamesOfRun,
): { readonly message: string; readonly hint: string | undefined } {
  if (names.once.includes(step)) {
    return {
      message:
        `step \`${step}\` is carried out once, and counts in no threshold`,
      hint: "a step of `setup` or `teardown` that does not pass fails the run",
    };
  }
  const { flows, steps } = names;
  return {
    message: `there is no ${flows ? "flow and no " : ""}step \`${step}\``,
    hint: flows
      ? thresholdHint(step, names)
      : didYouMean(step, steps) ?? idsHint(steps),
  };
}

/** The steps that a threshold may be of, as many as a line takes. */
function idsHint(steps: readonly string[]): string | undefined {
  if (steps.length === 0) return undefined;
  const most = 5;
  const named = steps.slice(0, most).map((id) => `\`${id}\``).join(", ");
  const rest = steps.length > most ? ", ..." : "";
  return `before the colon is the id of a step (${named}${rest}); without one it is of the whole run`;
}

/** Warns of a bound on a rate that is hardly ever meant: `error_rate < 1`, which is 100%. */
function checkShare(
  threshold: Threshold,
  at: string,
  report: Report,
): void {
  const { metric, op } = threshold;
  const isShare = metric === "error_rate" || metric === "throttle_rate";
  const limit = limitOf(threshold);
  if (!isShare || op !== "<" || (limit !== 0 && limit !== 1)) return;
  const text = `\`${formatThreshold(threshold)}\``;
  report({
    at,
    severity: "warning",
    code: "odd-share",
    ...limit === 0
      ? {
        message: `${text} cannot hold: a rate is at least 0`,
        hint: `for none at all write \`${metric} <= 0\``,
      }
      : {
        message: `only a rate of 100% breaks ${text}`,
        hint: `for one in a hundred write \`${metric} < 1%\``,
      },
  });
}

/** Warns of a figure of requests of a step that makes none. */
function checkSamples(
  threshold: Threshold,
  { silent }: NamesOfRun,
  at: string,
  report: Report,
): void {
  const { step, metric } = threshold;
  const isRate = metric === "error_rate" || metric === "throttle_rate";
  if (step === undefined || isRate || !silent.includes(step)) return;
  report({
    at,
    severity: "warning",
    code: "no-samples",
    message: `\`${
      formatThreshold(threshold)
    }\` cannot hold: step \`${step}\` makes no request, so there are no samples`,
    hint: "name a step that makes requests, or leave the name out",
  });
}

/** A knee is looked for in the seconds of a run. */
function checkKnee(
  { mode, thresholds = [] }: Profile,
  { flows = [] }: NamesOfRun,
  report: Report,
): void {
  if (
    mode !== "stress" || thresholds.length === 0 ||
    thresholds.some((each) => isKnownBySecond(each, flows))
  ) {
    return;
  }
  report({
    at: "/profile/thresholds/0",
    code: "no-effect",
    severity: "warning",
    message:
      "no knee can be found: no threshold has a figure that is known by the second",
    hint: "add one of the whole run, such as `error_rate < 1%`",
  });
}

/** The names that a threshold may begin with. */
interface NamesOfRun {
  /** Of a mix. */
  readonly flows?: readonly string[];
  readonly steps: readonly string[];
  /** Steps that make no requests. */
  readonly silent: readonly string[];
  /** Steps of `setup` and `teardown`, which no threshold is of. */
  readonly once: readonly string[];
}

/**
 * The names that a threshold of the steps of a flow may begin with.
 *
 * @param flow of a mix: the name before those of its steps
 */
export function stepNames(
  { steps, setup = [], teardown = [] }: Flow,
  kinds: Kinds,
  flow?: string,
): NamesOfRun {
  const nameOf = ({ id }: Step) => flow === undefined ? id : `${flow}/${id}`;
  const silent = steps.filter(({ kind }) =>
    kinds.get(kind)?.requests === false
  );
  return {
    steps: steps.map(nameOf),
    silent: silent.map(nameOf),
    once: [...setup, ...teardown].map(nameOf),
  };
}

/** The step or flow that `name` likely means; steps of a mix have the name of their flow before their own. */
function thresholdHint(
  name: string,
  { flows = [], steps }: NamesOfRun,
): string | undefined {
  const meant = steps.find((each) => each.endsWith(`/${name}`));
  return didYouMean(meant ?? name, [...flows, ...steps]) ??
    `flows: ${flows.join(", ")}; a step of one: \`<flow>/<step>\``;
}

/** Checks what the keys of a profile make of each other. */
function checkLoad(profile: Profile, report: Report): void {
  const { mode, vus, hold_us, iterations, stages } = profile;
  const isConstant = typeof vus === "number" && stages === undefined;
  if (!isFunctional(mode) && isConstant && hold_us === 0) {
    report({
      at: "/profile/hold_us",
      code: "no-time",
      message: "`hold` must be longer than 0s: the run ends as it begins",
      hint: "for example `hold: 1m`, or for one run --hold 1m",
    });
  } else if (
    !isFunctional(mode) && isConstant && iterations === undefined &&
    hold_us === undefined
  ) {
    report({
      at: "/profile/mode",
      code: "unbounded-run",
      message:
        `\`${mode}\` mode needs \`iterations\` or \`hold\`: nothing else ends the run`,
      hint: "for example `hold: 1m`, or for one run --hold 1m",
    });
  }
  if (stages) checkStages(stages, report);
  checkWarmUp(profile, report);
  const ignored = ignoredKeys(profile);
  if (ignored) report(ignored);
}

/** A warm-up is the beginning of a run, and leaves a part of it to be measured. */
function checkWarmUp(profile: Profile, report: Report): void {
  const { mode, warm_up_us = 0 } = profile;
  const { endMs = Infinity } = boundsOf(profile);
  // A run that nothing ends is an error of its own.
  if (isFunctional(mode) || warm_up_us === 0 || endMs === 0) return;
  if (warm_up_us / 1_000 < endMs) return;
  report({
    at: "/profile/warm_up_us",
    code: "warm-up-too-long",
    message: `the run takes ${
      formatDuration(endMs * 1_000)
    }, and \`warm_up\` is ${
      formatDuration(warm_up_us)
    } of it: nothing is measured`,
    hint: "the warm-up is a part of the run: make the load last longer",
  });
}

/** Checks what the stages of a load make of each other. */
function checkStages(stages: readonly Stage[], report: Report): void {
  const at = "/profile/stages";
  const [first, last] = [stages[0]!, stages.at(-1)!];
  const kindOf = ({ vus, arrival }: Stage) =>
    vus !== undefined ? "vus" : arrival && "arrival";
  const kind = kindOf(first);
  if (!kind) {
    report({
      at: `${at}/0`,
      code: "no-level",
      message: "the first stage has no level to hold",
      hint: "give it `vus` or `arrival`, such as { vus: 50, over: 30s }",
    });
    return;
  }
  const other = stages.findIndex((each) => (kindOf(each) ?? kind) !== kind);
  if (other >= 0) {
    report({
      at: `${at}/${other}/${kindOf(stages[other]!)}`,
      code: "mixed-stages",
      message: `stages are all of users or all of rates, but stage 1 has ${
        kind === "vus" ? "users" : "a rate"
      } and stage ${other + 1} ${kind === "vus" ? "a rate" : "users"}`,
      hint: "with rates, `vus` of the profile says how many users carry them",
    });
  } else if (stages.every(({ vus, arrival }) => !(vus ?? arrival?.count))) {
    report({
      at,
      code: "no-load",
      message: `every stage has ${
        kind === "vus" ? "0 users" : "a rate of 0"
      }: nothing is sent`,
      hint: `give one of them a level above 0`,
    });
  }
  if (stages.every(({ over_us }) => over_us === 0)) {
    report({
      at,
      code: "no-time",
      message: "every stage has `over: 0s`: the run ends as it begins",
      hint: "a stage without a level holds the last one: `{ over: 1m }`",
    });
  } else if (last.over_us === 0) {
    report({
      at: `${at}/${stages.length - 1}`,
      code: "no-effect",
      severity: "warning",
      message: "the last stage has no effect: the run ends with its jump",
      hint: "a stage after it holds the level: `{ over: 1m }`",
    });
  }
}
