import fc from "fast-check";
import { type RandomAnswer, randomAnswer } from "./random_answer.ts";

/*
 * Small random flows that `execute()` can run, and what their server answers.
 * Every URL says which flow and step it is of: `/f12/s0...`.
 */

/** Everything both paths need for one flow. */
export interface Script {
  readonly flow: Record<string, unknown>;
  /** Answers of each step and of `token`, in turn; the last again and again. */
  readonly answers: Readonly<Record<string, readonly RandomAnswer[]>>;
}

export const ENV: Readonly<Record<string, string>> = {
  SECRET: "secret-value",
  OTHER: "pass:wörd/+ x",
  SHORT: "ab",
  PATH_PART: "a b/é%2F?#",
  ELSEWHERE: "HTTP://localhost:1",
};
export const ROWS =
  'name,json,n\n"Zoë, ""x""","{""b"":1,""a"":[1.50]}",1\nBob,plain,\n';

const some = { requiredKeys: [] as [] };
const text = fc.constantFrom(
  "plain",
  "é☃😀",
  "a b&c=d+e/f?g#h%",
  "%41%zz",
  "\u0001\u007f",
  "{{ user.name }}",
  "x{{user.json}}y",
  "{{ env.SECRET }}",
  "{{ env.OTHER }}",
  "{{ env.SHORT }}",
  "{{ v }}",
  "{{ w }}{{ v.id }}",
  "",
);
const payload = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.constantFrom(null, true, false, 0, -0, 1.5, 1e21, 1e-7, 2 ** 53 - 1),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom("a", "b", "é", "10", "9", "😀", "\u0080"),
      tie("value"),
      { maxKeys: 3 },
    ),
  ),
})).value;
const headers = fc.dictionary(
  fc.constantFrom(
    "X-A",
    "x-b",
    "User-Agent",
    "content-type",
    "Cookie",
    "Accept",
  ),
  fc.oneof(text, fc.constantFrom(1, 2.5, true)),
  { maxKeys: 3 },
);
const query = fc.dictionary(
  fc.constantFrom("q", "é", "a b", "10", "9"),
  fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.constantFrom(1.1, false)),
  { maxKeys: 3 },
);
const rest = fc.constantFrom(
  "",
  "?x=1&y",
  "/é ü/%41%2f/../a",
  "/{{ env.PATH_PART }}?q={{ user.name }}",
  "/{{ v }}",
  "#fragment",
  "?a={{ w }}#f",
  '/"<>[]|\\^`{}',
);
const path = fc.constantFrom(
  "$",
  "$.id",
  "$.name",
  "$.list",
  "$.list[0]",
  "$.list[-1].a",
  "$.*",
  "$..id",
  "$.data.user.id",
  "$[?@.id > 1]",
  "$['10']",
);
const assertion = fc.constantFrom(
  "status == 200",
  "status < 500",
  "status != 404",
  "$.id == 7",
  '$.id == "7"',
  "$.id > 1",
  "$.id exists",
  "$.name not_exists",
  "$.name contains a",
  "$.name matches ^[A-Z]\\w+",
  "$.list contains 1",
  '$.list == [1,2,{"a":1}]',
  "$.* contains 7",
  "header.X-Id == one",
  "header.x-trailer == t",
  "header.X-Id matches é$",
  "header.Nope exists",
  "latency < 1h",
  "v != 7",
  "v.id == 7",
);
const secret = "{{ env.SECRET }}";
const auth = (url: string) =>
  fc.constantFrom(
    { scheme: "none" },
    { scheme: "bearer", token: secret },
    { scheme: "bearer", token: "{{ v }}" },
    {
      scheme: "basic",
      username: "{{ user.name }}",
      password: "{{ env.OTHER }}",
    },
    { scheme: "api_key", name: "X-Key", value: secret },
    { scheme: "api_key", name: "a key", value: "{{ env.OTHER }}", in: "query" },
    { scheme: "cookie", name: "sid", value: secret },
    {
      scheme: "oauth2_client_credentials",
      token_url: `${url}/token`,
      client_id: "me & {{ user.name }}",
      client_secret: "{{ env.OTHER }}",
      scopes: ["a b", "c"],
    },
    { scheme: "hmac", secret },
    {
      scheme: "hmac",
      secret: "{{ env.OTHER }}",
      algorithm: "sha512",
      encoding: "base64",
      key_id: "{{ user.name }}",
      timestamp_header: "X-Time",
      sign: "{method} {path}?{query} {body} {body_sha256} {timestamp} {key_id}",
    },
  );
const checks = (url: string) => ({
  extract: fc.dictionary(fc.constantFrom("v", "w", "u"), path, { maxKeys: 2 }),
  assert: fc.array(assertion, { maxLength: 2 }),
  throttle: fc.record({
    statuses: fc.subarray([503, 404, 200]),
    as_error: fc.boolean(),
  }, some),
  auth: auth(url),
  on_failure: fc.constantFrom(
    "record",
    "record",
    "record",
    "abort_flow",
    "abort_run",
  ),
});
const retry = fc.record({
  on_status: fc.subarray([503, 429, 500, 200], { minLength: 1 }),
  backoff: fc.constantFrom("fixed", "exponential", "honor_retry_after"),
  max_attempts: fc.integer({ min: 1, max: 3 }),
  base_delay: fc.constantFrom("0ms", "1ms"),
});
const method = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "PURGE",
);

function step(url: string) {
  const call = fc.tuple(method, rest);
  return fc.oneof(
    fc.record(
      { call, headers, query, body: payload, retry, ...checks(url) },
      { requiredKeys: ["call", "on_failure"] },
    ),
    fc.record({
      poll: fc.record({
        call,
        headers,
        body: payload,
        until: fc.array(assertion, { minLength: 1, maxLength: 2 }),
        interval: fc.constant("1ms"),
        max_attempts: fc.integer({ min: 1, max: 3 }),
      }, { requiredKeys: ["call", "until", "interval", "max_attempts"] }),
      ...checks(url),
    }, { requiredKeys: ["poll", "on_failure"] }),
    fc.record({
      graphql: fc.record({
        url: rest,
        query: fc.constant("query Q($v: ID) {\n  user(id: $v) { id }\n}\n"),
        variables: fc.record({ v: payload }),
        operation_name: fc.constant("Q"),
        on_errors: fc.constantFrom("fail", "allow_partial", "ignore"),
      }, { requiredKeys: ["url", "query"] }),
      headers,
      retry,
      ...checks(url),
    }, { requiredKeys: ["graphql", "on_failure"] }),
    fc.constant({ wait: "1ms" }),
  );
}

/** What stands before the path: mostly nothing, as it joins the target's URL. */
const host = (url: string) =>
  fc.constantFrom("", "", "", url, "{{ env.ELSEWHERE }}");

type Made = Record<string, unknown>;

/** Puts the flow's and the step's number into the URL. */
function placed(made: Made, at: string): Made {
  const url = (parts: unknown) => {
    const [method, rest] = parts as [string, string];
    return `${method} ${at}${rest}`;
  };
  if (made.call) return { ...made, call: url(made.call) };
  if (made.poll) {
    const poll = made.poll as Made;
    return { ...made, poll: { ...poll, call: url(poll.call) } };
  }
  if (!made.graphql) return made;
  const graphql = made.graphql as Made;
  return { ...made, graphql: { ...graphql, url: `${at}${graphql.url}` } };
}

const seedPath = fc.constantFrom("$.id", "$.list", "$.name", "$");

/** `count` scripts against the server at `url`. */
export function randomScripts(
  url: string,
  count: number,
  seed: number,
): Script[] {
  const answers = fc.array(randomAnswer, { minLength: 1, maxLength: 3 });
  const script = fc.record({
    v: seedPath,
    w: seedPath,
    steps: fc.array(fc.tuple(step(url), host(url)), {
      minLength: 1,
      maxLength: 4,
    }),
    mode: fc.constantFrom("integration", "system"),
    auth: fc.option(auth(url), { nil: undefined, freq: 3 }),
    answers: fc.dictionary(
      fc.constantFrom("s0", "s1", "s2", "s3", "s4", "token"),
      answers,
      { minKeys: 6 },
    ),
  });
  return fc.sample(script, { numRuns: count, seed }).map((made, index) => {
    const first = {
      id: "s0",
      call: `GET /f${index}/s0`,
      extract: { v: made.v, w: made.w },
      on_failure: "record",
    };
    const others = made.steps.map(([each, host], at) => ({
      id: `s${at + 1}`,
      ...placed(each as Made, `${host}/f${index}/s${at + 1}`),
    }));
    const flow = {
      flow: `f${index}`,
      profile: { mode: made.mode },
      ...(made.auth && { auth: made.auth }),
      data: "rows.csv",
      steps: [first, ...others],
    };
    const written = JSON.stringify(flow)
      .replaceAll(`${url}/token`, `${url}/f${index}/token`);
    return { flow: JSON.parse(written), answers: made.answers };
  });
}
