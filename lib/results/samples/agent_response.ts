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
  const numbers: Partial<Record<(typeof READING_FIELDS)[number], number>> = {};
  for (const field of READING_FIELDS) {
    const each = value[field];
    if (each === undefined || each === null) continue;
    if (!isAmount(each)) return undefined;
    numbers[field] = each;
  }
  // Any other object is no reading either.
  if (Object.keys(numbers).length === 0) return undefined;
  const of = (field: (typeof READING_FIELDS)[number]) => numbers[field] ?? null;
  return {
    ts_ms: value.ts_ms,
    cpu_seconds_total: of("cpu_seconds_total"),
    cpu_cores: of("cpu_cores"),
    mem_used_bytes: of("mem_used_bytes"),
    mem_total_bytes: of("mem_total_bytes"),
    net_rx_bytes_total: of("net_rx_bytes_total"),
    net_tx_bytes_total: of("net_tx_bytes_total"),
    open_fds: of("open_fds"),
    load1: of("load1"),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
