import { deepStrictEqual, equal, match } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";

/** What a server might say so that it stands in our next request. */
const EVIL = "a\r\nX-Evil: 1\r\n\r\nGET /evil HTTP/1.1\0 #?&%zz";

Deno.test("a value from a response cannot break out of its place in the next request", async () => {
  await using server = recordingServer(() => rawResponse(200, { v: EVIL }));
  const flow = `flow: injection
steps:
  - { id: first, call: GET /first, extract: { v: $.v } }
  - { id: path, call: "GET /p/{{ v }}", on_failure: record }
  - { id: query, call: GET /q, query: { v: "{{ v }}" }, on_failure: record }
  - { id: body, call: POST /b, body: { v: "{{ v }}" }, on_failure: record }
  - { id: header, call: GET /h, headers: { X-V: "{{ v }}" }, on_failure: record }
  - id: bearer
    call: GET /t
    auth: { scheme: bearer, token: "{{ v }}" }
    on_failure: record
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 1);
  deepStrictEqual(server.arrivals.map(({ line }) => line), [
    "GET /first",
    "GET /p/a%0D%0AX-Evil:%201%0D%0A%0D%0AGET%20/evil%20HTTP/1.1%00%20%23%3F&%25zz",
    `GET /q?v=${encodeURIComponent(EVIL)}`,
    "POST /b",
  ]);
  equal(bodyOf(server.arrivals[3]!), JSON.stringify({ v: EVIL }));
  const failed = run.meta.failures.map(({ step, code }) => `${step} ${code}`);
  deepStrictEqual(failed.sort(), ["bearer request", "header request"]);
  for (const { message } of run.meta.failures) {
    match(message, /holds CR, which never goes on the wire$/);
  }
});

Deno.test("control characters of a server never reach the terminal", async () => {
  const escape = "\x1b]0;owned\x07\x1b[31m";
  await using server = recordingServer(() =>
    rawResponse(200, { v: `${escape}red` }, { "X-V": `${escape}red` })
  );
  const flow = `flow: terminal
steps:
  - { id: one, call: GET /one, assert: [$.v == x], on_failure: record }
  - { id: two, call: GET /two, assert: [header.X-V == x] }
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 1);
  // deno-lint-ignore no-control-regex -- the question is whether there are any
  equal(/[\x00-\x09\x0b-\x1f\x7f]/.test(run.stdout + run.stderr), false);
});

Deno.test("a value in the path or query of a URL is data, in every kind of step", async () => {
  await using server = recordingServer(({ line }) =>
    line.startsWith("POST")
      ? rawResponse(200, { data: {} })
      : rawResponse(200, { name: "C#?&/", next: "/next?page=2#top" })
  );
  const flow = `flow: places
steps:
  - { id: first, call: GET /first, extract: { name: $.name, next: $.next } }
  - { id: call, call: "GET /lang/{{ name }}/x?q={{ name }}" }
  - { id: next, call: "GET {{ next }}&q={{ name }}" }
  - id: poll
    poll: { call: "GET /poll/{{ name }}", until: [status == 200], interval: 1ms, max_attempts: 1 }
  - id: graphql
    graphql: { url: "/graphql/{{ name }}?q={{ name }}", query: "{ a }" }
  - id: ws
    ws: { url: "/ws/{{ name }}?q={{ name }}" }
`;
  const run = await runOnce({ flow, url: server.url });
  deepStrictEqual(server.arrivals.map(({ line }) => line), [
    "GET /first",
    "GET /lang/C%23%3F&//x?q=C%23%3F%26%2F",
    "GET /next?page=2&q=C%23%3F%26%2F",
    "GET /poll/C%23%3F&/",
    "POST /graphql/C%23%3F&/?q=C%23%3F%26%2F",
    "GET /ws/C%23%3F&/?q=C%23%3F%26%2F",
  ], run.stdout + run.stderr);
});

Deno.test("a header of a handshake is sent in UTF-8 like any other, and a control character fails the step", async () => {
  await using server = recordingServer(({ line }) =>
    line === "GET /first"
      ? rawResponse(200, { word: "日本 é", bell: "a\u0007" })
      : rawResponse(200)
  );
  const flow = `flow: handshake
steps:
  - { id: first, call: GET /first, extract: { word: $.word, bell: $.bell } }
  - { id: call, call: GET /call, headers: { X-V: "{{ word }}" } }
  - { id: ws, ws: { url: /ws }, headers: { X-V: "{{ word }}" }, on_failure: record }
  - { id: bell-call, call: GET /no, headers: { X-V: "{{ bell }}" }, on_failure: record }
  - { id: bell-ws, ws: { url: /no, session: other }, headers: { X-V: "{{ bell }}" }, on_failure: record }
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 1, run.stderr);
  const sent = server.arrivals.map(({ line, text }) => [
    line,
    /^X-V: (.*)\r$/mi.exec(text)?.[1],
  ]);
  const utf8 = oneByteEach("日本 é");
  deepStrictEqual(sent, [
    ["GET /first", undefined],
    ["GET /call", utf8],
    ["GET /ws", utf8],
  ]);
  deepStrictEqual(
    run.meta.failures.filter(({ code }) => code === "request")
      .map(({ step, message }) => `${step}: ${message}`).sort(),
    ["bell-call", "bell-ws"].map((step) =>
      `${step}: The value of the header \`X-V\` holds the control character U+0007, which never goes on the wire`
    ),
  );
});

Deno.test("a header, a cookie and a URL that came in UTF-8 go back by the same bytes, and Latin-1 is read too", async () => {
  const zoe = oneByteEach("Zoë");
  await using server = recordingServer(() =>
    rawResponse(200, {}, {
      "X-Name": zoe,
      "X-Old": "caf\xe9",
      "Set-Cookie": `name=${zoe}`,
      Location: `/${zoe}`,
    })
  );
  const flow = `version: 1
flow: letters
cookies: iteration
steps:
  - id: first
    call: GET /first
    extract: { name: header.X-Name, cookie: cookie.name, next: header.Location }
    assert: [header.X-Name == Zoë, header.X-Old == café, cookie.name == Zoë]
  - { id: second, call: "GET {{ next }}", headers: { X-V: "{{ name }} {{ cookie }}" } }
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  const second = server.arrivals[1]!;
  equal(second.line, "GET /Zo%C3%AB");
  equal(headerOf(second, "X-V"), `${zoe} ${zoe}`);
  equal(headerOf(second, "Cookie"), `name=${zoe}`);
});

/** The UTF-8 of a text as the server shows it. */
function oneByteEach(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
