import type { RunMeta, StepSummary } from "../../../lib/model/result/run.ts";
import { heatMap, heatMapOf } from "../../../viewer/chart/latency.tsx";
import type { AgentSample } from "../../../lib/model/result/agent.ts";
import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { countAll } from "../../../lib/model/outcome.ts";
import fc from "fast-check";
import type { SecondPoint } from "../../../lib/model/result/series.ts";
import { kindInName, type Span } from "../../../lib/model/result/trace.ts";
import type { TraceEntry } from "../../../lib/results/store/trace_index.ts";
import { axisTo } from "../../../viewer/chart/frame.tsx";
import { agentTimeline, timelineOf } from "../../../viewer/model/timeline.ts";
import { curlOf } from "../../../viewer/model/exchange.ts";
import { flameBoxes, FlameTree } from "../../../viewer/model/flame.ts";
import {
  filterRuns,
  type Listed,
  parseFilter,
  sortRuns,
} from "../../../viewer/model/run_list.ts";
import {
  emptyDigest,
  readTraceQuery,
  selectTraces,
} from "../../../viewer/model/traces.ts";
import { waterfallOf } from "../../../viewer/model/waterfall.ts";
import { noIntervals } from "../../../lib/results/report/sample_sizes.ts";
import { metaOf } from "../../support/viewer_fixture.ts";
import { traceOf } from "../../support/trace_of.ts";

function second(t: number, more: Partial<SecondPoint> = {}): SecondPoint {
  return {
    t,
    vus: 2,
    started: 10,
    completed: 10,
    iterations_failed: 1,
    iterations_throttled: 0,
    passed: 10,
    throttled: 0,
    failed: 0,
    bytes_sent: 0,
    bytes_received: 0,
    p50: 1,
    p95: 2,
    p99: 3,
    max: 4,
    buckets: [[20, 10]],
    ...more,
  };
}

Deno.test("heat map: the last column is as wide as what the run has of it", () => {
  const seconds = [0, 1, 2].map((t) => second(t, { buckets: [[20, 3]] }));
  const { columns } = heatMapOf(seconds, 2_250);
  equal(columns, 2.25);
  const text = heatMap(heatMapOf(seconds, 2_250)).text;
  match(text, /viewBox="0 0 2.25 1"/);
  match(text, /M2 0h0.25v1h-0.25z/);
  equal(heatMapOf(seconds).columns, 3);
});

Deno.test("timelineOf: merged percentiles come from added counts, not from averages", () => {
  // 990 fast samples in one second and 10 slow ones in the other: an average of
  // the two p50 would lie far above every fast sample.
  const { points, width } = timelineOf([
    second(0, { passed: 990, buckets: [[20, 990]], p50: 0.35 }),
    second(1, { passed: 10, buckets: [[60, 10]], p50: 360 }),
  ], { most: 1, durationMs: 2_000 });
  equal(width, 2);
  ok(points[0]!.p50! < 0.4, String(points[0]!.p50));
  ok(points[0]!.p99! < 0.4, "990 of 1,000 are fast");
  equal(points[0]!.rate, 500);
  equal(points[0]!.error_rate, 0.1);
});

Deno.test("timelineOf: a second without samples is a gap, not zero", () => {
  const { points } = timelineOf([
    second(0),
    second(1, { passed: 0, completed: 0, buckets: [] }),
  ], { durationMs: 2_000 });
  deepStrictEqual(
    [points[1]!.p50, points[1]!.error_rate, points[1]!.rate],
    [null, null, 0],
  );
});

Deno.test("timelineOf: the rate of a last second that was not whole counts its part", () => {
  const { points } = timelineOf([second(0), second(1, { passed: 5 })], {
    durationMs: 1_500,
  });
  equal(points[1]!.rate, 10);
});

Deno.test("timelineOf: what is left of a run after its last whole second is a part of that", () => {
  const seconds = [
    second(0),
    second(1, { p95: 3 }),
    second(2, { passed: 5, p95: 50, max: 60 }),
  ];
  const { points } = timelineOf(seconds, { durationMs: 2_250 });
  equal(points.length, 2);
  const [, last] = points;
  deepStrictEqual([last!.p95, last!.max], [3, 60]);
  equal(last!.rate, (countAll(seconds[1]!) + 5) / 1.25);
  equal(timelineOf(seconds, { durationMs: 2_500 }).points.length, 3);
  // Of a run of one second as well: two points would make a trend of it.
  const short = timelineOf(seconds.slice(0, 2), { durationMs: 1_020 });
  equal(short.points.length, 1);
});

Deno.test("axisTo: reaches the value in at most four even steps", () => {
  fc.assert(fc.property(
    fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
    (max) => {
      const { ticks, share } = axisTo(max);
      const top = ticks.at(-1)!;
      ok(Math.abs(share(top / 2) - 0.5) < 1e-9);
      ok(top >= max * (1 - 1e-9) && top <= max * 4, `${max} ${top}`);
      ok(ticks.length <= 5 && ticks[0] === 0);
    },
  ));
});

Deno.test("agentTimeline: readings are placed by the run's clock, whatever the agent's clock says", () => {
  const sample = (t_ms: number, cpu: number): AgentSample => ({
    t_ms,
    // The agent's clock is an hour ahead, and is set back meanwhile.
    ts_ms: t_ms + (t_ms < 3_000 ? 3_600_000 : 0),
    cpu_seconds_total: cpu,
    cpu_cores: 2,
    mem_used_bytes: 1,
    mem_total_bytes: 2,
    net_rx_bytes_total: null,
    net_tx_bytes_total: null,
    open_fds: null,
    load1: null,
  });
  const points = agentTimeline({
    samples: [
      sample(5, 10),
      sample(1_010, 11),
      sample(2_000, 12),
      sample(5_001, 13),
      sample(6_003, 14),
      sample(7_003, 3),
    ],
  });
  deepStrictEqual(
    points.map(({ t, cpu }) => [t, cpu && Number(cpu.toFixed(2))]),
    // A missing second is a gap, and a counter that went back is no rate.
    [[0, 0.5], [1, 0.51], [2, null], [5, 0.5], [6, null]],
  );
  equal(points[0]!.memory, 1);
});

Deno.test("parseFilter: fields, quotes and turning round", () => {
  deepStrictEqual(parseFilter('mode:Load !target:"my prod" a:b'), [
    { field: "mode", text: "load", not: false },
    { field: "target", text: "my prod", not: true },
    { text: "a:b", not: false },
  ]);
});

Deno.test("filterRuns: a tag is a whole word, and is found without its field too", () => {
  const run = (id: string, ...tags: string[]) => ({
    id,
    dir: id,
    meta: { flow: "f", mode: "m", target: "t", ...(tags[0] && { tags }) },
  } as unknown as Listed);
  const runs = [run("1", "smoke", "slow"), run("2", "Smoke"), run("3")];
  const found = (text: string) =>
    filterRuns(runs, parseFilter(text)).map(({ id }) => id);
  deepStrictEqual(found("tag:smoke"), ["1", "2"]);
  deepStrictEqual(found("tag:smok"), []);
  deepStrictEqual(found("!tag:slow"), ["2", "3"]);
});

function entry(id: string, start: number, duration: number): TraceEntry {
  return {
    trace_id: id,
    offset: 0,
    length: 0,
    iteration: 0,
    once: null,
    vu: 0,
    row: null,
    outcome: "passed",
    start_us: start,
    duration_us: duration,
    rank: null,
    cells: null,
  };
}

Deno.test("selectTraces: a cursor goes on where the page before ended", () => {
  const entries = ["a", "b", "c", "d", "e"].map((id, i) =>
    entry(id, i, 100 - i)
  );
  const page = (query: string) =>
    selectTraces(
      entries,
      undefined,
      readTraceQuery(new URLSearchParams(query)),
    );
  const first = page("limit=2&sort=duration");
  deepStrictEqual(first.entries.map((e) => e.trace_id), ["e", "d"]);
  const next = page(`limit=2&sort=duration&cursor=${first.next}`);
  deepStrictEqual(next.entries.map((e) => e.trace_id), ["c", "b"]);
  const last = page(`limit=2&sort=duration&cursor=${next.next}`);
  deepStrictEqual([last.entries.length, last.next], [1, undefined]);
});

Deno.test("selectTraces: a trace belongs to every second it lasts through", () => {
  const entries = [entry("long", 500_000, 2_000_000)];
  const found = (query: string) =>
    selectTraces(entries, undefined, readTraceQuery(new URLSearchParams(query)))
      .total;
  deepStrictEqual(
    [found("t0=1&t1=2"), found("t0=3&t1=4"), found("t0=0&t1=0.4")],
    [1, 0, 0],
  );
});

function span(
  span_id: string,
  name: string,
  start_us: number,
  duration_us: number,
  parent_id?: string,
): Span {
  return {
    span_id,
    name,
    ...kindInName({ name, ...(parent_id !== undefined && { parent_id }) }),
    start_us,
    duration_us,
    ...(parent_id !== undefined && { parent_id }),
  };
}

Deno.test("waterfallOf: a tree by start, with what each span is", () => {
  const rows = waterfallOf(traceOf([
    span("1", "login", 0, 90),
    span("4", "login.assert@0", 80, 5, "1"),
    span("6", "login.until@0", 80, 5, "1"),
    span("2", "http_call", 0, 80, "1"),
    span("3", "ttfb", 0, 70, "2"),
    span("5", "orphan", 5, 1, "missing"),
  ]));
  deepStrictEqual(
    rows.map(({ span, depth, kind }) => [span.name, depth, kind]),
    [
      ["login", 0, "step"],
      ["http_call", 1, "call"],
      ["ttfb", 2, "phase"],
      ["login.assert@0", 1, "check"],
      ["login.until@0", 1, "check"],
      ["orphan", 0, "step"],
    ],
  );
});

Deno.test("waterfallOf and FlameTree: spans that go round in circles end", () => {
  const round = traceOf([span("1", "a", 0, 1, "2"), span("2", "b", 0, 1, "1")]);
  deepStrictEqual(waterfallOf(round), []);
  new FlameTree().add(round);
  new FlameTree().add(traceOf(Array.from(
    { length: 20_000 },
    (_, i) =>
      span(String(i), "deep", 0, 1, i === 0 ? undefined : String(i - 1)),
  )));
});

Deno.test("FlameTree: time adds up over traces, and boxes fill their parent at most", () => {
  const tree = new FlameTree();
  for (let i = 0; i < 3; i++) {
    tree.add(traceOf([
      span("1", "step", 0, 100),
      span("2", "http_call", 0, 60, "1"),
      span("3", "step.assert@1", 60, 5, "1"),
      span("4", "step.assert@2", 65, 5, "1"),
    ]));
  }
  const boxes = flameBoxes(tree.root, []);
  deepStrictEqual(
    boxes.map(({ name, total, self, count, width }) => [
      name,
      total,
      self,
      count,
      width,
    ]),
    [
      ["all", 300, 0, 3, 1],
      ["step", 300, 90, 3, 1],
      ["http_call", 180, 180, 3, 0.6],
      ["asserts", 30, 30, 6, 0.1],
    ],
  );
});

Deno.test("curlOf: a request as a shell command that cannot break out of its quotes", () => {
  const request = {
    line: "POST /a?b=1 HTTP/1.1",
    headers: [["Host", "h:1"], ["X", "it's"], ["Content-Length", "2"]],
    body: "'; rm -rf /",
  } as const;
  equal(
    curlOf(request, "https://h:1"),
    `curl -X POST \\\n  'https://h:1/a?b=1' \\\n  -H 'X: it'\\''s' \\\n  -H 'Content-Type:' \\\n  --data-raw ''\\''; rm -rf /'`,
  );
  equal(curlOf({ ...request, line: "not http" }, "http://h"), undefined);
  equal(
    curlOf({ ...request, line: "POST /s/M HTTP/2" }, "http://h"),
    undefined,
  );
  equal(curlOf({ ...request, body_truncated: true }, "http://h"), undefined);
});

Deno.test("curlOf: curl sends what was sent, and ends", () => {
  const curl = (
    line: string,
    headers: readonly (readonly [string, string])[] = [],
    body?: string,
  ) =>
    curlOf({ line, headers, ...(body !== undefined && { body }) }, "http://h")
      ?.replaceAll(" \\\n  ", " ");
  equal(curl("GET /a HTTP/1.1"), "curl 'http://h/a'");
  equal(curl("HEAD /a HTTP/1.1"), "curl --head 'http://h/a'");
  equal(
    curl("GET /a HTTP/1.1", [["Content-Type", "text/plain"]], "b"),
    "curl -X GET 'http://h/a' -H 'Content-Type: text/plain' --data-raw 'b'",
  );
  equal(
    curl("PUT /a HTTP/1.1", [], "b"),
    "curl -X PUT 'http://h/a' -H 'Content-Type:' --data-raw 'b'",
  );
  equal(
    curl("GET /a/../b HTTP/1.1"),
    "curl --path-as-is 'http://h/a/../b'",
  );
  equal(
    curl("GET /a?k=[redacted] HTTP/1.1"),
    "curl --globoff 'http://h/a?k=[redacted]'",
  );
  const upgrade = [["Connection", "Upgrade"], [
    "Upgrade",
    "websocket",
  ]] as const;
  equal(
    curl("GET /chat HTTP/1.1", upgrade),
    "curl 'http://h/chat' -H 'Connection: Upgrade' -H 'Upgrade: websocket'",
  );
  // Its parts are listed, and their bytes are not kept.
  const type = ["Content-Type", "multipart/form-data; boundary=b"] as const;
  const parts = 'name="a"; 1 byte\nname="f"; filename="x"; text/csv; 8 bytes';
  equal(curl("POST /a HTTP/1.1", [type], parts), undefined);
  equal(curl("POST /a HTTP/1.1", [type], "--b--")?.includes("--b--"), true);
});

Deno.test("emptyDigest: the flame graph is of the random sample that stands for the run, without failures and the slowest", () => {
  const entries = Array.from({ length: 250 }, (_, i) => ({
    ...entry(String(i), i, 1),
    rank: (i * 37 % 250) / 250,
  }));
  const traces = (kept: readonly TraceEntry[], steps = 1) => {
    const meta = { steps: new Array<StepSummary>(steps) };
    const digest = emptyDigest(kept, meta);
    for (const each of kept) {
      if (each.rank === null || each.rank >= 0.2) {
        const { trace_id } = each;
        digest.add({ ...traceOf([]), trace_id });
      }
    }
    return digest.flame.traces;
  };
  equal(traces(entries), 200);
  equal(traces(entries.map((each) => ({ ...each, rank: null }))), 250);
  // Of long iterations fewer are drawn.
  equal(traces(entries, 200), 40);
});

Deno.test("sortRuns: a run without a value is behind those with one, in both directions", () => {
  const { latency, iterations } = metaOf();
  const run = (id: string, error_rate: number, p95: number | null): Listed => ({
    id,
    dir: id,
    meta: metaOf({
      id,
      error_rate,
      latency: { ...latency, p95 } as RunMeta["latency"],
      iterations: { ...iterations, completed: p95 === null ? 0 : 1 },
    }),
  });
  const runs = [
    run("a", 0.1, 1),
    { id: "unreadable", dir: "" },
    run("none", 0, null),
    run("b", 0.2, 2),
  ];
  const few = run("few", 0.15, 3);
  const latency_intervals = noIntervals(129);
  const withFew = [
    ...runs,
    { ...few, meta: { ...few.meta!, latency_intervals } },
  ];
  deepStrictEqual(
    sortRuns(withFew, "-p95").map(({ id }) => id).slice(0, 2),
    ["b", "a"],
  );
  const sorted = (key: string) => sortRuns(runs, key).map(({ id }) => id);
  for (const key of ["p95", "error_rate"]) {
    deepStrictEqual(sorted(key), ["a", "b", "none", "unreadable"]);
    deepStrictEqual(sorted(`-${key}`), ["b", "a", "none", "unreadable"]);
  }
});
