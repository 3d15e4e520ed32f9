import { Buffer } from "node:buffer";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";

/*
 * Random HTTP answers, byte by byte: most of them ordinary, some odd, some no
 * answers at all. One character is one byte.
 */

const utf8 = (text: string) =>
  String.fromCharCode(...new TextEncoder().encode(text));

/** Bodies as a server may send them; JSON as none of our writers would. */
const BODIES = [
  '{"id":7,"name":"Ada","list":[1,2,{"a":1}],"state":"done","token":"t-1"}',
  '{"id":"7","name":"Zoë ☃ 😀","list":[],"state":"new","token":""}',
  '{ "b" : 1.0 , "10" : 2, "9": -0, "id" : 1E3, "a\\u0301" : "\\u00e9\\/" }',
  '{"id":12345678901234567890,"name":0.1,"list":[1e21,1e-7,-1.5e300,5e-324]}',
  '{"id":1e400,"name":"big","list":[-1e400]}',
  '{"id":"\\ud800","name":"\\udc00x","list":["\\ud83d\\ude00"]}',
  '{"id":1,"id":2,"name":null,"__proto__":{"id":3},"list":[null]}',
  '{"data":{"user":{"id":7}}}',
  '{"data":{"user":null},"errors":[{"message":"gone","path":["user",0,"id"]}]}',
  '{"data":null,"errors":[{"extensions":{"2":1,"1":2},"message":"no"},"two"]}',
  '{"errors":"no list"}',
  '{"access_token":"fetched-1","expires_in":3600,"token_type":"Bearer"}',
  '[{"id":1},{"id":2,"name":"B"}]',
  '"just text"',
  "42",
  "null",
  "true",
  "",
  " \n",
  "not JSON",
  '{"id":1,}',
  "{'id':1}",
  "NaN",
  "[Infinity]",
  "01",
  '\ufeff{"id":5}',
  '{"id":"a\tb"}',
  `{"id":${"9".repeat(5_000)}}`,
  `{"id":"${"x".repeat(300)}","name":"${"😀".repeat(150)}"}`,
  `{"id":"secret-value","name":"c2VjcmV0LXZhbHVl and secret%2Dvalue"}`,
].map(utf8).concat("\xff\xfe{}", '{"id":"\xe9"}', "\0\x01\x02");

const LINES = [
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200 OK",
  "HTTP/1.1 201 Created",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 301 Moved Permanently",
  "HTTP/1.1 304 Not Modified",
  "HTTP/1.1 400 Bad Request",
  "HTTP/1.1 404 Not Found",
  "HTTP/1.1 429 Too Many Requests",
  "HTTP/1.1 500 Internal Server Error",
  "HTTP/1.1 503 ",
  "HTTP/1.1 503",
  "HTTP/1.0 200 OK",
  "HTTP/1.1 299 caf\xe9",
  "HTTP/1.1 999 Odd",
];

const FIELDS = [
  "Content-Type: application/json",
  "content-type:application/octet-stream",
  "Content-Type: image/png",
  "X-Id: one",
  "x-id:  two words \t",
  "X-Id: caf\xe9",
  "X-Empty:",
  'ETag: "secret-value"',
  "Location: http://127.0.0.1:1/elsewhere",
  "Retry-After: 0",
  "Retry-After: Tue, 14 Nov 2023 22:13:20 GMT",
  "Retry-After: soon",
  "Connection: close",
  "Connection: keep-alive, X-Id",
  "Content-Encoding: identity",
  "Content-Encoding: zstd",
  "Content-Encoding: gzip",
];

const BROKEN = [
  "",
  "SSH-2.0-OpenSSH\r\n",
  "HTTP/2 200\r\n\r\n",
  "HTTP/1.1 20 OK\r\n\r\n",
  "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
  "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
  "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
  "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2, 2\r\n\r\n{}",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX : a\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
  "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
  "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
  "HTTP/1.1 200 OK\r\nConte",
];

type Coder = (body: Uint8Array) => Uint8Array;
const CODERS: Readonly<Record<string, [field: string, code: Coder]>> = {
  gzip: ["gzip", gzipSync],
  "X-GZIP": ["X-GZIP", gzipSync],
  deflate: ["deflate", deflateSync],
  "raw deflate": ["deflate", deflateRawSync],
  stacked: ["deflate , gzip", (body) => gzipSync(deflateSync(body))],
  members: [
    "gzip",
    (body) => Buffer.concat([gzipSync(body), gzipSync(" ")]),
  ],
  zeros: ["gzip", (body) => Buffer.concat([gzipSync(body), Buffer.alloc(3)])],
  garbage: ["gzip", (body) => Buffer.concat([gzipSync(body), body])],
  "garbage behind deflate": [
    "deflate",
    (body) => Buffer.concat([deflateSync(body), Buffer.from("x")]),
  ],
  half: ["gzip", (body) => gzipSync(body).subarray(0, -9)],
  "half a deflate": ["deflate", (body) => deflateSync(body).subarray(0, -5)],
  lie: ["deflate", (body) => body],
};

/** The body in a content coding, and the fields that say so. */
function coded(how: string, body: string): [fields: string[], body: string] {
  const [field, code] = CODERS[how] ?? [];
  if (!field || !code) return [[], body];
  const bytes = code(Buffer.from(body, "latin1"));
  const fields = field.split(" ").filter((each) => each !== ",")
    .map((each) => `Content-Encoding: ${each}`);
  return [fields, Buffer.from(bytes).toString("latin1")];
}

/** How a body is framed; `close` ends it with the connection. */
const framing = fc.constantFrom("length", "length", "chunks", "close");

function framed(
  how: string,
  line: string,
  fields: readonly string[],
  body: string,
): string {
  const head = (more: readonly string[]) =>
    [line, ...fields, ...more].map((each) => `${each}\r\n`).join("") + "\r\n";
  if (how === "close") return head(["Connection: close"]) + body;
  if (how === "length") return head([`Content-Length: ${body.length}`]) + body;
  const middle = body.length >> 1;
  const chunks = [body.slice(0, middle), body.slice(middle)]
    .filter((each) => each !== "")
    .map((each) => `${each.length.toString(16)};x="y"\r\n${each}\r\n`);
  const trailers = "X-Trailer: t\r\nX-Id: late\r\n";
  return head(["Transfer-Encoding: chunked"]) +
    `${chunks.join("")}000\r\n${trailers}\r\n`;
}

/** One answer, and whether the connection is closed behind it. */
export interface RandomAnswer {
  readonly bytes: string;
  readonly close: boolean;
}

const whole = fc.record({
  line: fc.constantFrom(...LINES),
  fields: fc.array(fc.constantFrom(...FIELDS), { maxLength: 3 }),
  body: fc.constantFrom(...BODIES),
  how: framing,
  interim: fc.constantFrom(
    "",
    "",
    "",
    "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n",
  ),
  coding: fc.constantFrom("", "", ...Object.keys(CODERS)),
}).map(({ line, fields, body, how, interim, coding }): RandomAnswer => {
  const [more, data] = coded(coding, body);
  return {
    bytes: interim + framed(how, line, [...fields, ...more], data),
    close: how === "close",
  };
});

const ordinary = fc.constantFrom(...BODIES.slice(0, 9)).map((
  body,
): RandomAnswer => ({
  bytes: framed("length", LINES[0]!, [FIELDS[0]!, FIELDS[3]!], body),
  close: false,
}));

export const randomAnswer: fc.Arbitrary<RandomAnswer> = fc.oneof(
  { weight: 4, arbitrary: ordinary },
  { weight: 4, arbitrary: whole },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...BROKEN).map((bytes) => ({
      bytes,
      close: true,
    })),
  },
);
