import * as v from "valibot";
import { ExpressionError } from "../../base/errors/bench_error.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import {
  durationHint,
  LONGER_THAN_0_PATTERN,
  parseDuration,
  perSecond,
} from "../../base/values/duration.ts";
import { child } from "../../base/values/json.ts";
import { MOST_VUS } from "../../model/course.ts";
import { isFunctional, MODES } from "../../model/mode.ts";
import { threshold } from "../expressions/threshold.ts";
import {
  duration,
  grammar,
  longerThan0,
  rate,
  rateOrNone,
} from "../fields/durations.ts";
import { expressions } from "../fields/expressions.ts";
import {
  defaulted,
  type ObjectValue,
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

const levelsOf = (digits: string) =>
  `\\s*(${digits})\\s*->\\s*(${digits})\\s+over\\s+`;
const FORM = new RegExp(`^${levelsOf("\\d+")}(\\S+)\\s*$`);
/** The digits of a number up to `MOST_VUS`, which is a power of ten. */
const DIGITS = `0*(?:\\d{1,${String(MOST_VUS).length - 1}}|${MOST_VUS})`;

const level = integer({ min: 0, max: MOST_VUS });
const over_us = longerThan0.schema;
const schema = v.strictObject({
  from: level.schema,
  to: level.schema,
  over_us,
});

/** A linear change of the number of VUs: `<from> -> <to> over <duration>`. */
export const ramp = grammar({
  noun: "a ramp",
  pattern: `^${levelsOf(DIGITS)}${LONGER_THAN_0_PATTERN}\\s*$`,
  code: "bad-ramp",
  schema,
  parse(text) {
    const [, from, to, duration = ""] = FORM.exec(text) ?? refuse(
      `\`ramp\` must be "<from> -> <to> over <duration>", but it is "${text}"`,
      'for example "1 -> 50 over 30s"',
    );
    const levels = { from: Number(from), to: Number(to) };
    if (Math.max(levels.from, levels.to) > MOST_VUS) {
      refuse(`a ramp has at most ${MOST_VUS} VUs, but it is "${text}"`);
    }
    if (levels.from + levels.to === 0) {
      refuse("a ramp from 0 to 0 runs nothing");
    }
    return { ...levels, over_us: lengthOf(duration, text) };
  },
});
type Ramp = ValueOf<typeof ramp>;

function refuse(message: string, hint?: string): never {
  throw new ExpressionError("bad-ramp", message, 0, hint);
}

function lengthOf(duration: string, text: string): number {
  const at = text.lastIndexOf(duration);
  try {
    const micros = parseDuration(duration);
    if (micros > 0) return micros;
  } catch (error) {
    const message = `\`ramp\`: ${(error as Error).message}`;
    const hint = durationHint(duration);
    throw new ExpressionError("bad-duration", message, at, hint);
  }
  throw new ExpressionError(
    "out-of-range",
    `a ramp takes longer than 0, but this one takes ${duration}`,
    at,
    "for a constant number write `vus: <number>`",
  );
}

const count = integer({ min: 1, max: MOST_VUS });
const HOLD = { ir: "hold_us" } as const;

/** `vus` when it is a mapping. */
const ramped = mapping({
  ramp: required(ramp, "`<from> -> <to> over <duration>`, linear", {
    ir: "vus",
  }),
  hold: optional(duration, "how long the last level is held", HOLD),
});

/** The ramp that a text beside the key `vus` means, such as `1-50 over 30s`. */
function meantRamp(text: string): string | undefined {
  const [, from, to, over = "30s"] =
    /^\s*(\d+)\s*(?:-*>|-|\.\.+|to|→)\s*(\d+)(?:\D+(\d+(?:\.\d+)?[a-z]+))?/
      .exec(text) ?? [];
  return from === undefined ? undefined : `${from} -> ${to} over ${over}`;
}

/** A number of VUs, or a ramp and how long its last level is held. */
const vus: ObjectValue<{ vus: number | Ramp; hold_us?: number }> = {
  schema: ramped.schema,
  entries: { vus: v.union([count.schema, ramp.schema]) },
  form: { anyOf: [count.form, ramped.form] },
  inside: { fields: ramped.fields },
  read(slot) {
    const { node, pointer, reader } = slot;
    if (node.kind === "scalar") {
      const meant = meantRamp(node.text);
      if (meant !== undefined) {
        const hint = `a ramp is \`vus: { ramp: ${meant} }\``;
        return slot.refuse(
          "wrong-type",
          "`vus` must be a number or a mapping",
          hint,
        );
      }
      const level = count.read(slot);
      return level === undefined ? level : { vus: level };
    }
    const read = ramped.read(slot);
    reader.locate(child(pointer, "vus"), node.at);
    return read;
  },
};

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
      const carries = key === "vus" && !ofUsers &&
        entry?.value.kind === "scalar";
      if (!entry || carries) continue;
      slot.report({
        at: entry.keyAt,
        code: "beside-stages",
        message: `\`${key}\` cannot be written beside \`stages\``,
        hint,
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
      "only `load`, `stress` and `soak` runs go by them",
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
