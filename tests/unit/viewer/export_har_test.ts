import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { Ajv } from "ajv/dist/ajv.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with {
  type: "json",
};
import schemas from "har-schema/lib/index.js";
import fc from "fast-check";
import { har } from "../../../viewer/export/har.ts";
import { traceOf } from "../../support/trace_of.ts";
import type { Span } from "../../../lib/model/result/trace.ts";
import { workspace } from "../../support/bench.ts";
import { asker, putRun } from "../../support/viewer_fixture.ts";
import { FILES, ID, META } from "./exported_run.ts";

const ajv = new Ajv({
  strict: false,
  formats: {
    "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
    // A URL whose characters are all fit for one (RFC 3986).
    uri: (text: string) =>
      URL.canParse(text) && /^[!#$%&'()*+,\-./\w:;=?@~[\]]+$/.test(text),
    ipv4: true,
    ipv6: true,
  },
});
ajv.addMetaSchema(draft6);
ajv.addSchema(Object.values(schemas));
const valid = ajv.getSchema("har.json#")!;
ok(!valid({ log: { version: "1.2", entries: [] } }), "the schema is in force");

// deno-lint-ignore no-explicit-any -- as JSON.parse gives it
async function exported(search = ""): Promise<any> {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const response = await asker(folder.path)(`/runs/${ID}/export/har${search}`);
  equal(response.status, 200);
  const har = await response.json();
  ok(valid(har), ajv.errorsText(valid.errors));
  return har.log;
}

Deno.test("har: every exchange is an entry of a valid log, by iteration", async () => {
  const log = await exported();
  equal(log.version, "1.2");
  deepStrictEqual(
    log.pages.map((each: { title: string }) => each.title),
    [
      "iteration 3, row 3, passed",
      "iteration 1, row 1, passed",
      "iteration 2, row 2, failed",
    ],
  );
  deepStrictEqual(
    log.entries.map((
      { request, response, _step }: {
        request: { method: string; url: string };
        response: { status: number };
        _step: string;
      },
    ) => [_step, request.method, request.url, response.status]),
    [
      ["open_chat", "GET", "wss://shop.test/chat", 101],
      ["open_news", "GET", "wss://shop.test/news", 101],
      [
        "login",
        "POST",
        "https://shop.test:8443/login?key=%5Bredacted%5D&q=a%20b&q=c",
        302,
      ],
      ["slow", "GET", "http://shop.test/", 0],
      ["slow", "GET", "https://shop.test:8443/a", 200],
      [
        "item",
        "POST",
        "http://shop.test:50051/shop.v1.Catalog/GetItem",
        200,
      ],
    ],
  );
});

Deno.test("har: fields, cookies, query and bodies have their own places", async () => {
  const { entries } = await exported("?step=login");
  equal(entries.length, 1);
  const [{ request, response, timings, time, startedDateTime }] = entries;
  equal(startedDateTime, "2026-11-20T18:02:11.001Z");
  deepStrictEqual(request.queryString, [
    { name: "key", value: "[redacted]" },
    { name: "q", value: "a b" },
    { name: "q", value: "c" },
  ]);
  deepStrictEqual(request.cookies, [
    { name: "a", value: "1" },
    { name: "b", value: "[redacted]" },
  ]);
  deepStrictEqual(request.postData, {
    mimeType: "application/json",
    text: '{"a":"ü"}',
  });
  equal(request.bodySize, 10);
  deepStrictEqual(response.cookies, [
    {
      name: "sid",
      value: "[redacted]",
      path: "/",
      domain: "shop.test",
      expires: "2026-10-21T07:28:00.000Z",
      httpOnly: true,
      secure: true,
    },
    { name: "plain", value: "1", httpOnly: false, secure: false },
  ]);
  equal(response.redirectURL, "/home");
  deepStrictEqual(response.content, {
    size: 100_000,
    mimeType: "image/png",
    text: "iVBORw==",
    encoding: "base64",
    comment: "Only the beginning was kept. Binary, in base64.",
  });
  deepStrictEqual(timings, {
    blocked: -1,
    dns: 0.5,
    connect: 3,
    ssl: 2,
    send: 0,
    wait: 3,
    receive: 1.5,
  });
  equal(time, 8);
});

Deno.test("har: what never came, was not kept, or is no text is said", async () => {
  const { entries } = await exported("?outcome=failed");
  const [late, kept, grpc] = entries;
  equal(late.comment, "No response within 30ms");
  equal(late.timings.wait, 30);
  equal(kept.response.comment, "Only its status was kept.");
  equal(kept.timings.blocked, 0.1);
  equal(grpc.request.postData.comment, "The message as JSON.");
  // A response without a message has nothing to remark.
  equal(grpc.response.content.comment, undefined);
});

Deno.test("har: frames stand with the handshake of their session", async () => {
  const { entries } = await exported("?vu=2");
  deepStrictEqual(
    entries.map((each: {
      _resourceType: string;
      _webSocketMessages: { type: string; data: string; opcode: number }[];
    }) => [
      each._resourceType,
      ...each._webSocketMessages.map(({ type, data }) => `${type} ${data}`),
    ]),
    [
      ["websocket", 'send "to chat"', 'receive "from chat"'],
      ["websocket", 'send "to news"', 'receive "from news"'],
    ],
  );
});

Deno.test("har: payloads can be left out", async () => {
  const log = await exported("?payloads=no");
  const text = JSON.stringify(log);
  for (const body of ['"to chat', "iVBORw==", '\\"id\\":7', "postData"]) {
    ok(!text.includes(body), body);
  }
  equal(log.entries.length, 6);
});

Deno.test("har: phases add up to the exchange, whatever happened", async () => {
  const us = fc.nat(5_000);
  const optional = fc.option(us, { nil: undefined });
  const phases = fc.record({
    dns: optional,
    connect: optional,
    tls: optional,
    ttfb: optional,
    transfer: optional,
  });
  await fc.assert(fc.asyncProperty(phases, us, async (each, more) => {
    const known = Object.entries(each).filter(([, value]) =>
      value !== undefined
    );
    const total = known.reduce((sum, [, value]) => sum + value!, more);
    const call: Span = {
      ...{ span_id: "1", name: "http_call", kind: "call", start_us: 0 },
      duration_us: total,
      request: { line: "GET / HTTP/1.1", headers: [] },
    };
    const below = known.map(([name, value], at): Span => ({
      ...{ span_id: `1${at}`, parent_id: "1", name, kind: "phase" },
      ...{ start_us: 0, duration_us: value! },
    }));
    async function* traces() {
      yield traceOf([call, ...below]);
    }
    const parts = { entries: [], traces: traces() };
    const text = (await Array.fromAsync(har(META, parts))).join("");
    const [{ timings: { ssl, ...rest } }] = JSON.parse(text).log.entries;
    const sum = Object.values<number>(rest).filter((part) => part >= 0)
      .reduce((a, b) => a + b, 0);
    ok(Math.abs(sum - total / 1_000) < 1e-6, `${sum} of ${total / 1_000}`);
    ok(ssl <= rest.connect);
  }));
});
