import assert from "node:assert/strict";
import type { Span, Trace } from "../../../../lib/model/result/trace.ts";
import { renderReplay } from "../../../../lib/results/formats/replay_text.ts";
import { firstDifference } from "../../../../lib/results/replay/first_difference.ts";

function traceOf(...bodies: readonly string[]): Trace {
  const spans = bodies.flatMap((body, i): Span[] => [
    {
      span_id: `s${i}`,
      name: `step${i}`,
      kind: "step",
      start_us: 0,
      duration_us: 1,
    },
    {
      span_id: `c${i}`,
      parent_id: `s${i}`,
      name: "http_call",
      kind: "call",
      start_us: 0,
      duration_us: 1,
      request: { line: "GET /x HTTP/1.1", headers: [] },
      response: {
        line: body === "" ? "HTTP/1.1 503 Busy" : "HTTP/1.1 200 OK",
        headers: [
          ["Date", `${Math.random()}`],
          ["Keep-Alive", `timeout=5, max=${Math.random()}`],
          ["X-Kind", "a"],
        ],
        body,
      },
    },
  ]);
  return {
    trace_id: "0".repeat(32),
    iteration: 4,
    vu: 0,
    outcome: bodies.includes("") ? "failed" : "passed",
    start_us: 0,
    duration_us: 1,
    spans,
  };
}

Deno.test("firstDifference is none of the same exchanges, whatever the date, and however often the connection was used", () => {
  assert.equal(
    firstDifference(traceOf("1", "2"), traceOf("1", "2")),
    undefined,
  );
});

Deno.test("firstDifference names the first exchange and the part that differs", () => {
  const part = (a: Trace, b: Trace) => {
    const { step, exchange, part } = firstDifference(a, b)!;
    return [step, exchange, part];
  };
  assert.deepEqual(part(traceOf("1", "2"), traceOf("1", "3")), [
    "step1",
    1,
    "body",
  ]);
  assert.deepEqual(part(traceOf(""), traceOf("1", "2")), [
    "step0",
    0,
    "status",
  ]);
  assert.deepEqual(part(traceOf("1"), traceOf("1", "2")), [
    "step1",
    1,
    "missing",
  ]);
});

Deno.test("renderReplay shows both sides and marks the lines that differ", () => {
  const [before, after] = [
    traceOf('{"id":1,"ok":false}'),
    traceOf('{"id":1,"ok":true}'),
  ];
  const difference = firstDifference(before, after)!;
  const text = renderReplay({ before, after, difference, meta: {} }, {
    color: false,
    width: 100,
  });
  assert.match(text, /^iteration 5 {2}passed before, passed now\n/);
  assert.match(text, /\n! {5}"ok": false +\| {3}"ok": true\n/);
  assert.match(text, /\n {6}"id": 1, +\| {3}"id": 1,\n/);
  const same = renderReplay({ before, after: before, meta: {} }, {
    color: false,
    width: 80,
  });
  assert.match(same, /every exchange is the same/);
});

/** With the spans of a trace changed by hand. */
function changed(trace: Trace, change: (span: Span) => Partial<Span>): Trace {
  const spans = trace.spans.map((span) => ({ ...span, ...change(span) }));
  return { ...trace, spans };
}

Deno.test("renderReplay keeps equal lines beside each other below a header that one side has alone", () => {
  const requesting = (body: string, headers: [string, string][]) =>
    changed(
      traceOf(body),
      ({ request }) => request ? { request: { ...request, headers } } : {},
    );
  const before = requesting('{"id":1}', [["traceparent", "00-1"], ["A", "b"]]);
  const after = requesting('{"id":2}', [["A", "b"], ["B", "c"]]);
  const difference = firstDifference(before, after)!;
  const text = renderReplay({ before, after, difference, meta: {} }, {
    color: false,
    width: 80,
  });
  const rows = text.split("\n").slice(4)
    .map((line) => line.replaceAll(/ +/g, " ").trimEnd());
  assert.deepEqual(rows.slice(0, 6), [
    " GET /x HTTP/1.1 | GET /x HTTP/1.1",
    "! traceparent: 00-1 |",
    " A: b | A: b",
    "! | B: c",
    " |",
    " HTTP/1.1 200 OK | HTTP/1.1 200 OK",
  ]);
  assert(rows.includes('! "id": 1 | "id": 2'));
});

Deno.test("renderReplay has a header field beside the one of its name, and marks what is compared", () => {
  const responding = (body: string, headers: [string, string][]) =>
    changed(
      traceOf(body),
      ({ response }) => response ? { response: { ...response, headers } } : {},
    );
  const before = responding(
    '{"id":1}',
    [
      ...[["Retry-After", "1"], ["Content-Type", "text/plain"]] as const,
      ...[["content-length", "8"], ["Date", "yesterday"]] as const,
    ].map(([name, value]) => [name, value]),
  );
  const after = responding(
    '{"id":22}',
    [
      ...[["content-type", "text/plain"], ["content-length", "9"]] as const,
      ...[["date", "today"], ["age", "3"]] as const,
    ].map(([name, value]) => [name, value]),
  );
  const difference = firstDifference(before, after)!;
  const text = renderReplay({ before, after, difference, meta: {} }, {
    color: false,
    width: 80,
  });
  const rows = text.split("\n")
    .map((line) => line.replaceAll(/ +/g, " ").trimEnd());
  const from = rows.indexOf(" HTTP/1.1 200 OK | HTTP/1.1 200 OK");
  assert.deepEqual(rows.slice(from + 1, from + 5), [
    "! Retry-After: 1 |",
    " Content-Type: text/plain | content-type: text/plain",
    "! content-length: 8 | content-length: 9",
    " Date: yesterday | date: today",
  ]);
});

Deno.test("renderReplay says of a throttle that it is one still, though it fails the check", () => {
  const before = { ...traceOf("1"), outcome: "throttled" as const };
  const ended = (outcome: "throttled" | "failed"): Trace => ({
    ...changed(traceOf("1"), ({ kind }) => kind === "step" ? { outcome } : {}),
    outcome: "failed",
  });
  const head = (after: Trace) =>
    renderReplay({ before, after, meta: {} }, { color: false, width: 80 })
      .split("\n")[0];
  assert.equal(
    head(ended("throttled")),
    "iteration 5  throttled before, throttled now, which is a failure of a functional check",
  );
  assert.equal(
    head(ended("failed")),
    "iteration 5  throttled before, failed now",
  );
});
