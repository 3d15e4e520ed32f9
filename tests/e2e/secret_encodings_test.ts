import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
} from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import fc from "fast-check";
import "../support/fixed_seed.ts";
import * as zlib from "node:zlib";
import { ENCODERS } from "../support/encodings.ts";
import { grpcServer, respond } from "../support/grpc_server.ts";
import { readable } from "../support/recoverable.ts";
import { rawResponse } from "../support/raw_response.ts";
import { headerOf, recordingServer } from "../support/recording_server.ts";
import {
  type FixtureRun,
  runFixture,
  spansOf,
} from "../support/run_fixture.ts";
import { wsServer } from "../support/ws_server.ts";

const SECRETS: Readonly<Record<string, string>> = {
  TOKEN: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqb2UifQ.dozjgNryP4J3jVmNHl0w5N_XgL0",
  PASSWORD: 'Gr0ße "Pläne" & <Wörter>/+=%?\\',
  KEY: "9f86d081884c7d659a2feaa0c55ad015",
  WORD: "tr0ub4dor&3",
  LINES: "-----BEGIN KEY-----\nMIIBVQIBADANBgkq\n-----END KEY-----\n",
  LOOKS: "p%41ss\\u0041&lt;w=3Drd\\n",
  NAME: "İstanbul-ﬁne-ŉΣς-🔑-e\u0301x",
};

/** Ids and hashes hold digits of any kind. */
const ID = /^(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})$/;

/** So many characters in a row are not there by chance. */
const LEAST = 7;

/** Pieces of secrets that can be read out of a run's files and output. */
function leaks(
  run: FixtureRun,
  secrets: readonly string[] = Object.values(SECRETS),
): string[] {
  const texts = [...Deno.readDirSync(run.dir)].flatMap(({ name }) =>
    strings(JSON.parse(Deno.readTextFileSync(join(run.dir, name))))
      .map((text) => [name, text] as const)
  );
  const bodies = spansOf(run, "http_call")
    .flatMap(({ response }) =>
      response?.body_encoding === "base64" && response.body
        ? decompressed(response.body)
        : []
    )
    .map((text) => ["a body", text] as const);
  const locations = new Map<string, string>([
    [run.stdout, "stdout"],
    [run.stderr, "stderr"],
    ...[...texts, ...bodies].map(([location, text]) =>
      [text, location] as const
    ),
  ]);
  return [...locations].flatMap(([text, location]) => {
    const piece = readable(secrets, text, LEAST);
    return piece === undefined ? [] : [`${piece} in ${location}: ${text}`];
  });
}

/** What a compressed body says, as far as it can be decompressed. */
function decompressed(base64: string): string[] {
  const bytes = Buffer.from(base64, "base64");
  const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const ways = [
    () => zlib.gunzipSync(bytes, options),
    () => zlib.gunzipSync(bytes.subarray(0, -4), options),
    () => zlib.brotliDecompressSync(Buffer.concat([bytes, Buffer.alloc(8)])),
  ];
  return ways.flatMap((way) => {
    try {
      const plain = way();
      return [plain.toString(), plain.toString("latin1")];
    } catch {
      return [];
    }
  });
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return ID.test(value) ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...strings(each),
  ]);
}

const CODINGS: Readonly<
  Record<string, (text: Buffer) => { bytes: Buffer; fields: string[] }>
> = {
  "as it is": (bytes) => ({ bytes, fields: [] }),
  "JSON": (text) => ({
    bytes: Buffer.from(JSON.stringify({ text: text.toString() })),
    fields: ["Content-Type: application/json"],
  }),
  "gzip": (text) => ({
    bytes: zlib.gzipSync(text),
    fields: ["Content-Encoding: gzip"],
  }),
  "gzip that breaks off": (text) => ({
    bytes: zlib.gzipSync(text).subarray(0, -9),
    fields: ["Content-Encoding: gzip"],
  }),
  "gzip with something behind it": (text) => ({
    bytes: Buffer.concat([zlib.gzipSync(text), Buffer.from("more")]),
    fields: ["Content-Encoding: gzip"],
  }),
  "br that breaks off": (text) => ({
    bytes: zlib.brotliCompressSync(text).subarray(0, -2),
    fields: ["Content-Encoding: br"],
  }),
  "an unknown coding": (bytes) => ({
    bytes,
    fields: ["Content-Encoding: aws-chunked"],
  }),
  "a gzip file": (text) => ({
    bytes: zlib.gzipSync(text),
    fields: ["Content-Type: application/gzip"],
  }),
  "UTF-16": (text) => ({
    bytes: Buffer.from(text.toString(), "utf16le"),
    fields: ["Content-Type: text/plain; charset=utf-16"],
  }),
  "UTF-16 that is not declared": (text) => ({
    bytes: Buffer.from(text.toString(), "utf16le").swap16(),
    fields: ["Content-Type: application/octet-stream"],
  }),
};

/** A layer each; a body in JSON is one more. */
const LAYERS = Object.keys(ENCODERS).filter((name) => name !== "JSON of JSON");
const around = fc.constantFrom("", " ", '"', "user:", "x=", "/a/", "%", "é");
const echo = fc.record({
  secret: fc.constantFrom(...Object.values(SECRETS)),
  layers: fc.array(
    fc.tuple(fc.constantFrom(...LAYERS), around, around),
    { maxLength: 2 },
  ),
  coding: fc.constantFrom(...Object.keys(CODINGS)),
  partial: fc.boolean(),
  // So that the value is cut somewhere in a message.
  before: fc.integer({ min: 0, max: 220 }),
});

Deno.test("secrets: no piece of one can be read out of a run directory, however the target encodes it", async () => {
  const { seed, numRuns = 60 } = fc.readConfigureGlobal();
  // A run of more takes long to read.
  const echoes = fc.sample(echo, Math.min(numRuns, 600));
  await using server = recordingServer(({ line }) => {
    const { secret, layers, coding, partial, before } =
      echoes[parseInt(line.slice("GET /".length))]!;
    const text = layers.reduce(
      (inner, [how, left, right]) => ENCODERS[how]!(left + inner + right),
      secret,
    );
    const { bytes, fields } = CODINGS[coding]!(
      Buffer.from(".".repeat(before) + text),
    );
    // A header holds what is visible ASCII and no more.
    if (/^[!-~]+$/.test(text)) fields.push(`X-Echo: ${text}`);
    const head = [
      `HTTP/1.1 ${partial ? "206 Part" : "200 OK"}`,
      `Content-Length: ${bytes.length}`,
      ...fields,
    ];
    return `${head.join("\r\n")}\r\n\r\n${bytes.toString("latin1")}`;
  });
  const rows = echoes.map((_, n) => `${n}\n`).join("");
  using fixture = runFixture({
    url: server.url,
    files: { "rows.csv": `n\n${rows}` },
    flow: `flow: echoes
data: rows.csv
steps:
  - id: ask
    call: GET /{{ user.n }}
    headers: { X-Keys: "{{ env.TOKEN }} {{ env.KEY }} {{ env.WORD }}" }
    query: { p: "{{ env.PASSWORD }}{{ env.LINES }}", q: "{{ env.LOOKS }}", r: "{{ env.NAME }}" }
    assert: [$.text == nothing, $ == nothing, header.X-Echo == nothing]
    on_failure: record
`,
  });
  const run = await fixture.run([], { env: SECRETS });
  equal(run.code, 1, run.stderr);
  equal(run.meta.status, "finished", run.meta.abort_reason ?? "");
  const responses = spansOf(run, "http_call").map(({ response }) => response);
  equal(responses.filter((each) => each).length, echoes.length);
  deepStrictEqual(leaks(run), [], `BENCH_SEED=${seed}`);
});

const PROTO = `syntax = "proto3";
package safe;
message Key { bytes key = 1; string text = 2; }
service Safe { rpc Put(Key) returns (Key); }
`;

Deno.test("secrets: what the way to a gRPC server makes of one is hidden", async () => {
  // Echoes metadata in trailers and the message as it came.
  await using server = await grpcServer((call) => {
    respond(call, call.message, {
      "x-blob-bin": String(call.headers["x-blob-bin"]),
      "x-text": String(call.headers["x-text"]),
    });
  });
  // base64url with padding: sent without, and shown in the other alphabet.
  const KEY = "-_7dzLuqmYh3ZlVEMyIRAP8=";
  const env = { KEY, TEXT: "  wide-open-spaces " };
  using fixture = runFixture({
    url: `http://127.0.0.1:${server.port}`,
    files: { "safe.proto": PROTO },
    flow: `flow: safe
steps:
  - id: put
    grpc:
      proto: safe.proto
      method: safe.Safe/Put
      message: { key: "{{ env.KEY }}", text: "{{ env.TEXT }}" }
    headers:
      X-Blob-Bin: "{{ env.BLOB }}"
      X-Text: "{{ env.TEXT }}"
    assert: [$.key == other, header.x-blob-bin == other]
`,
  });
  const BLOB = KEY.replaceAll("-", "+").replaceAll("_", "/");
  const run = await fixture.run([], { env: { ...env, BLOB } });
  equal(run.meta.requests, 1, run.stdout + run.stderr);
  const [call] = spansOf(run, "http_call");
  match(JSON.stringify(call!.request!.headers), /"x-text","\[redacted\]"/);
  match(JSON.stringify(call!.request!.headers), /"x-blob-bin","\[redacted\]"/);
  match(call!.request!.body!, /"key":"\[redacted\]"/);
  deepStrictEqual(leaks(run, ["wide-open", KEY, BLOB]), []);
});

Deno.test("secrets: half of one in an excerpt of a response is hidden", async () => {
  const { TOKEN } = SECRETS;
  const heads = [
    `HTTP/1.1 200 OK\r\nContent-Length: ${TOKEN}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${TOKEN}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nContent-Encoding: ${TOKEN}\r\nContent-Length: 3\r\n\r\n\xff\xfe\xfd`,
  ];
  await using server = recordingServer(({ index }) => heads[index]);
  const steps = heads.map((_, n) =>
    `  - { id: s${n}, call: "GET /{{ env.TOKEN }}", assert: [$.x == 1], on_failure: record }\n`
  );
  using fixture = runFixture({
    url: server.url,
    flow: `flow: excerpts\nsteps:\n${steps.join("")}`,
  });
  const run = await fixture.run([], { env: SECRETS });
  const messages = run.meta.failures.map(({ message }) => message).join("\n");
  match(messages, /Content-Length: `\[redacted\]…`/);
  match(messages, /Transfer-Encoding: `\[redacted\]…`/);
  match(messages, /content coding `\[redacted\]…`/);
  deepStrictEqual(leaks(run, [TOKEN!, TOKEN!.toLowerCase()]), []);
});

Deno.test("secrets: one that the end of a long body cuts is hidden", async () => {
  const { PASSWORD } = SECRETS;
  const line = `${"=".repeat(1024 - PASSWORD!.length)}${PASSWORD}`;
  const body = Buffer.from(line.repeat(400)).subarray(7);
  const head = `HTTP/1.1 400 No\r\nContent-Length: ${body.length}\r\n\r\n`;
  await using server = await wsServer({
    upgrade(_, stream) {
      stream.end(Buffer.concat([Buffer.from(head), body]));
      return false;
    },
  });
  using fixture = runFixture({
    url: server.url,
    flow: `flow: long
steps:
  - { id: open, ws: { url: "/?{{ env.PASSWORD }}" }, on_failure: record }
`,
  });
  const run = await fixture.run([], { env: SECRETS });
  const [call] = spansOf(run, "http_call");
  equal(call!.response!.body_truncated, true, run.stdout);
  match(call!.response!.body!, /^=+\[redacted\]=+\[redacted\]=/);
  doesNotMatch(call!.response!.body!, /Gr0|W.rter/);
});

Deno.test("secrets: a host name is hidden as the wire shows it", async () => {
  const env = { HOST: "LocalHost", PORT: "1" };
  using fixture = runFixture({
    url: "http://localhost:1",
    flow: `flow: host
steps:
  - id: ask
    call: "GET http://{{ env.HOST }}:1/"
    on_failure: record
`,
  });
  const run = await fixture.run([], { env });
  equal(run.meta.iterations.failed, 1, run.stderr);
  doesNotMatch(JSON.stringify(run.traces), /localhost/i);
  match(JSON.stringify(run.traces), /"origin":"http:\/\/\[redacted\]:1"/);
});

Deno.test("secrets: a URL is hidden as the wire shows it", async () => {
  using fixture = runFixture({
    url: "http://localhost:1",
    flow: `flow: host
steps:
  - { id: ask, call: "GET {{ env.URL }}/x", on_failure: record }
`,
  });
  const run = await fixture.run([], {
    env: { URL: "http://[::ffff:127.0.0.9]:09871" },
  });
  equal(run.meta.iterations.failed, 1, run.stderr);
  match(run.stdout, /`\[redacted\]` is not on the target's allow-list/);
  doesNotMatch(JSON.stringify([run.stdout, run.meta, run.traces]), /7f00/);
});

Deno.test("secrets: the host of a URL is hidden where a refusal names it, but for that of a base URL", async () => {
  using fixture = runFixture({
    url: "http://localhost:1",
    flow: `flow: host
steps:
  - { id: whole, call: "GET {{ env.URL }}/x", on_failure: record }
  - { id: base, call: "GET {{ env.BASE }}/x", on_failure: record }
`,
  });
  const run = await fixture.run([], {
    env: {
      URL: "http://Host-Secret.example:81/path",
      BASE: "http://localhost:82",
    },
  });
  equal(run.meta.iterations.failed, 1, run.stderr);
  const shown = JSON.stringify([run.stdout, run.meta, run.traces]);
  doesNotMatch(shown, /host-secret/i);
  match(shown, /`http:\/\/\[redacted\]:81` is not on the target/);
  match(shown, /permits `http:\/\/localhost:1`/);
  const refused = await fixture.run([], {
    env: { URL: "http://Host-Secret^.example/path", BASE: "http://localhost" },
  });
  match(refused.stderr, /`\[redacted\]` is not a usable host/);
});

Deno.test("secrets: the path of a value that begins in the host of a URL is hidden", async () => {
  await using server = recordingServer(({ line }) =>
    rawResponse(200, { path: line.split(/[ ?]/)[1]! })
  );
  using fixture = runFixture({
    url: server.url,
    flow: `flow: place
steps:
  - { id: at, call: "GET http://{{ env.PLACE }}/items" }
`,
  });
  const run = await fixture.run([], {
    env: { PLACE: `${new URL(server.url).host}/tenants/pathSecret` },
  });
  equal(run.meta.iterations.passed, 1, run.stderr);
  const shown = JSON.stringify([run.stdout, run.meta, run.traces]);
  doesNotMatch(shown, /pathSecret/);
  match(shown, /"GET \[redacted\]\/items HTTP/);
});

Deno.test("secrets: what a request has of a URL is hidden, but for the path of a base URL", async () => {
  await using server = recordingServer(({ line }) =>
    rawResponse(200, { path: line.split(/[ ?]/)[1]!, sig: "sigNature1" })
  );
  using fixture = runFixture({
    url: `${server.url}/api`,
    flow: `flow: hook
steps:
  - { id: hook, call: "POST {{ env.HOOK }}&n=1", assert: [status == 201], on_failure: record }
  - { id: base, call: "GET {{ env.BASE }}/items" }
`,
  });
  const run = await fixture.run([], {
    env: {
      HOOK: `${server.url}/services/T01/pathSecret?sig=sigNature1#top`,
      BASE: `${server.url}/api`,
    },
  });
  equal(run.meta.status, "finished", run.stderr);
  const shown = JSON.stringify([run.stdout, run.meta, run.traces]);
  doesNotMatch(shown, /pathSecret|sigNature1/);
  match(shown, /"POST \[redacted\]\?\[redacted\]&n=1 HTTP/);
  match(shown, /"GET \/api\/items HTTP/);
});

Deno.test("secrets: the credential in a header from the environment is hidden where it stands alone", async () => {
  await using server = recordingServer((arrival) => {
    const [, token = ""] = headerOf(arrival, "Authorization")?.split(" ") ?? [];
    const [, sid] = headerOf(arrival, "Cookie")?.split(/[=;]/) ?? [];
    return rawResponse(200, {
      token,
      pair: Buffer.from(token, "base64").toString(),
      sid,
    });
  });
  using fixture = runFixture({
    url: server.url,
    flow: `flow: headers
steps:
  - { id: bearer, call: GET /, headers: { Authorization: "{{ env.BEARER }}" } }
  - { id: basic, call: GET /, headers: { Authorization: "Basic {{ env.BASIC }}" } }
  - { id: cookie, call: GET /, headers: { Cookie: "{{ env.COOKIES }}" } }
`,
  });
  const run = await fixture.run([], {
    env: {
      BEARER: "Bearer tokenSecret12",
      BASIC: btoa("ada:pass:Secret7"),
      COOKIES: "sid=sessionSecret; theme=dark",
    },
  });
  equal(run.meta.iterations.passed, 1, run.stderr);
  const shown = JSON.stringify(run.traces);
  doesNotMatch(shown, /tokenSecret|pass:Secret|sessionSecret/);
  match(shown, /ada:\[redacted\]/);
});

Deno.test("secrets: user and password of --proxy are stored nowhere, though the proxy repeats them", async () => {
  const [user, password] = ["proxy-user", "pr0xy%pass"] as const;
  const blob = btoa(`${user}:${password}`);
  await using proxy = recordingServer((arrival) => {
    const heard = headerOf(arrival, "Proxy-Authorization");
    equal(heard, `Basic ${blob}`);
    return `HTTP/1.1 407 ${heard} ${user} ${password}\r\nContent-Length: 0\r\n\r\n`;
  });
  using fixture = runFixture({
    flow: "flow: through\nsteps:\n  - { id: one, call: GET /one }\n",
    url: "http://127.0.0.1:1",
  });
  const at = proxy.url.replace("http://", `http://${user}:pr0xy%25pass@`);
  const run = await fixture.run(["--proxy", at]);
  equal(run.code, 1, run.stdout + run.stderr);
  deepStrictEqual(leaks(run, [user, password, blob]), []);
  match(JSON.stringify(run.meta.failures), /\[redacted\]/);
});

Deno.test("--proxy without a port, or with a percent-encoding that is none, is refused", async () => {
  using fixture = runFixture({
    flow: "flow: through\nsteps:\n  - { id: one, call: GET /one }\n",
    url: "http://127.0.0.1:1",
  });
  for (const proxy of ["http://u:%ff@h:9", "h", "http://h", "http://[::1]"]) {
    const run = await fixture.run(["--proxy", proxy]);
    equal(run.code, 2, run.stderr);
    match(run.stderr, /^--proxy: .*it must be http:\/\/host:port/m);
    doesNotMatch(run.stderr, /%ff/);
  }
});
