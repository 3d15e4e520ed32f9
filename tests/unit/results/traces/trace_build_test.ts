import assert from "node:assert/strict";
import { kindInName, type Span } from "../../../../lib/model/result/trace.ts";
import fc from "fast-check";
import { buildTrace } from "../../../../lib/results/traces/trace_build.ts";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import {
  randomIdWords,
  spanId,
  traceId,
} from "../../../../lib/results/traces/trace_ids.ts";
import type { IterationResult } from "../../../../lib/model/result/iteration.ts";
import {
  attemptOf,
  IDS,
  iterationOf,
  responseOf,
  stepOf,
} from "../record/fixtures.ts";

const PLAIN = { id: "login", kind: "call" };

function build(result: IterationResult, step: object = {}, start = 0) {
  return buildTrace(result, [{ ...PLAIN, ...step }], start, IDS);
}

/** `path start+duration`, in microseconds. */
function lines(spans: readonly Span[]): string[] {
  const path = (span: Span): string => {
    const parent = spans.find((each) => each.span_id === span.parent_id);
    return parent ? `${path(parent)} > ${span.name}` : span.name;
  };
  return spans.map((span) =>
    `${path(span)} ${span.start_us}+${span.duration_us}`
  );
}

Deno.test("buildTrace names the phases that happened, end to end", () => {
  const response = responseOf({
    start: 0,
    dns: 1,
    connect: 2,
    tls: 4,
    firstByte: 7,
    end: 9,
  });
  const { spans } = build(
    iterationOf({ steps: [stepOf({ attempts: [attemptOf({ response })] })] }),
  );
  assert.deepEqual(lines(spans), [
    "login 0+10000",
    "login > http_call 0+9000",
    "login > http_call > dns 0+1000",
    "login > http_call > connect 1000+1000",
    "login > http_call > tls 2000+2000",
    "login > http_call > ttfb 4000+3000",
    "login > http_call > transfer 7000+2000",
  ]);
});

Deno.test("buildTrace says what a step is, what a check requires and what it saw", () => {
  const check = {
    kind: "assert",
    name: "0",
    startedAt: 8,
    endedAt: 9,
    actual: { type: "string", text: "a" },
  } as const;
  const attempts = [attemptOf({ response: responseOf({}, { status: 5 }) })];
  const step = stepOf({ attempts, checks: [check] });
  const { spans } = build(iterationOf({ steps: [step] }), {
    facts: { method: "shop.v1.Catalog/GetItem" },
    checks: {
      extract: new Map(),
      assert: new Map([["0", '$.name == "a"']]),
      until: new Map(),
    },
    statuses: new Map([[5, "NOT_FOUND"]]),
  });
  const facts = (name: string) =>
    spans.find((each) => each.name === name)?.attributes;
  assert.equal(facts("login")?.method, "shop.v1.Catalog/GetItem");
  assert.equal(facts("http_call")?.status_name, "NOT_FOUND");
  assert.deepEqual(facts("login.assert@0"), {
    check: '$.name == "a"',
    type: "string",
    value: "a",
  });
});

Deno.test("buildTrace leaves out the phases a reused connection does not have", () => {
  const attempts = [attemptOf({ response: responseOf() })];
  const { spans } = build(iterationOf({ steps: [stepOf({ attempts })] }));
  assert.deepEqual(spans.map(({ name }) => name), [
    "login",
    "http_call",
    "ttfb",
    "transfer",
  ]);
});

Deno.test("buildTrace shows a refused connection as a call without ttfb", () => {
  const never = { connect: NaN, firstByte: NaN };
  const marks = { dns: 1, ...never, end: 3, failed: "connect" } as const;
  const failure = { code: "refused", message: "Connection refused" };
  const response = responseOf(marks, { signal: "failure", failure });
  const attempts = [attemptOf({ outcome: "failed", response })];
  const { spans } = build(iterationOf({ steps: [stepOf({ attempts })] }));
  assert.deepEqual(spans.map(({ name }) => name), [
    "login",
    "http_call",
    "dns",
    "connect",
  ]);
  assert.deepEqual(spans[1]!.failure, failure);
  const { outcome, failure: why, start_us, duration_us } = spans[3]!;
  assert.deepEqual([outcome, why, start_us, duration_us], [
    "failed",
    failure,
    1_000,
    2_000,
  ]);
});

Deno.test("buildTrace has no call where nothing was sent", () => {
  const nothing = { bytesSent: 0, bytesReceived: 0 };
  const idle = responseOf({ firstByte: NaN }, nothing);
  for (const attempt of [attemptOf(), attemptOf({ response: idle })]) {
    const { spans } = build(
      iterationOf({ steps: [stepOf({ attempts: [attempt] })] }),
    );
    assert.deepEqual(spans.map(({ name }) => name), ["login"]);
  }
});

Deno.test("buildTrace shows attempts and backoff under a step that retries", () => {
  const attempts = [
    attemptOf({
      startedAt: 0,
      endedAt: 10,
      outcome: "throttled",
      backoff: { startedAt: 11, endedAt: 39 },
    }),
    attemptOf({ startedAt: 40, endedAt: 55 }),
  ];
  const step = stepOf({ endedAt: 55, attempts });
  const { spans } = build(iterationOf({ endedAt: 55, steps: [step] }));
  assert.deepEqual(lines(spans), [
    "login 0+55000",
    "login > attempt 1 0+10000",
    "login > backoff 11000+28000",
    "login > attempt 2 40000+15000",
  ]);
});

Deno.test("buildTrace shows the only attempt of a step that may repeat it", () => {
  const { spans } = build(iterationOf(), { repeats: true });
  assert.deepEqual(spans.map(({ name }) => name), ["login", "attempt 1"]);
});

Deno.test("buildTrace gives every check a span of its own", () => {
  const failure = { code: "assertion", message: "no" };
  const checks = [
    { kind: "extract", name: "token", startedAt: 8, endedAt: 8.5 },
    { kind: "assert", name: "0", startedAt: 8.5, endedAt: 9, failure },
  ] as const;
  const { spans } = build(iterationOf({ steps: [stepOf({ checks })] }));
  assert.deepEqual(lines(spans).slice(1), [
    "login > login.extract@token 8000+500",
    "login > login.assert@0 8500+500",
  ]);
  assert.deepEqual([spans[1]!.outcome, spans[2]!.outcome], [
    "passed",
    "failed",
  ]);
  assert.deepEqual(spans.map(({ kind, label }) => [kind, label]), [
    ["step", undefined],
    ["extract", "token"],
    ["assert", "0"],
  ]);
});

Deno.test("buildTrace gives each span the kind that earlier versions said in its name alone", () => {
  const checks = [{ kind: "until", name: "0", startedAt: 8, endedAt: 9 }];
  const backoff = { startedAt: 9, endedAt: 10 };
  const attempts = [
    attemptOf({ response: responseOf(), checks, backoff } as never),
    attemptOf({ response: responseOf({}, { span: "frames" }) }),
  ];
  const { spans } = build(iterationOf({ steps: [stepOf({ attempts })] }));
  assert.deepEqual(new Set(spans.map(({ kind }) => kind)).size, 7);
  for (const { kind, label, ...span } of spans) {
    assert.deepEqual(kindInName(span), { kind, ...(label && { label }) });
  }
});

Deno.test("buildTrace keeps the times of a response that a later exchange overwrote, and says so", () => {
  const request = { line: "GET / HTTP/1.1", headers: [] };
  const response = responseOf({}, {
    overwritten: true,
    capturedRequest: () => request,
  });
  const attempts = [attemptOf({ response })];
  const { spans } = build(iterationOf({ steps: [stepOf({ attempts })] }));
  const { attributes, request: kept, response: shown, duration_us } = spans[1]!;
  assert.deepEqual(
    [attributes!["status"], attributes!["response_overwritten"]],
    [200, true],
  );
  assert.deepEqual([kept, shown, duration_us], [request, undefined, 8_000]);
});

Deno.test("buildTrace says where an exchange went", () => {
  const response = responseOf({}, { origin: "https://shop.test:8443" });
  const attempts = [attemptOf({ response })];
  const { spans } = build(iterationOf({ steps: [stepOf({ attempts })] }));
  assert.equal(spans[1]!.attributes!["origin"], "https://shop.test:8443");
});

Deno.test("buildTrace counts from the start of the run", () => {
  const trace = build(iterationOf({ startedAt: 5_010, row: 3 }), {}, 5_000);
  assert.deepEqual([trace.start_us, trace.duration_us, trace.row], [
    10_000,
    10_000,
    3,
  ]);
});

Deno.test("buildTrace puts nothing before the start of the run, where two clocks disagree", () => {
  const response = responseOf({
    start: 99.2,
    firstByte: 101,
    end: 102,
  });
  const step = stepOf({
    startedAt: 99.1,
    endedAt: 103,
    attempts: [attemptOf({ response })],
  });
  const trace = build(
    iterationOf({ startedAt: 99, endedAt: 103, steps: [step] }),
    {},
    100,
  );
  assert.deepEqual([trace.start_us, trace.duration_us], [0, 4_000]);
  assert.deepEqual(lines(trace.spans).slice(0, 2), [
    "login 100+3900",
    "login > http_call 200+2800",
  ]);
});

Deno.test("traceId and spanId are hex as in OTLP, and never equal within a run", () => {
  const traces = new Set<string>();
  for (let i = 0; i < 20_000; i++) traces.add(traceId(IDS, i));
  assert.equal(traces.size, 20_000);
  const spans = new Set<string>();
  for (let i = 0; i < 5_000; i++) spans.add(spanId(IDS, 7, i));
  for (let i = 0; i < 5_000; i++) spans.add(spanId(IDS, i, 7));
  assert.equal(spans.size, 9_999);
  for (const id of traces) assert.match(id, /^[0-9a-f]{32}$/);
  for (const id of spans) assert.match(id, /^[0-9a-f]{16}$/);
});

Deno.test("traceId and spanId differ from run to run", () => {
  const runs = [1, 2].map((seed) => randomIdWords(seededRandom(seed)));
  const own = runs.map((words) =>
    Array.from({ length: 1_000 }, (_, i) => [
      traceId(words, i),
      spanId(words, i, 0),
      spanId(words, 0, i + 1),
    ]).flat()
  );
  assert.equal(new Set(own.flat()).size, 6_000);
});

Deno.test("traceId and spanId are never all zero", () => {
  fc.assert(fc.property(
    fc.tuple(fc.integer(), fc.integer(), fc.integer(), fc.integer()),
    fc.nat(),
    fc.nat(),
    (words, iteration, index) => {
      const zeros = [[0, 0, 0, 0] as const, words];
      for (const each of zeros) {
        assert.doesNotMatch(traceId(each, iteration), /^0+$/);
        assert.doesNotMatch(spanId(each, iteration, index), /^0+$/);
      }
    },
  ));
});
