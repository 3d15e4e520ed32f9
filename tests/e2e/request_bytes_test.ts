import { equal } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";
import { VERSION } from "../../lib/base/values/build.ts";

/** One step and the bytes it must become (spec "Default request headers"). */
interface Row {
  readonly rule: string;
  /** Lines of the step below its id. */
  readonly step: string;
  /** Lines of the head without the empty one at the end; `HOST` and `AGENT` stand for themselves. */
  readonly head: readonly string[];
  readonly body?: string;
}

const HOST = "Host: HOST";
const AGENT = "User-Agent: AGENT";
const JSON_TYPE = "Content-Type: application/json";
/** Its number is that of the row's body. */
const LENGTH = "Content-Length: N";

const HEADERS: readonly Row[] = [
  {
    rule: "a GET has Host and User-Agent and nothing else",
    step: "call: GET /plain",
    head: ["GET /base/plain HTTP/1.1", HOST, AGENT],
  },
  {
    rule: "a body brings Content-Type and Content-Length, in this order",
    step: "call: POST /b\n    body: { b: 1, a: [true, null, 1.50] }",
    head: [
      "POST /base/b HTTP/1.1",
      HOST,
      AGENT,
      JSON_TYPE,
      LENGTH,
    ],
    body: '{"a":[true,null,1.5],"b":1}',
  },
  {
    rule: "a POST without body says Content-Length: 0 and no Content-Type",
    step: "call: POST /empty",
    head: ["POST /base/empty HTTP/1.1", HOST, AGENT, "Content-Length: 0"],
  },
  {
    rule: "a DELETE without body has no Content-Length",
    step: "call: DELETE /gone",
    head: ["DELETE /base/gone HTTP/1.1", HOST, AGENT],
  },
  {
    rule: "white space around a header value is no part of it",
    step:
      'call: GET /plain\n    headers: { X-A: " a b ", X-B: "\\tc", X-C: "  " }',
    head: ["GET /base/plain HTTP/1.1", HOST, "X-A: a b", "X-B: c", AGENT],
  },
  {
    rule: "a method may have a hyphen",
    step: "call: VERSION-CONTROL /page",
    head: ["VERSION-CONTROL /base/page HTTP/1.1", HOST, AGENT],
  },
  {
    rule: "a GET may have a body",
    step: 'call: GET /search\n    body: "text"',
    head: [
      "GET /base/search HTTP/1.1",
      HOST,
      AGENT,
      JSON_TYPE,
      LENGTH,
    ],
    body: '"text"',
  },
  {
    rule: "declared headers stand sorted between Host and the defaults",
    step: 'call: GET /h\n    headers: { X-B: "2", Accept: text/plain, X-A: 1 }',
    head: [
      "GET /base/h HTTP/1.1",
      HOST,
      "Accept: text/plain",
      "X-A: 1",
      "X-B: 2",
      AGENT,
    ],
  },
  {
    rule: "a declared header replaces its default in any letter case",
    step:
      "call: PUT /h\n    headers: { user-AGENT: mine, CONTENT-type: text/x }\n    body: 1",
    head: [
      "PUT /base/h HTTP/1.1",
      HOST,
      "CONTENT-type: text/x",
      "user-AGENT: mine",
      LENGTH,
    ],
    body: "1",
  },
  {
    rule: "an empty value takes the header and its default away",
    step:
      'call: PUT /h\n    headers: { User-Agent: "", content-type: "", X-No: "" }\n    body: {}',
    head: ["PUT /base/h HTTP/1.1", HOST, LENGTH],
    body: "{}",
  },
];

const URLS: readonly Row[] = [
  {
    rule: "query parameters are sorted, encoded, and a list repeats its key",
    step:
      'call: GET /q?first=0\n    query: { z: "a b&c=d/é?", k: [1, two], "n m": true }',
    head: [
      "GET /base/q?first=0&k=1&k=two&n%20m=true&z=a%20b%26c%3Dd%2F%C3%A9%3F HTTP/1.1",
      HOST,
      AGENT,
    ],
  },
  {
    rule: "existing escapes and dot segments stay as written",
    step: "call: GET /a%2Fb/../%e2%98%83/./x?y=%20z",
    head: ["GET /base/a%2Fb/../%e2%98%83/./x?y=%20z HTTP/1.1", HOST, AGENT],
  },
  {
    rule: "characters the RFC forbids are percent-encoded as UTF-8",
    step: 'call: "GET /café/<x>|{y}/100%"',
    head: [
      "GET /base/caf%C3%A9/%3Cx%3E%7C%7By%7D/100%25 HTTP/1.1",
      HOST,
      AGENT,
    ],
  },
  {
    rule: "an absolute URL stands for itself, without the base path",
    step: 'call: "GET {{ env.ORIGIN }}/abs"',
    head: ["GET /abs HTTP/1.1", HOST, AGENT],
  },
  {
    rule: "a relative URL may be a query alone",
    step: "call: GET ?only=1",
    head: ["GET /base?only=1 HTTP/1.1", HOST, AGENT],
  },
];

const TEMPLATES: readonly Row[] = [
  {
    rule: "env goes into URL, header, query and body",
    step:
      'call: "POST /{{ env.WORD }}"\n    headers: { X-Word: "<{{ env.WORD }}>" }\n' +
      '    query: { w: "{{ env.WORD }}" }\n    body: { w: "{{ env.WORD }}", in: "a {{ env.WORD }}" }',
    head: [
      "POST /base/w%20%C3%B6?w=w%20%C3%B6 HTTP/1.1",
      HOST,
      "X-Word: <w \xc3\xb6>",
      AGENT,
      JSON_TYPE,
      LENGTH,
    ],
    body: '{"in":"a w \xc3\xb6","w":"w \xc3\xb6"}',
  },
  {
    rule: "a leaf that is one template keeps the JSON type of its value",
    step:
      "call: POST /leaf\n    body:\n      n: '{{ number }}'\n      t: 'n={{ number }}'\n" +
      "      o: '{{ object }}'\n      s: '{{ text }}'\n      deep: ['{{ object.k.0 }}']",
    head: [
      "POST /base/leaf HTTP/1.1",
      HOST,
      AGENT,
      JSON_TYPE,
      LENGTH,
    ],
    body:
      '{"deep":[false],"n":7,"o":{"k":[false]},"s":"q\\"\xc3\xa9","t":"n=7"}',
  },
  {
    rule: "a fixture's object is injected as JSON, its scalars are strings",
    step:
      "call: POST /row\n    headers: { X-Profile: '{{ user.profile }}' }\n    body:\n" +
      "      id: '{{ user.id }}'\n      profile: '{{ user.profile }}'\n      t: '{{ user.profile }}!'",
    head: [
      "POST /base/row HTTP/1.1",
      HOST,
      'X-Profile: {"tags": ["a", 1]}',
      AGENT,
      JSON_TYPE,
      LENGTH,
    ],
    body:
      '{"id":"42","profile":{"tags": ["a", 1]},"t":"{\\"tags\\": [\\"a\\", 1]}!"}',
  },
];

const FLOW = (rows: readonly Row[]) =>
  `flow: bytes
data: users.json
steps:
  - id: values
    call: GET /values
    extract: { number: $.number, object: $.object, text: $.text }
${rows.map(({ step }, at) => `  - id: s${at}\n    ${step}`).join("\n")}
`;

Deno.test("the bytes on the wire are exactly those of the rules", async (t) => {
  const rows = [...HEADERS, ...URLS, ...TEMPLATES];
  await using server = recordingServer(() =>
    rawResponse(200, { number: 7, object: { k: [false] }, text: 'q"é' })
  );
  const run = await runOnce(
    {
      flow: FLOW(rows),
      url: `${server.url}/base/`,
      files: { "users.json": '[{"id": 42, "profile": {"tags": ["a", 1]}}]' },
    },
    [],
    { env: { WORD: "w ö", ORIGIN: server.url } },
  );
  equal(run.code, 0, run.stdout + run.stderr);
  for (const [at, { rule, head, body = "" }] of rows.entries()) {
    await t.step(rule, () => {
      const text = head.map((line) => `${line}\r\n`).join("")
        .replace("HOST", server.host)
        .replace(AGENT, `User-Agent: bench/${VERSION}`)
        .replace(LENGTH, `Content-Length: ${body.length}`);
      equal(server.arrivals[at + 1]?.text, `${text}\r\n${body}`);
    });
  }
  equal(server.accepted, 1, "one VU keeps one connection");
});
