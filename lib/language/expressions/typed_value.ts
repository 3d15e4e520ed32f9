import { readable } from "../../model/ir/canonical.ts";
import { formatDuration } from "../../base/values/duration.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";

const LONGEST = 200;

/** A value with its type, short enough for a failure report. */
export function typedValue(
  value: JsonValue | undefined,
): { type: string; text: string } {
  if (value === undefined) return { type: "nothing", text: "" };
  const text = typeof value === "string"
    ? value.toWellFormed()
    : readable(value);
  return { type: jsonType(value), text: shortened(text) };
}

/** At most 200 characters; one that ends in `…` was cut. */
export function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  // Half a surrogate pair is no character.
  return `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A duration in microseconds, likewise. */
export function typedDuration(micros: number): { type: string; text: string } {
  return { type: "duration", text: formatDuration(micros) };
}
