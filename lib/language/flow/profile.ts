import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { perSecond } from "../../base/values/duration.ts";
import { isFunctional, MODES } from "../../model/mode.ts";
import { threshold } from "../expressions/threshold.ts";
import {
  duration,
  longerThan0,
  rate,
  rateOrNone,
} from "../fields/durations.ts";
import { expressions } from "../fields/expressions.ts";
import {
  defaulted,
  optional,
  required,
  spread,
  type ValueOf,
} from "../fields/field.ts";
import { list } from "../fields/list.ts";
import { mapping, type Rule, versionHint } from "../fields/mapping.ts";
import { METRICS } from "../../model/metrics.ts";
import { integer, oneOf } from "../fields/scalars.ts";
import { type Entry, entryOf } from "../source/node.ts";
import { HOLD, level, vus } from "./ramp.ts";

/** `hold` is written in one of two blocks. */
const holdOnce: Rule = {
  form: {
    not: {
      required: ["hold", "vus"],
      properties: { vus: { type: "object", required: ["hold"] } },
    },
  },
  check(find, slot) {
    const vus = find("vus");
    const inner = vus && entryOf(vus.value, "hold");
    const outer = find("hold");
    if (!inner || !outer) return;
    const [first, second] = lineOf(inner) <= lineOf(outer)
      ? ["inside `vus`", outer]
      : ["in `profile`", inner];
    slot.report({
      at: second.keyAt,
      code: "hold-twice",
      message: `\`hold\` is set twice: the first one is ${first}`,
      hint: "keep one of them",
    });
  },
};

function lineOf({ keyAt }: Entry): number {
  return keyAt.range?.line ?? 0;
}

/** A stage has one level at most. */
const oneLevel: Rule = {
  form: { not: { required: ["vus", "arrival"] } },
  check(find, slot) {
    const [users, rate] = [find("vus"), find("arrival")];
    if (!users || !rate) return;
    slot.report({
      at: rate.keyAt,
      code: "two-levels",
      message: "a stage has a number of users or a rate, not both",
      hint: "with rates, `vus` of the profile says how many users carry them",
    });
  },
  ir: {
    message: "a stage has a number of users or a rate, not both",
    holds: (stage) => !("vus" in stage && "arrival" in stage),
  },
};

const stage = mapping({
  vus: optional(
    level,
    "the number of virtual users at its end; neither this nor `arrival` holds the last level",
  ),
  arrival: optional(
    rateOrNone,
    "the offered request rate at its end; `0/s` offers nothing",
  ),
  over: required(
    duration,
    "how long it takes; the level changes linearly, and `0s` jumps",
    { ir: "over_us" },
  ),
}, { rules: [oneLevel], places: ["stage"] });
export type Stage = ValueOf<typeof stage>;

/** Where stages of rates are, `vus` says how many users carry them. */
export function offersRates(stages: readonly Stage[] | undefined): boolean {
  return stages?.some(({ arrival }) => arrival !== undefined) ?? false;
}

/** The profile without stages: with the highest level of them, all the time. */
export function atHighest({ stages, ...profile }: Profile): Profile {
  if (!stages) return profile;
  const rates = stages.flatMap(({ arrival }) => arrival ?? [])
    .toSorted((a, b) => perSecond(b) - perSecond(a));
  const [arrival] = rates;
  const users = stages.map(({ vus = 0 }) => vus);
  return arrival
    ? { ...profile, arrival }
    : { ...profile, vus: Math.max(1, ...users) };
}

/** Keys that stages replace, and the same as a stage. */
const INSTEAD = {
  hold: "a stage without a level holds the last one: `{ over: 1m }`",
  arrival_cap: "a rate is a stage: `{ arrival: 200/s, over: 1m }`",
  vus: "stages of users say how many there are: `{ vus: 50, over: 30s }`",
};

/** `stages` replace a ramp, `hold` and `arrival_cap`. */
const stagesAlone: Rule = {
  form: {
    allOf: [
      { not: { required: ["stages", "hold"] } },
      { not: { required: ["stages", "arrival_cap"] } },
      {
        not: {
          required: ["stages", "vus"],
          properties: { vus: { type: "object" } },
        },
      },
    ],
  },
  check(find, slot) {
    const stages = find("stages");
    if (!stages) return;
    const items = stages.value.kind === "list" ? stages.value.items : [];
    const ofUsers = items.some((each) => entryOf(each, "vus"));
    for (const [key, hint] of Object.entries(INSTEAD)) {
      const entry = find(key);
      const isCarrier = key === "vus" && !ofUsers;
      // Another tool's word for the key has its own error.
      if (entry?.key !== key || isCarrier && entry.value.kind === "scalar") {
        continue;
      }
      const kind = isCarrier ? " with a ramp" : "";
      slot.report({
        at: entry.keyAt,
        code: "beside-stages",
        message: `\`${key}\`${kind} cannot be written beside \`stages\``,
        hint: isCarrier
          ? "with stages of rates, `vus` is one number: how many users carry them"
          : hint,
      });
    }
  },
  ir: {
    message:
      "`stages` stand in place of `hold_us`, `arrival` and a ramp, and with users in place of `vus`",
    holds(profile) {
      const { stages, hold_us, arrival, vus } = profile as Partial<Profile>;
      return stages === undefined ||
        hold_us === undefined && arrival === undefined &&
          (offersRates(stages) ? typeof vus === "number" : vus === 1);
    },
  },
};

const thresholds = expressions({
  ...threshold,
  *parts({ metric }, pointer) {
    if (METRICS[metric].version) yield { role: "since", pointer, ir: 2 };
  },
  note({ metric }, { text }, slot) {
    if ((METRICS[metric].version ?? 0) <= slot.reader.version) return;
    slot.report({
      at: slot.inside(text.indexOf(metric), metric.length),
      code: "later-version",
      message: `unknown metric \`${metric}\``,
      hint: versionHint(`\`${metric}\``),
    });
  },
});

/** How a flow is run. */
export const profile = mapping({
  mode: defaulted(
    oneOf(MODES, {
      "smoke|check|functional|test|e2e|sanity": "did you mean `integration`?",
      "performance|perf|average|constant|benchmark": "did you mean `load`?",
      "spike|breakpoint|capacity|peak": "did you mean `stress`?",
      "endurance|longevity": "did you mean `soak`?",
    }),
    MODES[0],
    "how it is run: as a check, or under load",
  ),
  vus: spread(
    vus,
    "virtual users: a number, 1 by default, or a mapping with `ramp` and `hold`",
    { vus: 1 },
  ),
  hold: optional(
    duration,
    "how long the load is held; in `profile` or inside `vus`, not in both",
    HOLD,
  ),
  iterations: optional(integer({ min: 1 }), "passes of the flow in all"),
  arrival_cap: optional(
    rate,
    "the offered request rate: `50/s`, `300/m`, `10/h` or `1/250ms`, at most `1000000/s`",
    {
      ir: "arrival",
    },
  ),
  stages: optional(
    list(stage, {
      of: "stages",
      item: "stage",
      example: "[{ vus: 50, over: 30s }, { over: 1m }]",
      least: { code: "no-stages", needs: "one stage" },
    }),
    "load that rises and falls: users or rates, one stage after another; in place of a ramp, `hold` and `arrival_cap`",
    { version: 1, sinceIr: 2 },
  ),
  warm_up: optional(
    longerThan0,
    "how long what begins counts in no figure; a part of the run, its beginning",
    { ir: "warm_up_us", version: 1, sinceIr: 2 },
  ),
  thresholds: optional(
    thresholds,
    "rules the run is judged by",
  ),
}, {
  rules: [holdOnce, stagesAlone],
  places: ["profile"],
  hint: "for example `profile: { mode: load, vus: 10, hold: 1m }`",
});
export type Profile = ValueOf<typeof profile>;

/** Whether nothing of how a flow is run was left out; thresholds are rules apart. */
export function hasWholeLoad(isSound: (pointer: string) => boolean): boolean {
  return Object.keys(profile.entries)
    .every((key) => key === "thresholds" || isSound(`/profile/${key}`));
}

/**
 * A warning of the keys of a profile that have no effect. Integration and system runs go by
 * the rows of a fixture, not by time, number or rate; and a run whose ramp ends at
 * 0 VUs ends there.
 */
export function ignoredKeys(profile: Profile): Diagnostic<string> | undefined {
  const { mode, vus, hold_us, iterations, arrival, stages } = profile;
  const ramps = typeof vus === "object";
  if (isFunctional(mode)) {
    return withoutEffect(
      [
        [ramps, "vus", "the ramp in `vus`"],
        [hold_us !== undefined, "hold_us", "`hold`"],
        [iterations !== undefined, "iterations", "`iterations`"],
        [arrival !== undefined, "arrival", "`arrival_cap`"],
        [stages !== undefined, "stages", "`stages`"],
        [profile.warm_up_us !== undefined, "warm_up_us", "`warm_up`"],
      ],
      `in ${mode} mode, which runs the flow once per fixture row`,
      "only `load`, `stress` and `soak` runs go by such keys: `mode: load` in the profile, or --mode load",
    );
  }
  const idle = ramps && vus.to === 0 && hold_us !== undefined;
  return withoutEffect(
    [[idle, "hold_us", "`hold`"]],
    "after a ramp to 0 VUs, which ends the run",
  );
}

function withoutEffect(
  keys: readonly (readonly [written: boolean, key: string, name: string])[],
  why: string,
  hint?: string,
): Diagnostic<string> | undefined {
  const written = keys.filter(([is]) => is);
  const [first] = written;
  if (!first) return undefined;
  const names = written.map(([, , name]) => name).join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  return {
    at: `/profile/${first[1]}`,
    code: "no-effect",
    severity: "warning",
    hint,
    message: `${names} ${
      written.length === 1 ? "has" : "have"
    } no effect ${why}`,
  };
}
