import fc from "fast-check";

/*
 * Random flows as data: correct ones, with every key of the flow language that
 * does not need a file.
 */

/** Text that both surfaces can carry: no templates, no half characters. */
const text = fc.string({ unit: "binary" }).filter((each) =>
  each.isWellFormed() && !each.includes("{{") && !each.includes("\0")
);
const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
const template = fc.constantFrom(
  "{{ env.A }}",
  "{{env.B}}",
  "x{{  env.C_1 }}y",
  "{{ user.id }}",
  "{{ user.the-name }} ",
);
const duration = fc.tuple(
  fc.integer({ min: 1, max: 5_000 }),
  fc.constantFrom("us", "ms", "s", "m", "h"),
).map(([count, unit]) => `${count}${unit}`);
const status = fc.integer({ min: 100, max: 599 });
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    number,
    text,
    template,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const field = fc.oneof(
  fc.stringMatching(/^[ -~]{0,10}$/).filter((each) => !each.includes("{{")),
  template,
  fc.integer({ min: -999, max: 999 }),
  fc.boolean(),
);
const headers = fc.dictionary(
  fc.stringMatching(/^X-[A-Za-z0-9]{1,6}$/),
  field,
  { maxKeys: 3 },
).filter((each) => {
  const names = Object.keys(each).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
});
const query = fc.dictionary(
  word,
  fc.oneof(field, fc.array(field, { maxLength: 3 })),
  { maxKeys: 3 },
);
const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PURGE");
const url = fc.constantFrom(
  "/",
  "/a/{{ user.id }}",
  "/b?x={{env.A}}",
  "https://example.com/é",
  "?only=query",
);
const call = fc.tuple(method, url).map((parts) => parts.join(" "));
const path = fc.constantFrom(
  "$.id",
  "$.items[0].name",
  "$['a b'][-1]",
  "$..x",
  "$.list[?@.n > 1]",
);
const assertion = fc.constantFrom(
  "status == 200",
  "status  !=  500",
  "latency < 1.5s",
  "header.ETag exists",
  "$.a not_exists",
  '$.b == "text"',
  "$.c>=1.50",
  "$.d contains [1, 2]",
  "$.e matches ^a+$",
  "$.f == bare words",
);
const some = { requiredKeys: [] as [] };
const throttle = fc.record({
  statuses: fc.array(status, { maxLength: 3 }),
  as_error: fc.boolean(),
}, some);
const retry = fc.record({
  on_status: fc.array(status, { minLength: 1, maxLength: 3 }),
  backoff: fc.constantFrom("fixed", "exponential", "honor_retry_after"),
  max_attempts: fc.integer({ min: 1, max: 9 }),
  base_delay: duration,
}, { requiredKeys: ["on_status", "backoff", "max_attempts"] });
const secret = fc.constantFrom("{{ env.SECRET }}", "{{env.S}}");
const auth = fc.oneof(
  fc.constant({ scheme: "none" }),
  fc.record({ scheme: fc.constant("bearer"), token: secret }),
  fc.record({
    scheme: fc.constant("basic"),
    username: word,
    password: secret,
  }),
  fc.record({
    scheme: fc.constant("api_key"),
    name: fc.constant("Key"),
    value: secret,
    in: fc.constantFrom("header", "query"),
  }, { requiredKeys: ["scheme", "name", "value"] }),
  fc.record({
    scheme: fc.constant("cookie"),
    name: word,
    value: secret,
  }),
  fc.record({
    scheme: fc.constant("oauth2_client_credentials"),
    token_url: fc.constant("https://example.com/token"),
    client_id: word,
    client_secret: secret,
    scopes: fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 3 })),
  }, {
    requiredKeys: ["scheme", "token_url", "client_id", "client_secret"],
  }),
  fc.record({
    scheme: fc.constant("hmac"),
    secret,
    algorithm: fc.constantFrom("sha256", "sha512"),
    encoding: fc.constantFrom("hex", "base64"),
    key_id: word,
    timestamp_header: fc.constant("Time"),
    sign: fc.constantFrom("{method} {path}", "{body}\n{timestamp}"),
  }, { requiredKeys: ["scheme", "secret"] }),
);
const checks = {
  extract: fc.dictionary(
    fc.stringMatching(/^v[a-z]{1,3}$/),
    path,
    { maxKeys: 2 },
  ),
  assert: fc.array(assertion, { maxLength: 3 }),
  throttle,
  auth,
  on_failure: fc.constantFrom("abort_flow", "abort_run", "record"),
};
const calls = fc.record(
  { call, headers, query, body: json, retry, ...checks },
  { requiredKeys: ["call"] },
);
const waits = fc.record({ wait: duration });
const polls = fc.record({
  poll: fc.record({
    call,
    headers,
    query,
    body: json,
    until: fc.array(assertion, { minLength: 1, maxLength: 2 }),
    interval: duration,
    timeout: duration,
    max_attempts: fc.integer({ min: 1, max: 9 }),
  }, { requiredKeys: ["call", "until", "interval", "timeout"] }),
  ...checks,
}, { requiredKeys: ["poll"] });
const graphqls = fc.record({
  graphql: fc.record({
    query: fc.constantFrom("{ a }", "query Q { b }\n"),
    url: fc.constantFrom("/graphql", "/g/{{ user.id }}"),
    on_errors: fc.constantFrom("fail", "allow_partial", "ignore"),
  }, { requiredKeys: ["query", "url"] }),
  headers,
  retry,
  ...checks,
}, { requiredKeys: ["graphql"] });
const grpcs = fc.record({
  grpc: fc.record({
    method: fc.constantFrom("a.B/C", "/a.b.C/D"),
    proto: fc.constant("a.proto"),
    import_paths: fc.array(word, { maxLength: 2 }),
    url: fc.constantFrom("grpc://localhost:1", "grpcs://h:{{ env.PORT }}"),
    message: fc.dictionary(word, json, { maxKeys: 2 }),
  }, { requiredKeys: ["method", "proto"] }),
  retry,
  on_failure: checks.on_failure,
}, { requiredKeys: ["grpc"] });
const profile = fc.record({
  mode: fc.constantFrom("integration", "system", "load", "stress", "soak"),
  vus: fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.record({ ramp: fc.constantFrom("1 -> 9 over 1.5s", "5->0  over 2m") }),
  ),
  hold: duration,
  iterations: fc.integer({ min: 1, max: 99 }),
  arrival_cap: fc.constantFrom("50/s", "7/m", "3/250ms", "9 / h"),
  thresholds: fc.array(
    fc.constantFrom(
      "p95(latency) < 300ms",
      "error_rate<=1.1%",
      "avg(latency)>0s",
    ),
    { maxLength: 2 },
  ),
}, { requiredKeys: ["mode", "hold"] });

/** A correct flow as the data of its YAML file. */
export const randomFlow: fc.Arbitrary<Record<string, unknown>> = fc.record({
  flow: word,
  profile,
  auth,
  data: fc.constant("rows.csv"),
  steps: fc.array(fc.oneof(calls, waits, polls, graphqls, grpcs), {
    minLength: 1,
    maxLength: 4,
  }),
}, { requiredKeys: ["flow", "data", "steps"] }).map((flow) => ({
  ...flow,
  steps: flow.steps.map((step, index) => ({ id: `s${index}`, ...step })),
}));
