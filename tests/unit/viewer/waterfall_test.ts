import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { kindInName, type Span } from "../../../lib/model/result/trace.ts";
import { gistOf } from "../../../viewer/model/exchange.ts";
import { partOf, waterfallOf } from "../../../viewer/model/waterfall.ts";
import { waterfallView } from "../../../viewer/page/waterfall_view.tsx";
import { traceOf } from "../../support/trace_of.ts";

const span = (name: string, more: Partial<Span> = {}): Span => ({
  span_id: name,
  name,
  ...kindInName({ name, ...more }),
  start_us: 0,
  duration_us: 10,
  ...more,
});
const below = { parent_id: "pay" };
const http = (line: string, more: Partial<Span>) =>
  span("http_call", {
    ...below,
    request: { line, headers: [] },
    ...more,
  });
const response = (line: string) => ({ line, headers: [] });

Deno.test("gistOf: a line says what happened, on every protocol", () => {
  const gists: readonly (readonly [Span, string])[] = [
    [
      http("GET /items/1 HTTP/1.1", { response: response("HTTP/1.1 200 OK") }),
      "GET /items/1 → 200 OK",
    ],
    [
      http("POST /shop.Catalog/Get HTTP/2", {
        response: response("HTTP/2 200"),
        attributes: { status: 5, status_name: "NOT_FOUND" },
      }),
      "POST /shop.Catalog/Get → 5 NOT_FOUND",
    ],
    [
      http("GET / HTTP/1.1", {
        failure: { code: "timeout", message: "no response within 30s" },
      }),
      "GET / → no response within 30s",
    ],
    [
      span("frames", {
        ...below,
        request: { ...response("text frame"), body: '{"op":"join"}' },
        response: {
          ...response("text frame"),
          body: `{"a":\n"${"x".repeat(99)}"}`,
        },
      }),
      `sent {"op":"join"}, received {"a": "${"x".repeat(53)}…`,
    ],
    [
      span("pay.extract@token", {
        ...below,
        attributes: { check: "$.token", type: "string", value: "[redacted]" },
      }),
      "token = [redacted] ($.token)",
    ],
    [
      span("pay.assert@0", {
        ...below,
        attributes: {
          check: "latency < 5ms",
          type: "duration",
          value: "1.2ms",
        },
      }),
      "latency < 5ms: 1.2ms",
    ],
    [
      span("pay.assert@1", {
        ...below,
        attributes: { check: "$.id == 7" },
        failure: {
          code: "assertion",
          message: "$.id == 7 does not hold: $.id does not exist",
          actual: { type: "nothing", text: "" },
        },
      }),
      "$.id == 7: nothing",
    ],
    [span("ttfb", below), ""],
  ];
  for (const [each, expected] of gists) {
    const [, row] = waterfallOf(traceOf([span("pay"), each]));
    equal(gistOf(row!), expected);
  }
  const step = span("pay", {
    attributes: { kind: "graphql", operation: "query Cart", attempts: 2 },
  });
  equal(gistOf(waterfallOf(traceOf([step]))[0]!), "query Cart");
});

Deno.test("waterfallView: details unfold in place, for passed checks too; phases need none", () => {
  const rows = waterfallOf(traceOf([
    span("pay", { attributes: { kind: "call" } }),
    span("ttfb", below),
    span("pay.assert@0", { ...below, attributes: { check: "status == 200" } }),
  ]));
  const { text } = waterfallView(traceOf([]), rows, {
    ids: ["pay"],
    open: new Set([2]),
  });
  deepEqual(
    [...text.matchAll(/<(details|div)[^>]*id="span-(\d)"( open)?/g)]
      .map(([, tag, number, open]) => [tag, number, open !== undefined]),
    [["details", "0", false], ["div", "1", false], ["details", "2", true]],
  );
});

Deno.test("waterfallView: a condition that a poll waited for did not fail, unless the poll did", () => {
  const polled = (outcome: "passed" | "failed") => {
    const trace = traceOf([
      span("pay", { outcome }),
      span("pay.until@0", { ...below, kind: "until", outcome: "failed" }),
      span("pay.until@1", { ...below, kind: "until", outcome }),
    ]);
    return waterfallView(trace, waterfallOf(trace), { ids: ["pay"] }).text;
  };
  match(polled("passed"), /not yet/);
  doesNotMatch(polled("passed"), /class="[^"]*\bbad\b|✗/);
  doesNotMatch(polled("failed"), /not yet/);
  match(polled("failed"), /✗/);
});

Deno.test("waterfallView: a long trace has an overview that leads to its steps", () => {
  const steps = Array.from({ length: 50 }, (_, i) => span(`s${i}`));
  const view = (spans: readonly Span[]) =>
    waterfallView(traceOf(spans), waterfallOf(traceOf(spans)), { ids: [] })
      .text;
  match(view(steps), /class="minimap"[\s\S]*href="#span-49"/);
  equal(view(steps.slice(0, 10)).includes("minimap"), false);
});

Deno.test("waterfallView: a very long trace is shown in parts, all of which can be reached", () => {
  const spans = Array.from({ length: 1_000 }, (_, i) => {
    const own = [
      span(`s${i}`, {
        span_id: `${i}`,
        outcome: i === 700 ? "failed" : "passed",
      }),
      span("http_call", { span_id: `${i}c`, parent_id: `${i}` }),
      span("ttfb", { span_id: `${i}t`, parent_id: `${i}c` }),
    ];
    return own.map((each) => ({ ...each, start_us: i * 100 }));
  }).flat();
  const trace = traceOf(spans);
  const rows = waterfallOf(trace);
  const address = (span: number) => `?span=${span}#span-${span}`;
  const seen: number[] = [];
  for (let span: number | undefined = 0; span !== undefined;) {
    const part = partOf(rows, span);
    const { text } = waterfallView(trace, rows, { ids: [], part, address });
    const lines = [...text.matchAll(/ id="span-(\d+)"/g)].map(([, n]) =>
      Number(n)
    );
    ok(lines.length <= 250 && rows[lines[0]!]!.depth === 0, "whole steps");
    ok(
      text.match(/<a href="[^"]*" tabindex/g)!.length <= 250,
      "marks of the strip",
    );
    seen.push(...lines);
    span = part.next;
    if (span !== undefined) {
      ok(text.includes(`href="?span=${span}#span-${span}"`));
    }
  }
  deepEqual(seen, rows.map(({ number }) => number));
  // Without a span it begins where something went wrong.
  ok(partOf(rows).rows.some(({ span: { name } }) => name === "s700"));
  match(
    waterfallView(trace, rows, { ids: [] }).text,
    /spans 1,9\d\d to 2,2\d\d of 3,000/,
  );
});

Deno.test("partOf: a step that is too long itself is cut", () => {
  const calls = Array.from(
    { length: 600 },
    (_, i) => span(`attempt ${i}`, { span_id: `c${i}`, parent_id: "0" }),
  );
  const rows = waterfallOf(traceOf([span("poll", { span_id: "0" }), ...calls]));
  const first = partOf(rows, 0);
  const second = partOf(rows, first.next);
  deepEqual(
    [first.rows.length, second.rows.length, second.before, second.previous],
    [250, 250, 250, 0],
  );
  deepEqual(partOf(rows, 99_999).before, 0);
});
