import { deepStrictEqual, equal, match } from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { oneByteEach, rawServer } from "../support/raw_server.ts";
import { runOnce, spansOf } from "../support/run_fixture.ts";

const MIB = 1024 * 1024;
const JSON_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

function sized(body: Uint8Array, fields = ""): Uint8Array {
  const head = `${JSON_HEAD}${fields}Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([oneByteEach(head), body]);
}

const LONG = Buffer.alloc(17 * MIB, "x");
const RESPONSES: Readonly<Record<string, Uint8Array>> = {
  length: sized(LONG),
  chunked: Buffer.concat([
    oneByteEach(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n`),
    oneByteEach(`${LONG.length.toString(16)}\r\n`),
    LONG,
    oneByteEach("\r\n0\r\n\r\n"),
  ]),
  gzip: sized(zlib.gzipSync(LONG), "Content-Encoding: gzip\r\n"),
  zstd: sized(zlib.gzipSync("{}"), "Content-Encoding: zstd\r\n"),
  latin: sized(oneByteEach('{"name":"caf\xe9"}')),
  broken: sized(oneByteEach('{"a":"\xe9"')),
  utf16: sized(Buffer.from('\ufeff{"a":1}', "utf16le")),
  unmarked: sized(Buffer.from('{"a":1}', "utf16le")),
  named: sized(oneByteEach('{"a":1}'), "Content-Encoding: utf-8\r\n"),
  replaced: sized(Buffer.from('{"a":"\ufffd"}')),
};

function server() {
  return rawServer(async (connection) => {
    for (let text; (text = await connection.request()) !== undefined;) {
      const path = text.slice(text.indexOf("/") + 1, text.indexOf(" HTTP"));
      await connection.send(RESPONSES[path]!);
    }
  });
}

const REASONS: Readonly<Record<string, RegExp>> = {
  length: /^The body is longer than the 16777216 bytes that are kept$/,
  chunked: /^The body is longer than the 16777216 bytes that are kept$/,
  gzip: /^The gzip body decodes to more than 16777216 bytes$/,
  zstd:
    /^The content coding `zstd` of the body cannot be decoded: expected gzip, deflate or br, as the step's `Accept-Encoding` can ask for$/,
  latin: /^The body is not UTF-8, as JSON must be: byte 12 is 0xE9$/,
  broken: /^The body is not UTF-8, as JSON must be: byte 6 is 0xE9$/,
  utf16: /^The body is UTF-16, but JSON must be UTF-8$/,
  unmarked: /^The body is UTF-16, but JSON must be UTF-8$/,
};

Deno.test("a body that cannot be looked at fails what needs it, and nothing else", async () => {
  const target = server();
  const steps = Object.keys(REASONS).flatMap((path) => [
    `{ id: ${path}_status, call: GET /${path}, assert: [status == 200, latency < 60s, header.Content-Type == application/json] }`,
    `{ id: ${path}_unchecked, call: GET /${path} }`,
    `{ id: ${path}_extract, call: GET /${path}, extract: { ${path}: $.a }, on_failure: record }`,
    `{ id: ${path}_assert, call: GET /${path}, assert: [status == 200, $.error == null], on_failure: record }`,
    `{ id: ${path}_poll, poll: { call: GET /${path}, until: [$.a == 1], interval: 1ms, max_attempts: 2 }, on_failure: record }`,
    `{ id: ${path}_graphql, graphql: { url: /${path}, query: "{ a }", on_errors: ignore }, on_failure: record }`,
  ]);
  const flow = `flow: unread\nsteps:\n${
    steps.map((each) => `  - ${each}\n`).join("")
  }`;
  try {
    const run = await runOnce({ flow, url: target.url });
    equal(run.code, 1, run.stderr);
    const failed = run.traces[0]!.spans
      .filter(({ name, failure }) =>
        failure && !/[.@]|http_call|^attempt/.test(name)
      )
      .map(({ name, failure }) => [name, failure!.message] as const);
    deepStrictEqual(
      failed.map(([name]) => name).sort(),
      Object.keys(REASONS).flatMap((path) =>
        ["extract", "assert", "poll", "graphql"].map((each) =>
          `${path}_${each}`
        )
      ).sort(),
    );
    for (const [name, message] of failed) {
      const [path = "", kind] = name.split("_");
      const reason = kind === "poll"
        ? message.replace("gave up after 2 rounds: ", "")
        : message;
      match(reason, REASONS[path]!, name);
    }
    const [first] = spansOf(run, "http_call");
    deepStrictEqual(
      [
        first!.response!.body,
        first!.response!.body_bytes,
        first!.response!.body_truncated,
      ],
      [undefined, LONG.length, true],
    );
  } finally {
    await target.close();
  }
});

Deno.test("a coding that is none, and U+FFFD that was sent, are no reason not to read a body", async () => {
  const target = server();
  const flow = `flow: read
steps:
  - { id: named, call: GET /named, assert: [$.a == 1] }
  - { id: replaced, call: GET /replaced, assert: ['$.a == "\ufffd"'] }
`;
  try {
    const run = await runOnce({ flow, url: target.url });
    equal(run.code, 0, run.stdout + run.stderr);
  } finally {
    await target.close();
  }
});
