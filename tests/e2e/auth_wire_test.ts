import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { rawResponse } from "../support/raw_response.ts";
import {
  type Arrival,
  bodyOf,
  headerOf,
  recordingServer,
} from "../support/recording_server.ts";
import { HTTP_VERSIONS } from "../../lib/model/result/response.ts";
import { spoken } from "../support/spoken.ts";
import { VERSION } from "../../lib/base/values/build.ts";
import { runOnce } from "../support/run_fixture.ts";

const SCHEMES = `flow: schemes
auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
steps:
  - id: inherits
    call: GET /inherits
    extract: { issued: $.token }
  - id: extracted
    call: GET /extracted
    auth: { scheme: bearer, token: "{{ issued }}" }
  - id: out
    call: GET /out
    auth: { scheme: none }
  - id: basic
    call: GET /basic
    auth: { scheme: basic, username: ada, password: "{{ env.PASSWORD }}" }
  - id: key-header
    call: GET /key
    auth: { scheme: api_key, name: X-Api-Key, value: "{{ env.TOKEN }}" }
  - id: key-query
    call: GET /key?z=1
    query: { a: 2 }
    auth: { scheme: api_key, name: api key, value: "{{ env.PASSWORD }}", in: query }
  - id: cookie
    call: GET /cookie
    auth: { scheme: cookie, name: sid, value: "{{ env.TOKEN }}" }
  - id: cookies
    call: GET /cookies
    headers: { cookie: "lang=en" }
    auth: { scheme: cookie, name: sid, value: "{{ env.TOKEN }}" }
  - id: polls
    poll: { call: GET /poll, until: [status == 200], interval: 1ms, max_attempts: 1 }
`;

for (const version of HTTP_VERSIONS) {
  Deno.test(`auth: what each scheme writes into its request, over HTTP/${version}`, async (t) => {
    await using server = recordingServer(() =>
      rawResponse(200, { token: "issued-42" })
    );
    await using reached = await spoken(server, version);
    const env = { TOKEN: "tok-secret-1", PASSWORD: "pass:word é" };
    const run = await runOnce(
      { flow: SCHEMES, url: reached.url },
      reached.args,
      { env },
    );
    equal(run.code, 0, run.stdout + run.stderr);
    const blob = btoa(String.fromCharCode(
      ...new TextEncoder().encode("ada:pass:word é"),
    ));
    const rows: [rule: string, line: string, header: string, value?: string][] =
      [
        [
          "the flow's default goes to a step without its own",
          "GET /inherits",
          "Authorization",
          "Bearer tok-secret-1",
        ],
        [
          "a bearer token may be extracted by an earlier step",
          "GET /extracted",
          "Authorization",
          "Bearer issued-42",
        ],
        ["none opts out", "GET /out", "Authorization"],
        [
          "basic encodes user and password as UTF-8",
          "GET /basic",
          "Authorization",
          `Basic ${blob}`,
        ],
        [
          "api_key writes a header by default",
          "GET /key",
          "X-Api-Key",
          "tok-secret-1",
        ],
        [
          "api_key in the query comes last, encoded",
          "GET /key?z=1&a=2&api%20key=pass%3Aword%20%C3%A9",
          "Authorization",
        ],
        ["cookie writes a pair", "GET /cookie", "Cookie", "sid=tok-secret-1"],
        [
          "cookie joins a declared Cookie header",
          "GET /cookies",
          "Cookie",
          "lang=en; sid=tok-secret-1",
        ],
        [
          "poll inherits like any request",
          "GET /poll",
          "Authorization",
          "Bearer tok-secret-1",
        ],
      ];
    for (const [index, [rule, line, header, value]] of rows.entries()) {
      await t.step(rule, () => {
        const arrival = server.arrivals[index]!;
        equal(arrival.line, line);
        equal(headerOf(arrival, header), value);
      });
    }
  });
}

const SIGNED = `flow: signed
auth:
  scheme: hmac
  secret: "{{ env.SIGNING_KEY }}"
  key_id: key-7
  timestamp_header: X-Time
steps:
  - id: default
    call: POST /sign?q=1
    body: { b: 2, a: é }
    retry: { on_status: [503], backoff: honor_retry_after, max_attempts: 3, base_delay: 1ms }
  - id: own
    call: GET /own?x=y
    auth:
      scheme: hmac
      secret: "{{ env.SIGNING_KEY }}"
      algorithm: sha512
      encoding: base64
      header: X-Sig
      key_id: key-8
      key_id_header: X-Kid
      timestamp_header: X-Time
      sign: "{method} {path}?{query}|{body}|{body_sha256}|{timestamp}|{key_id}"
`;

for (const version of HTTP_VERSIONS) {
  Deno.test(`hmac: every attempt is signed anew, and the signature verifies, over HTTP/${version}`, async () => {
    await using server = recordingServer(({ index }) =>
      index < 2
        ? rawResponse(503, {}, { "Retry-After": "1" })
        : rawResponse(200)
    );
    await using reached = await spoken(server, version);
    const env = { SIGNING_KEY: "a signing key" };
    const run = await runOnce(
      { flow: SIGNED, url: reached.url },
      reached.args,
      { env },
    );
    equal(run.code, 0, run.stdout + run.stderr);
    equal(server.arrivals.length, 4, "three attempts, then the second step");
    for (const arrival of server.arrivals.slice(0, 3)) {
      const text = [
        "POST",
        "/sign",
        headerOf(arrival, "X-Time"),
        sha256(bodyOf(arrival)),
      ].join("\n");
      equal(
        headerOf(arrival, "X-Signature"),
        createHmac("sha256", env.SIGNING_KEY).update(text).digest("hex"),
      );
      equal(headerOf(arrival, "X-Key-Id"), "key-7");
    }
    // The waits are 1 s each, so that the signing time has moved on.
    const times = server.arrivals.slice(0, 3).map(timeOf);
    ok(times[0]! < times[1]! && times[1]! < times[2]!, `times: ${times}`);
    ok(Math.abs(times[2]! - Date.now() / 1_000) < 60, "Unix seconds");
    const own = server.arrivals[3]!;
    const time = headerOf(own, "X-Time");
    const text = `GET /own?x=y||${sha256("")}|${time}|key-8`;
    equal(
      headerOf(own, "X-Sig"),
      createHmac("sha512", env.SIGNING_KEY).update(text).digest("base64"),
    );
    equal(headerOf(own, "X-Kid"), "key-8");
  });
}

function timeOf(arrival: Arrival): number {
  return Number(headerOf(arrival, "X-Time"));
}

function sha256(latin1: string): string {
  return createHash("sha256").update(latin1, "latin1").digest("hex");
}

Deno.test("auth: a default header that the scheme writes is sent once, with the scheme's value", async () => {
  await using server = recordingServer(() => rawResponse(200));
  const env = { KEY: "key-secret-1", FIELD: "user-agent" };
  const flow = `flow: defaults
steps:
  - id: agent
    call: POST /agent
    auth: { scheme: api_key, name: "{{ env.FIELD }}", value: "{{ env.KEY }}" }
    body: {}
  - id: type
    call: POST /type
    auth: { scheme: api_key, name: content-type, value: "{{ env.KEY }}" }
    body: {}
  - id: signed
    call: POST /signed
    auth: { scheme: hmac, secret: "{{ env.KEY }}", header: User-Agent }
    body: {}
`;
  const run = await runOnce({ flow, url: server.url }, [], { env });
  equal(run.code, 0, run.stdout + run.stderr);
  const fields = server.arrivals.map(({ text }) =>
    [...text.matchAll(/^(user-agent|content-type): (\S+)/gim)]
      .map(([, name, value]) =>
        `${name}: ${value!.replace(/^[0-9a-f]{64}$/, "a signature")}`
      )
  );
  deepStrictEqual(fields, [
    ["user-agent: key-secret-1", "Content-Type: application/json"],
    ["content-type: key-secret-1", `User-Agent: bench/${VERSION}`],
    ["User-Agent: a signature", "Content-Type: application/json"],
  ]);
});
