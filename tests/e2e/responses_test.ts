import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce, spansOf } from "../support/run_fixture.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const BODY = '{"v":"é"}';

/** A response whose body has a content coding. */
function coded(coding: string, pack: (text: string) => Uint8Array): string {
  const bytes = pack(BODY);
  return `${OK}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n` +
    String.fromCharCode(...bytes);
}

const LATIN = String.fromCharCode(...new TextEncoder().encode(BODY));

/** Responses that all say the same, by path. */
const SAME: Readonly<Record<string, string>> = {
  length: `${OK}Content-Length: ${LATIN.length}\r\n\r\n${LATIN}`,
  chunks: `${OK}Transfer-Encoding: chunked\r\n\r\n3;ext=1\r\n${
    LATIN.slice(0, 3)
  }\r\n${(LATIN.length - 3).toString(16)}\r\n${
    LATIN.slice(3)
  }\r\n0\r\nX-Trailer: t\r\n\r\n`,
  interim:
    `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: ${LATIN.length}\r\n\r\n${LATIN}`,
  gzip: coded("gzip", gzipSync),
  deflate: coded("deflate", deflateSync),
  br: coded("br", brotliCompressSync),
};

Deno.test("responses: the body is read however it is framed and coded", async () => {
  await using server = recordingServer(({ line }) =>
    SAME[line.replace("GET /", "")]
  );
  const names = Object.keys(SAME);
  const steps = names.map((name) =>
    `  - { id: ${name}, call: GET /${name}, assert: [$.v == é], on_failure: record }\n`
  );
  const flow = `flow: framings\nsteps:\n${steps.join("")}`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.accepted, 1, "every one of them keeps the connection");
  const bodies = spansOf(run, "http_call").map(({ response }) =>
    response?.body
  );
  deepStrictEqual(bodies, names.map(() => BODY), "and is stored readable");
});

Deno.test("responses: HEAD, 204 and 304 have no body, whatever their head says", async () => {
  const head = "Content-Length: 100\r\n\r\n";
  await using server = recordingServer(({ line }) =>
    line.startsWith("HEAD")
      ? `${OK}${head}`
      : line === "GET /304"
      ? `HTTP/1.1 304 Not Modified\r\n${head}`
      : "HTTP/1.1 204 No Content\r\n\r\n"
  );
  const flow = `flow: bodiless
steps:
  - { id: head, call: HEAD /, assert: ['header.Content-Length == "100"', $.v not_exists] }
  - { id: empty, call: DELETE /204, assert: [status == 204] }
  - { id: same, call: GET /304, assert: [status == 304] }
  - { id: again, call: HEAD / }
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.accepted, 1);
});

Deno.test("responses: where a redirect or a page came in place of JSON, a failure says so", async () => {
  await using server = recordingServer(({ line }) =>
    line === "GET /moved"
      ? "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n"
      : `${OK}Content-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>hi</p>`
  );
  const flow = `flow: pages
steps:
  - { id: moved, call: GET /moved, extract: { v: $.v }, on_failure: record }
  - { id: page, call: GET /page, assert: [$.v == 1] }
`;
  const run = await runOnce({ flow, url: server.url });
  const messages = run.meta.failures.map(({ message }) => message);
  deepStrictEqual(messages.sort(), [
    "$.v == 1 does not hold: $.v does not exist (the body is not JSON; status 200, text/html)",
    "cannot extract `v`: $.v does not exist (the body is empty; status 302)",
  ]);
});

Deno.test("responses: a connection the server closes is replaced, without a failure", async () => {
  const rows = [
    `${OK}Connection: close\r\nContent-Length: 2\r\n\r\n{}`,
    `${OK}\r\n{"until":"closed"}`,
    `HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}`,
  ];
  await using server = recordingServer(async ({ index, connection }) => {
    await connection.send(rows[index % rows.length]!);
    connection.close();
    return undefined;
  });
  const steps = [0, 1, 2, 3, 4, 5].map((n) =>
    `  - { id: s${n}, call: GET /${n} }\n`
  );
  const flow = `flow: closing\nsteps:\n${steps.join("")}`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.accepted, 6);
  equal(server.arrivals.length, 6);
});

Deno.test("responses: a host name has its look-up among the phases", async () => {
  await using server = recordingServer(() => SAME["length"]);
  const flow = "flow: named\nsteps:\n  - { id: one, call: GET /one }\n";
  const url = server.url.replace("127.0.0.1", "localhost");
  const run = await runOnce({ flow, url });
  equal(run.code, 0, run.stdout + run.stderr);
  const names = run.traces[0]!.spans.map(({ name }) => name);
  deepStrictEqual(
    names,
    ["one", "http_call", "dns", "connect", "ttfb", "transfer"],
  );
});

Deno.test("responses: a long body is stored cut, and extracted whole", async () => {
  const filler = "x".repeat(100_000);
  const text = JSON.stringify({ filler, last: 7 });
  await using server = recordingServer(() =>
    `${OK}Content-Length: ${text.length}\r\n\r\n${text}`
  );
  const flow =
    "flow: long\nsteps:\n  - { id: one, call: GET /one, assert: [$.last == 7] }\n";
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  const response = spansOf(run, "http_call")[0]?.response;
  deepStrictEqual(
    [response?.body?.length, response?.body_bytes, response?.body_truncated],
    [65_536, text.length, true],
  );
});

Deno.test("responses: bytes sent and received are counted by step", async () => {
  await using server = recordingServer(() => SAME["length"]);
  const flow =
    "flow: bytes\nsteps:\n  - { id: one, call: POST /one, body: { a: 1 } }\n";
  const run = await runOnce({ flow, url: server.url });
  const [step] = run.meta.steps;
  equal(step!.bytes_sent, server.arrivals[0]!.text.length);
  equal(step!.bytes_received, SAME["length"]!.length);
});

Deno.test("assertions: latency, headers and patterns are judged on the real response", async () => {
  await using server = recordingServer(() =>
    `${OK}X-Kind: json; v=2\r\nContent-Length: ${LATIN.length}\r\n\r\n${LATIN}`
  );
  const flow = `flow: judged
steps:
  - id: one
    call: GET /one
    assert:
      - latency < 5s
      - header.x-kind contains v=2
      - header.X-Kind matches ^json
      - header.X-None == null
      - $.v != null
      - latency < 1us
      - $.v < 3
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 1);
  const failed = run.traces[0]!.spans.filter(({ name, outcome }) =>
    name.startsWith("one.assert@") && outcome === "failed"
  );
  deepStrictEqual(failed.map(({ name }) => name), [
    "one.assert@5",
    "one.assert@6",
  ]);
  equal(failed[0]!.failure?.actual?.type, "duration");
  equal(failed[1]!.failure?.actual?.type, "string");
  match(run.stdout, /flow\.yaml:11:9/);
  ok(run.stdout.includes("latency < 1us"));
});
