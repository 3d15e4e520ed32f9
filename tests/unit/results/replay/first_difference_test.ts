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
