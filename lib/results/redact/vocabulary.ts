import { OPERATORS } from "../../language/expressions/assertion_ir.ts";
import { isThresholdText, STAT } from "../../language/expressions/threshold.ts";
import { MODES } from "../../model/mode.ts";
import { RATES } from "../../model/rates.ts";
import type { FormatWords } from "../../base/values/format_words.ts";

/*
 * The words of the run files themselves. A secret that happens to be one of
 * them (`pass`, `load`, `1`) must not make a run unreadable, so a key or value
 * that is such a word as a whole, where the format puts it, stays.
 */

const KEYS = new Set(
  `schema id flow flow_file ir_sha256 target mode seed vus bench_version status
  verdict exit_code abort_reason started_at ended_at duration_ms iterations
  started completed passed failed throttled interrupted requests error_rate
  throttle_rate latency min avg p50 p90 p95 p99 p99.9 max thresholds expression actual
  expected pass samples steps kind executions attempts bytes_sent bytes_received
  throttled_latency http_versions http_version generator cpu_share loop_lag_p99_ms late_p50_ms late_p99_ms
  unserved_slots held_requests held_ms limited detail
  agent_attached knee class threshold at_ms failures rows notes step code message
  count file line column trace_id row outcome type text operator pointer iteration vu
  start_us duration_us spans span_id parent_id name attributes failure request
  response headers headers_truncated body body_encoding body_bytes body_truncated body_sha256 policy truncated
  traces columns interval_ms points t buckets unit overall service addr missed
  ts_ms t_ms cpu_seconds_total cpu_cores mem_used_bytes mem_total_bytes
  net_rx_bytes_total net_tx_bytes_total open_fds load1 loop_lag_ms lateness_ms
  iterations_failed iterations_throttled other_rows other_failures
  core_wait_share cores total others limit key check varies checks implied rank row_name
  findings seen why hint drift windows figures per_hour capacity lower upper least cause trials level held requests_per_second broken latency_intervals low high phases connect tls ttfb transfer stretches ms blocks metric stat`
    .split(/\s+/),
);

const words = (...each: string[]) => new RegExp(`^(?:${each.join("|")})$`);
const hex = (digits: number) => new RegExp(`^[0-9a-f]{${digits}}$`);
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const histogram = /^HISTF[A-Za-z0-9+/]+=*$/;
/** The text of a threshold in its one spelling. */
const threshold = { test: isThresholdText };

const operator = words(...OPERATORS);

/** What a field may hold that is no one's data. Shapes match whole values. */
const FIXED: Readonly<Record<string, Pick<RegExp, "test">>> = {
  body_sha256: hex(64),
  blocks: /^[A-Za-z0-9+/]*=*$/,
  bench_version: /^\d+\.\d+\.\d+(?:-[\w.]+)?$/,
  body_encoding: words("base64"),
  class: words("degraded", "throttled", "inconclusive"),
  code: /^[a-z]+(?:-[a-z0-9]+)*$/,
  columns: /^[a-z_]+$/,
  ended_at: time,
  expression: threshold,
  // A run id. The id of a step is the author's word and gets no exemption.
  http_version: words("1\\.1", "2"),
  http_versions: words("1\\.1", "2"),
  id: /^\d{8}T\d{6}Z-[\w-]+-[0-9a-f]{6}$/,
  ir_sha256: hex(64),
  metric: words("latency", ...RATES),
  mode: words(...MODES),
  name: words(
    ...["attempt \\d+", "backoff", "http_call"],
    ...["dns", "connect", "tls", "ttfb", "transfer"],
    ...["generator_limited", "throttled_first", "target_cpu", "one_step"],
    ...["connections", "drift", "few_samples"],
  ),
  operator,
  outcome: words("passed", "throttled", "failed"),
  parent_id: hex(16),
  policy: words("all", "sampled"),
  response: histogram,
  // A row of the trace index: the trace's id and its outcome.
  rows: words("[0-9a-f]{32}", "passed", "throttled", "failed"),
  service: histogram,
  span_id: hex(16),
  started_at: time,
  stat: words(STAT),
  status: words("running", "finished", "aborted", "interrupted", "errored"),
  threshold,
  throttled: histogram,
  trace_id: hex(32),
  type: words(
    ...["integer", "number", "string", "boolean", "null", "list", "object"],
    ...["nothing", "duration"],
  ),
  unit: words("us"),
  verdict: words("pass", "fail"),
};

/** No words but those of the run files. */
export const NO_OTHERS: FormatWords = { keys: new Set(), values: new Map() };

/**
 * Whether `key` is a key of the formats and not of someone's data.
 *
 * @param others a format whose documents are in the run files
 */
export function isFixedKey(
  key: string,
  others: FormatWords = NO_OTHERS,
): boolean {
  return KEYS.has(key) || others.keys.has(key);
}

/** Whether `value` is a word of the formats for the field `key`. */
export function isFixedValue(
  key: string,
  value: string,
  others: FormatWords = NO_OTHERS,
): boolean {
  return Object.hasOwn(FIXED, key) && FIXED[key]!.test(value) ||
    others.values.get(key)?.has(value) === true;
}
