import { type AgentReading, READING_FIELDS } from "../../model/result/agent.ts";
import { isObject } from "../../base/values/json.ts";

/**
 * Reads the body of an agent's response. Other keys are ignored, so that a newer
 * agent still serves; a missing key is null.
 *
 * @returns undefined for anything that is no reading
 */
export function parseReading(body: string): AgentReading | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isAmount(value.ts_ms)) return undefined;
  const { ts_ms } = value;
  const numbers = READING_FIELDS.map((field) => [field, value[field] ?? null]);
  const known = numbers.filter(([, each]) => each !== null);
  // Any other object is no reading either.
  if (known.length === 0 || !known.every(([, each]) => isAmount(each))) return;
  return { ts_ms, ...Object.fromEntries(numbers) };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
