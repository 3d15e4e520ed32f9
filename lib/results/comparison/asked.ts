import { isObject, type JsonObject } from "../../base/values/json.ts";
import type { RunMeta } from "../../model/result/run.ts";

/*
 * The load and the options that a run was asked for, so that two can be compared.
 */

/** A stored flow: how it is run, and everything else it says. */
interface StoredFlow {
  readonly profile: JsonObject;
  readonly rest: JsonObject;
}

/** @param text canonical IR */
export function parseStoredFlow(text: string): StoredFlow {
  // The version of the IR follows from the rest.
  const { profile = {}, ir: _, ...rest } = JSON.parse(text) as JsonObject;
  return { profile: isObject(profile) ? profile : {}, rest };
}

/** The keys of two objects in canonical form whose values are not the same. */
export function changedKeys(a: JsonObject, b: JsonObject): string[] {
  return [...new Set([a, b].flatMap(Object.keys))].filter((key) =>
    JSON.stringify(a[key]) !== JSON.stringify(b[key])
  );
}

/** The value of an option that a run was not given. */
const NOT_GIVEN = "not given";

type Option = NonNullable<RunMeta["options"]>[string];

/** The value of an option that a run was driven by, as text. */
export function optionText(value: Option | undefined): string {
  if (value === undefined) return NOT_GIVEN;
  return value === true ? "given" : String(value);
}
