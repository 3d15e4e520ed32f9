/*
 * The words of the run files themselves. A secret that happens to be one of
 * them (`pass`, `load`, `1`) must not make a run unreadable, so a key or value
 * that is such a word as a whole, at the place where the format puts it, stays.
 */

const KEYS = new Set(
  `schema id flow flow_file ir_sha256 target mode seed vus bench_version status
  verdict exit_code abort_reason started_at ended_at duration_ms iterations
  started completed passed failed throttled interrupted requests error_rate
  throttle_rate latency min avg p50 p90 p95 p99 max thresholds expression actual
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
  latency_intervals low high phases connect tls ttfb transfer stretches ms blocks
  ir profile pools block extract assert retry throttle auth on_failure capture
  subject op value path from on_status backoff max_attempts base_delay_us statuses
  as_error metric stat value_us to over_us hold_us arrival per_us format
  distribution on_exhausted method url endpoint query variables operation_name
  on_errors session subprotocols send receive match timeout_us proto import_paths
  until scheme token username password in token_url client_id client_secret scopes
  secret algorithm encoding header key_id key_id_header timestamp_header sign`
    .split(/\s+/),
);

const words = (...each: string[]) => new RegExp(`^(?:${each.join("|")})$`);
const hex = (digits: number) => new RegExp(`^[0-9a-f]{${digits}}$`);
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const histogram = /^HISTF[A-Za-z0-9+/]+=*$/;
const threshold =
  /^(?:error_rate|throttle_rate|(?:avg|min|max|p\d+)\(latency\)) [<>]=? [\d.]+(?:%|us|ms|s|m|h)?$/;

const operator = words("==", "!=", "[<>]=?", "contains", "matches");

/** What a field may hold that is no one's data. Shapes match whole values. */
const FIXED: Readonly<Record<string, RegExp>> = {
  algorithm: words("sha256", "sha512"),
  backoff: words("fixed", "exponential", "honor_retry_after"),
  body_sha256: hex(64),
  blocks: /^[A-Za-z0-9+/]*=*$/,
  bench_version: /^\d+\.\d+\.\d+(?:-[\w.]+)?$/,
  body_encoding: words("base64"),
  capture: words("full", "headers", "none"),
  class: words("degraded", "throttled", "inconclusive"),
  code: /^[a-z]+(?:-[a-z0-9]+)*$/,
  columns: /^[a-z_]+$/,
  distribution: words("unique-per-vu", "round-robin", "random"),
  encoding: words("hex", "base64"),
  ended_at: time,
  expression: threshold,
  format: words("csv", "json"),
  from: words("body", "header", "cookie", "status"),
  // A run id. The id of a step is the author's word and gets no exemption.
  http_version: words("1\\.1", "2"),
  http_versions: words("1\\.1", "2"),
  id: /^\d{8}T\d{6}Z-[\w-]+-[0-9a-f]{6}$/,
  in: words("header", "query"),
  ir_sha256: hex(64),
  kind: words(
    ...["call", "graphql", "ws", "grpc", "poll", "wait"],
    ...["status", "latency", "body", "header", "variable"],
  ),
  method: words("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  metric: words("latency", "error_rate", "throttle_rate"),
  mode: words("integration", "system", "load", "stress", "soak"),
  name: words(
    ...["attempt \\d+", "backoff", "http_call"],
    ...["dns", "connect", "tls", "ttfb", "transfer"],
  ),
  on_errors: words("fail", "allow_partial", "ignore"),
  on_exhausted: words("fail", "cycle", "stop"),
  on_failure: words("abort_flow", "abort_run", "record"),
  op: operator,
  operator,
  outcome: words("passed", "throttled", "failed"),
  parent_id: hex(16),
  policy: words("all", "sampled"),
  response: histogram,
  // A row of the trace index: the trace's id and its outcome.
  rows: words("[0-9a-f]{32}", "passed", "throttled", "failed"),
  scheme: words(
    ...["none", "bearer", "basic", "api_key", "cookie"],
    ...["oauth2_client_credentials", "hmac"],
  ),
  service: histogram,
  span_id: hex(16),
  started_at: time,
  stat: words("avg", "min", "max", "p\\d+"),
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

/** Whether `key` is a key of the formats and not of someone's data. */
export function isFixedKey(key: string): boolean {
  return KEYS.has(key);
}

/** Whether `value` is a word of the format for the field `key`. */
export function isFixedValue(key: string, value: string): boolean {
  return Object.hasOwn(FIXED, key) && FIXED[key]!.test(value);
}
