import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { bench } from "../support/bench.ts";
import { http2Front } from "../support/http2_front.ts";
import { bodyOf, recordingServer } from "../support/recording_server.ts";
import { type FixtureRun, runOnce, spansOf } from "../support/run_fixture.ts";
import { authority, server as pair } from "../support/tls/certificates.ts";

const FLOW = "flow: versions\nsteps:\n  - { id: one, call: GET /one }\n";
const FILES = { "ca.pem": authority };
const TRUSTED = ["--cacert", "ca.pem"];

/** What was spoken, as the run says it. */
function versions(run: FixtureRun): unknown[] {
  return [
    run.meta.steps.map((step) => step.http_versions),
    spansOf(run, "http_call").map((span) => span.attributes?.["http_version"]),
  ];
}

function said(run: FixtureRun): string {
  return run.stdout + run.stderr;
}

const CHOICES: readonly (readonly [
  says: string,
  allowHTTP1: boolean,
  args: readonly string[],
  version: string,
])[] = [
  ["offers both over TLS, and the server takes HTTP/2", true, [], "2"],
  ["the same by name", true, ["--http", "auto"], "2"],
  ["HTTP/1.1 alone, where it is asked for", true, ["--http", "1.1"], "1.1"],
  ["HTTP/2 alone, where it is asked for", false, ["--http", "2"], "2"],
];

for (const [says, allowHTTP1, args, version] of CHOICES) {
  Deno.test(`--http: ${says}, on either TLS implementation`, async () => {
    await using server = recordingServer();
    await using front = await http2Front(server.url, { tls: pair, allowHTTP1 });
    for (const trust of [TRUSTED, ["--insecure"]]) {
      const run = await runOnce(
        { flow: FLOW, url: front.url, files: FILES },
        [...trust, ...args],
      );
      equal(run.code, 0, said(run));
      deepStrictEqual(versions(run), [[[version]], [version]]);
      equal(spansOf(run, "tls").length, 1);
    }
  });
}

Deno.test("--http: a server over TLS that knows HTTP/1.1 alone is spoken to so, unless HTTP/2 is asked for", async () => {
  await using server = recordingServer(undefined, { tls: pair });
  const files = { flow: FLOW, url: server.url, files: FILES };
  const run = await runOnce(files, TRUSTED);
  equal(run.code, 0, said(run));
  deepStrictEqual(versions(run), [[["1.1"]], ["1.1"]]);
  const before = server.arrivals.length;
  for (const trust of [TRUSTED, ["--insecure"]]) {
    const wrong = await runOnce(files, [...trust, "--http", "2"]);
    equal(wrong.code, 1);
    match(
      wrong.meta.failures[0]!.message,
      /^No (HTTP\/2|TLS) with `127\.0\.0\.1`/,
    );
    equal(wrong.meta.requests, 0);
  }
  equal(server.arrivals.length, before, "nothing is sent without agreement");
});

Deno.test("--http: clear text is HTTP/1.1 unless HTTP/2 is asked for", async () => {
  await using server = recordingServer();
  const run = await runOnce({ flow: FLOW, url: server.url });
  deepStrictEqual(versions(run), [[["1.1"]], ["1.1"]]);
  const wrong = await runOnce({ flow: FLOW, url: server.url }, ["--http", "2"]);
  equal(wrong.code, 1);
  match(wrong.meta.failures[0]!.message, /^connection closed|does not speak/);
  const unknown = await bench([
    ...["run", "flow.yaml", "--target", "here", "--http", "3"],
  ]);
  equal(unknown.code, 2);
  match(unknown.stderr, /'3' is invalid.*1\.1, 2, auto/);
});

Deno.test("--http 2: the fields of HTTP/1.1 but Host, and the same body", async () => {
  await using server = recordingServer(() => rawResponse(200, { ok: true }));
  await using front = await http2Front(server.url);
  const flow = `flow: fields
auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
steps:
  - id: first
    call: GET /items?x=1
    headers: { X-B: " two ", X-A: "1", User-Agent: "" }
    query: { q: "a b" }
    extract: { v: $.ok }
  - id: second
    call: POST /items
    headers: { X-V: "{{ v }}" }
    body: { b: "{{ v }}", a: é }
  - { id: third, call: PUT /empty }
  - { id: fourth, call: HEAD /head }
`;
  const env = { TOKEN: "token-of-the-test" };
  const run = await runOnce({ flow, url: front.url }, ["--http", "2"], { env });
  const plain = await runOnce({ flow, url: server.url }, [], { env });
  deepStrictEqual([run.code, plain.code], [0, 0], said(run) + said(plain));
  const fields = (index: number) => {
    const { text, line } = server.arrivals[index]!;
    const head = text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n").slice(1)
      .map((field) => field.toLowerCase().replace(/: +/, ": ").trim())
      .filter((field) =>
        !/^(?:host|connection|transfer-encoding|content-length: 0)/.test(field)
      );
    return [
      line,
      head.sort(),
      bodyOf({ text }).replace(/^c\r\n|\r\n0\r\n.*$/gs, ""),
    ];
  };
  for (const index of [0, 1, 2, 3]) {
    deepStrictEqual(fields(index), fields(index + 4));
  }
  equal(front.accepted, 1);
  const [first, second] = spansOf(run, "http_call");
  equal(first!.request!.line, "GET /items?x=1&q=a%20b HTTP/2");
  deepStrictEqual(first!.request!.headers, [
    ["x-a", "1"],
    ["x-b", "two"],
    ["authorization", "Bearer [redacted]"],
  ]);
  equal(second!.request!.body, '{"a":"é","b":true}');
  equal(second!.response!.line, "HTTP/2 200");
  ok(!JSON.stringify(run.traces).includes(env.TOKEN));
});

Deno.test("--http 2: each VU has one connection, and a 5 MB body comes whole", async () => {
  const large = "x".repeat(5_000_000);
  await using server = recordingServer(({ line }) =>
    rawResponse(200, line === "GET /large" ? { large } : { ok: true })
  );
  await using front = await http2Front(server.url);
  const flow = `flow: load
profile: { mode: load, vus: 3, iterations: 12 }
steps:
  - { id: large, call: GET /large, assert: ["$.large matches ^x+$"] }
  - { id: small, call: POST /small, body: { n: 1 }, assert: [$.ok == true] }
`;
  const run = await runOnce({ flow, url: front.url }, [
    ...["--http", "2", "--workers", "1"],
  ]);
  equal(run.code, 0, said(run));
  equal(run.meta.iterations.passed, 12);
  equal(front.accepted, 3);
  deepStrictEqual(run.meta.steps.map((step) => step.http_versions), [
    ["2"],
    ["2"],
  ]);
  ok(run.meta.steps[0]!.bytes_received > 12 * large.length);
  match(run.stdout, /steps .* http$/m);
});
