import { canonical } from "../ir/canonical.ts";
import { formatDuration } from "../values/duration.ts";
import { jsonType, type JsonValue } from "../values/json.ts";

const LONGEST = 200;

/** A value with its type, short enough for a failure report. */
export function typedValue(
  value: JsonValue | undefined,
): { type: string; text: string } {
  if (value === undefined) return { type: "nothing", text: "" };
  const text = typeof value === "string" ? value : canonical(value);
  return {
    type: jsonType(value),
    text: text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text,
  };
}

/** A duration in microseconds, likewise. */
export function typedDuration(micros: number): { type: string; text: string } {
  return { type: "duration", text: formatDuration(micros) };
}
