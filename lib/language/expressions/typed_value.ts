import { readable } from "../../base/values/canonical.ts";
import { formatDuration } from "../../base/values/duration.ts";
import { shortened } from "../../base/values/shortened.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";

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

/** A duration in microseconds, likewise. */
export function typedDuration(micros: number): { type: string; text: string } {
  return { type: "duration", text: formatDuration(micros) };
}
