import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { Ajv } from "ajv/dist/ajv.js";
import fc from "fast-check";
import schema from "../../vectors/speedscope/file-format-schema.json" with {
  type: "json",
};
import timeline from "../../vectors/trace_events/schema.json" with {
  type: "json",
};
import type { Span, Trace } from "../../../lib/model/result/trace.ts";
import { speedscope } from "../../../viewer/export/speedscope.ts";
import { traceEvents } from "../../../viewer/export/trace_events.ts";
import { FlameTree } from "../../../viewer/model/flame.ts";
import { workspace } from "../../support/bench.ts";
import { asker, putRun } from "../../support/viewer_fixture.ts";
import { FILES, ID, META } from "./exported_run.ts";
import { traceOf } from "../../support/trace_of.ts";

const ajv = new Ajv({ strict: false });
const validate = ajv.compile(schema);
const valid = (file: unknown): boolean => validate(file) as boolean;
ok(!valid({ profiles: [], shared: {} }), "the schema is in force");

const isTimeline = ajv.compile(timeline);
const readByPerfetto = (file: unknown): boolean => isTimeline(file) as boolean;

// deno-lint-ignore no-explicit-any -- as JSON.parse gives it
async function exported(format: string, search = ""): Promise<any> {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const ask = asker(folder.path);
  const response = await ask(`/runs/${ID}/export/${format}${search}`);
  equal(response.status, 200);
  return await response.json();
}

Deno.test("speedscope: all traces added up, then each by time", async () => {
  const file = await exported("speedscope");
  ok(valid(file), JSON.stringify(validate.errors));
  const [sum, ...single] = file.profiles;
  equal(sum.name, "all of 3 traces, added up");
  const names = (stack: number[]) =>
    stack.map((at) => file.shared.frames[at].name).join(" ");
  const weights = new Map(
    sum.samples.map((
      stack: number[],
      i: number,
    ) => [names(stack), sum.weights[i]]),
  );
  equal(weights.get("login http_call tls"), 2_000);
  equal(
    sum.endValue,
    sum.weights.reduce((a: number, b: number) => a + b, 0),
  );
  deepStrictEqual(single.map((each: { name: string }) => each.name), [
    "iteration 3, passed, 1.15ms",
    "iteration 1, passed, 9ms",
    "iteration 2, failed, 45ms",
  ]);
});

Deno.test("speedscope: one trace, and none at all, are files too", async () => {
  for (
    const [search, profiles] of [["?outcome=failed", 2], ["?vu=9", 1]] as const
  ) {
    const file = await exported("speedscope", search);
    ok(valid(file));
    equal(file.profiles.length, profiles, search);
  }
});

Deno.test("trace-events: a thread a VU, counters, and what an exchange was", async () => {
  const { traceEvents, displayTimeUnit } = await exported("trace-events");
  equal(displayTimeUnit, "ms");
  const of = (ph: string) =>
    traceEvents.filter((each: { ph: string }) => each.ph === ph);
  deepStrictEqual(
    of("M").map((each: { args: { name: string } }) => each.args.name),
    ["checkout against staging", "the target's machine", "VU 1", "VU 2"],
  );
  const call = of("X").find((each: { args: { request?: string } }) =>
    each.args.request?.startsWith("POST /login")
  );
  deepStrictEqual([call.tid, call.ts, call.dur, call.cat], [
    1,
    1_000,
    8_000,
    "call",
  ]);
  deepStrictEqual(
    of("C").filter((each: { name: string }) => each.name === "latency, ms")
      .map((each: { ts: number }) => each.ts),
    [0, 2_000_000],
  );
  ok(of("C").some((each: { pid: number }) => each.pid === 2));
  deepStrictEqual(
    of("C").filter((each: { name: string }) =>
      each.name === "attempts a second of item"
    ).map((each: { args: unknown }) => each.args),
    [
      { passed: 2, throttled: 0, failed: 1 },
      { passed: 0, throttled: 0, failed: 0 },
    ],
  );
});

Deno.test("trace-events: every event has what its phase requires", async () => {
  for (const search of ["", "?outcome=failed", "?vu=9"]) {
    const file = await exported("trace-events", search);
    ok(readByPerfetto(file), JSON.stringify(isTimeline.errors));
  }
  const at = { pid: 1, tid: 1, ts: 1, name: "call" };
  for (
    const [wrong, event] of Object.entries({
      "an unknown phase": { ...at, ph: "Y" },
      "no duration": { ...at, ph: "X" },
      "a negative duration": { ...at, ph: "X", dur: -1 },
      "a time as text": { ...at, ph: "X", dur: 1, ts: "1" },
      "a counter that is text": { ...at, ph: "C", args: { vus: "7" } },
      "a counter of nothing": { ...at, ph: "C", args: {} },
      "a name without a name": { ...at, ph: "M", name: "thread_name" },
      "an unknown name": { ...at, ph: "M", args: { name: "a" } },
      "no process": { ph: "X", tid: 1, ts: 1, dur: 1, name: "call" },
    })
  ) ok(!readByPerfetto({ traceEvents: [event] }), wrong);
});

Deno.test("trace-events: chosen traces come without the run's counters", async () => {
  const { traceEvents } = await exported("trace-events", "?outcome=failed");
  const phs = new Set(traceEvents.map((each: { ph: string }) => each.ph));
  deepStrictEqual([...phs].sort(), ["M", "X"]);
});

/** Spans of any shape: late, early, longer than their parents, on their own. */
const spans: fc.Arbitrary<Span[]> = fc.array(
  fc.record({
    parent: fc.option(fc.nat(12), { nil: undefined }),
    start_us: fc.integer({ min: -100, max: 1_000 }),
    duration_us: fc.nat(1_000),
  }),
  { maxLength: 12 },
).map((list) =>
  list.map(({ parent, ...times }, i): Span => ({
    span_id: String(i),
    name: `span ${i}`,
    kind: "call",
    ...(parent !== undefined && { parent_id: String(parent) }),
    ...times,
  }))
);

async function read(pieces: AsyncIterable<string>) {
  let text = "";
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
}

async function* only(trace: Trace): AsyncGenerator<Trace> {
  yield trace;
}

Deno.test("speedscope: whatever the spans are, what opens closes, in order", async () => {
  await fc.assert(fc.asyncProperty(spans, async (list) => {
    const trace = traceOf(list);
    const flame = new FlameTree();
    flame.add(trace);
    const file = await read(speedscope(META, { flame, traces: only(trace) }));
    ok(valid(file));
    const { events, startValue, endValue } = file.profiles[1];
    const open: number[] = [];
    let last = startValue;
    for (const { type, frame, at } of events) {
      ok(at >= last, "time only goes on");
      last = at;
      if (type === "O") open.push(frame);
      else equal(open.pop(), frame);
    }
    deepStrictEqual(open, []);
    ok(last <= endValue);
  }));
});

Deno.test("trace-events: whatever the spans are, those of a thread nest", async () => {
  await fc.assert(fc.asyncProperty(spans, async (list) => {
    const trace = traceOf(list);
    const file = await read(
      traceEvents(META, {
        entries: [],
        traces: only(trace),
        points: [],
        agent: [],
      }),
    );
    ok(readByPerfetto(file), JSON.stringify(isTimeline.errors));
    const open: { ts: number; dur: number }[] = [];
    for (const each of file.traceEvents) {
      if (each.ph !== "X") continue;
      while (open.length > 0 && open.at(-1)!.ts + open.at(-1)!.dur <= each.ts) {
        open.pop();
      }
      const top = open.at(-1);
      ok(!top || each.ts + each.dur <= top.ts + top.dur, "inside its parent");
      open.push(each);
    }
  }));
});
