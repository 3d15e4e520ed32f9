import * as v from "valibot";
import { exactDuration, formatRate } from "../../base/values/duration.ts";
import { isObject, type JsonObject } from "../../base/values/json.ts";
import { formatThreshold } from "../../language/expressions/threshold.ts";
import { type Profile, profile } from "../../language/flow/profile.ts";
import type { RunMeta } from "../../model/result/run.ts";

/*
 * The load and the options that a run was asked for, so that two can be compared.
 */

/** A stored flow: how it is run, and everything else it says. */
export interface StoredFlow {
  readonly profile: JsonObject;
  readonly rest: JsonObject;
}

/** @param text canonical IR */
export function parseStoredFlow(text: string): StoredFlow {
  const flow: unknown = JSON.parse(text);
  // The version of the IR follows from the rest.
  const { profile, ir: _, ...rest } = isObject(flow) ? flow : {};
  return { profile: isObject(profile) ? profile : {}, rest };
}

/** The keys of two objects in canonical form whose values are not the same. */
export function changedKeys(a: JsonObject, b: JsonObject): string[] {
  return [...new Set([a, b].flatMap(Object.keys))].filter((key) =>
    JSON.stringify(a[key]) !== JSON.stringify(b[key])
  );
}

/** The value of an option, or of a key of the profile, that a run was not given. */
export const NOT_GIVEN = "not given";

/** Options that take the place of keys of the profile, which has them in the stored flow. */
export const PROFILE_OPTIONS = ["vus", "ramp", "hold", "iterations", "rate"];

type Option = NonNullable<RunMeta["options"]>[string];

/** The value of an option that a run was driven by, as text. */
export function optionText(value: Option | undefined): string {
  if (value === undefined) return NOT_GIVEN;
  return value === true ? "given" : String(value);
}

/**
 * The keys of a stored profile as a flow file has them, by name; what is no profile of
 * this version is shown as it is stored. A number of VUs is left out: it is the planned
 * peak of the run.
 */
export function profileTexts(stored: JsonObject): Record<string, string> {
  const texts = v.is(profile.schema, stored)
    ? textsOf(stored as Profile)
    : Object.entries(stored).map(([key, value]) =>
      [key, JSON.stringify(value)] as const
    );
  return Object.fromEntries(
    texts.filter(([, text]) => text !== undefined),
  ) as Record<string, string>;
}

function textsOf(
  { mode, vus, hold_us, iterations, arrival, stages, ...rest }: Profile,
): (readonly [name: string, text: string | undefined])[] {
  const time = (micros?: number) =>
    micros === undefined ? micros : exactDuration(micros);
  return [
    ["mode", mode],
    [
      "vus",
      typeof vus === "number"
        ? undefined
        : `${vus.from} -> ${vus.to} over ${exactDuration(vus.over_us)}`,
    ],
    ["hold", time(hold_us)],
    ["iterations", iterations?.toString()],
    ["arrival_cap", arrival && formatRate(arrival)],
    ["stages", stages?.map(stageText).join(", ")],
    ["warm_up", time(rest.warm_up_us)],
    ["thresholds", rest.thresholds?.map(formatThreshold).join("; ")],
  ];
}

function stageText(
  { vus, arrival, over_us }: NonNullable<Profile["stages"]>[number],
): string {
  const level = arrival ? formatRate(arrival) : vus ?? "the same";
  return `${level} over ${exactDuration(over_us)}`;
}
