import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { LatencyStretches } from "../../../lib/results/histograms/latency_stretches.ts";
import type { Histograms } from "../../../lib/model/result/series.ts";
import {
  rangeLatency,
  stretchesOf,
} from "../../../viewer/store/run_directory.ts";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

/**
 * @param latencies milliseconds, by second
 * @param most stretches
 */
function setOf(latencies: readonly (readonly number[])[], most?: number) {
  const stretches = new LatencyStretches(0, most);
  latencies.forEach((each, t) =>
    each.forEach((ms) => stretches.record(t * 1_000, ms))
  );
  const none = "";
  return {
    service: none,
    response: none,
    throttled: none,
    stretches: stretches.data(),
  };
}

const FILE: Histograms = {
  schema: 1,
  unit: "us",
  overall: setOf([]),
  steps: {
    login: setOf([[10, 10], [], [40]]),
    pay: setOf([[200], [100], [100, 300]]),
  },
};

Deno.test("stretchesOf: p95 of each step over time; without a sample there is a gap", () => {
  const [login, pay] = stretchesOf(FILE);
  const whole = (values: readonly (number | null)[]) =>
    values.map((each) => each === null ? null : Math.round(each));
  deepEqual(whole(login!.p95), [10, null, 40]);
  deepEqual(whole(pay!.p95).map((ms) => ms! >= 100), [true, true, true]);
  deepEqual(stretchesOf(undefined), []);
  const torn = { ms: 1_000, blocks: "????" };
  const steps = { login: { ...FILE.steps["login"]!, stretches: torn } };
  deepEqual(stretchesOf({ ...FILE, steps }), []);
});

const POINT = {
  vus: 1,
  started: 1,
  completed: 1,
  passed: 1,
  throttled: 0,
  failed: 0,
  bytes_sent: 1,
  bytes_received: 1,
  p50: 1,
  p95: 1,
  p99: 1,
  max: 1,
  buckets: [],
};

/** Of two steps; only `pay` is ever throttled, and fails once. */
const SERIES = {
  schema: 1,
  interval_ms: 1_000,
  points: [
    { ...POINT, t: 0, steps: [[0, 2, 0, 0], [1, 1, 0, 0]] },
    { ...POINT, t: 1, steps: [[1, 0, 7, 1]] },
    { ...POINT, t: 2, steps: [] },
  ],
};

const NONE = { min: 1, avg: 1, p50: 1, p90: 1, p95: 1, p99: 1, max: 1 };

/** The figures of a step. */
const STEP = {
  kind: "call",
  executions: 4,
  requests: 4,
  passed: 3,
  throttled: 0,
  failed: 1,
  attempts: { passed: 3, throttled: 0, failed: 1 },
  bytes_sent: 1,
  bytes_received: 1,
  http_versions: [],
  checks: [{ check: "status == 200", passed: 3, failed: 1 }],
  latency: NONE,
  throttled_latency: NONE,
};

Deno.test("stretchesOf: steps that came to longer stretches at other times are shown in the longest", () => {
  const seconds = [[10], [20], [30], [40], [50], [60]];
  const steps = { login: setOf(seconds), pay: setOf(seconds, 4) };
  const [login, pay] = stretchesOf({ ...FILE, steps });
  deepEqual([login!.width, pay!.width], [2, 2]);
  deepEqual(login!.p95.map((ms) => Math.round(ms!)), [20, 40, 60]);
  deepEqual(pay!.p95, login!.p95);
});

Deno.test("run page: steps over time, and how often each check held", async () => {
  using folder = workspace({});
  const meta = metaOf({
    steps: ["login", "pay"].map((id) => ({ ...STEP, id })),
  });
  putRun(folder.path, meta, {
    "histograms.json": FILE,
    "series.json": SERIES,
  });
  const text = await (await asker(folder.path)(`/runs/${meta.id}`)).text();
  match(text, /id="chart-steps-p95"[\s\S]*login[\s\S]*pay/);
  // A run that failed is asked first where it did.
  match(text, /Failed attempts of each step[\s\S]*?Most of pay: 1\/s at 1s/);
  const charts = await Promise.all(
    ["all", "passed", "throttled", "failed"].map(async (measure) => {
      const address = `/runs/${meta.id}?steps=${measure}&scale=log`;
      const text = await (await asker(folder.path)(address)).text();
      const [chart] = text.match(
        /<figure[^>]*chart-steps-outcomes.*?<\/figure>/s,
      )!;
      match(chart, new RegExp(`aria-current="true"[^>]*>${measure}<`));
      match(chart, /scale=log/);
      return chart.match(/Most of [^.]*/)?.[0];
    }),
  );
  deepEqual(charts, [
    "Most of pay: 8/s at 1s",
    "Most of login: 2/s at 0s",
    "Most of pay: 7/s at 1s",
    "Most of pay: 1/s at 1s",
  ]);
  match(text, /<code>status == 200<\/code>[\s\S]*?75%/);
  const part = await (await asker(folder.path)(`/runs/${meta.id}?t0=2`)).text();
  equal(part.includes("chart-steps-p95"), false);
});

Deno.test("run page: what is left of a run after its last whole second is no point of its steps' latency", async () => {
  using folder = workspace({});
  const steps = ["login", "pay"].map((id) => ({ ...STEP, id }));
  const timesOf = async (duration_ms: number) => {
    const meta = metaOf({ steps, duration_ms });
    putRun(folder.path, meta, { "histograms.json": FILE });
    const text = await (await asker(folder.path)(`/runs/${meta.id}`)).text();
    const [chart] = text.match(/<figure[^>]*chart-steps-p95.*?<\/figure>/s)!;
    return /times&quot;:(\[[\d,]*\])/.exec(chart)?.[1];
  };
  equal(await timesOf(3_000), "[0,1,2]");
  equal(await timesOf(2_100), "[0,1]");
});

Deno.test("rangeLatency: the figures of a part of the time are those of its own requests", async () => {
  using folder = workspace({});
  const overall = setOf([[10, 20], [30, 40, 1_000], [5]]);
  const meta = metaOf();
  const part = (from: number, to: number) => {
    const { width, samples: _, ...figures } = rangeLatency(
      {
        ...FILE,
        overall,
      },
      from,
      to,
    );
    equal(width, 1);
    return Object.entries(figures).map(([name, ms]) =>
      `${name} ${ms === null ? "-" : Number(ms.toPrecision(2))}`
    ).join(", ");
  };
  equal(
    part(1, 2),
    "min 30, avg 360, p50 40, p90 1000, p95 1000, p99 1000, max 1000",
  );
  equal(
    part(2, Infinity),
    "min 5, avg 5, p50 5, p90 5, p95 5, p99 5, max 5",
  );
  equal(
    part(9, 12),
    "min -, avg -, p50 -, p90 -, p95 -, p99 -, max -",
  );
  const address = `/runs/${meta.id}?t0=1&t1=2`;
  putRun(folder.path, meta, {
    "histograms.json": { ...FILE, overall },
    "series.json": SERIES,
  });
  const text = await (await asker(folder.path)(address)).text();
  match(text, /data-figure="max"[\s\S]*?<dd class="value">1\.?0?\d*s/);
  match(
    text,
    /data-figure="p90"[^/]*<\/dt><dd class="value">–<\/dd><dd class="more">too few samples/,
  );
  doesNotMatch(text, /The run was too short/);
  match(text, /the latency distribution are those of\s+the whole run/);
});

Deno.test("run page: a mix has a row of figures for each flow", async () => {
  using folder = workspace({});
  const time = { min: 1, avg: 2, p50: 2, p90: 3, p95: 4, p99: 5, max: 70 };
  const flow = (name: string, weight: number, failed: number) => ({
    name,
    weight,
    iterations: { completed: 100, passed: 100 - failed, failed, throttled: 0 },
    error_rate: failed / 100,
    throttle_rate: 0,
    iteration_time: time,
    latency: time,
  });
  const meta = metaOf({ flows: [flow("browse", 70, 0), flow("buy", 30, 25)] });
  putRun(folder.path, meta, {});
  const text = await (await asker(folder.path)(`/runs/${meta.id}`)).text();
  const [, table = ""] = /aria-label="Flows"([\s\S]*?)<\/table>/.exec(text) ??
    [];
  const rows = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].slice(1)
    .map(([, row]) => row!.replaceAll(/<[^>]*>/g, " ").trim().split(/\s+/));
  deepEqual(rows, [
    ["browse", "70", "100", "0%", "0%", "2ms", "too", "few", "70ms"],
    ["buy", "30", "100", "25%", "0%", "2ms", "too", "few", "70ms"],
  ]);
});

Deno.test("run page: each line of a chart of steps has a colour of its own", async () => {
  using folder = workspace({});
  const ids = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const slow = new Set(["s0", "s6", "s12", "s18", "s24", "s29"]);
  const meta = metaOf({ steps: ids.map((id) => ({ ...STEP, id })) });
  const steps = Object.fromEntries(
    ids.map((id) => [id, setOf([[slow.has(id) ? 90 : 1], [1], [1]])]),
  );
  putRun(folder.path, meta, {
    "histograms.json": { ...FILE, steps },
    "series.json": SERIES,
  });
  const text = await (await asker(folder.path)(`/runs/${meta.id}`)).text();
  const [legend] = text.match(
    /(?<=id="chart-steps-p95".*?)class="legend".*?<\/p>/s,
  )!;
  const colours = [...legend.matchAll(/line c(\d)/g)].map(([, each]) => each);
  equal(colours.length, slow.size);
  equal(new Set(colours).size, slow.size, legend);
});

Deno.test("a mix: a chart by flow on its page, and a row a flow beside another run", async () => {
  using folder = workspace({});
  const flowOf = (name: string, p95: number) => ({
    name,
    weight: 1,
    iterations: { completed: 400, passed: 390, failed: 10, throttled: 0 },
    error_rate: 0.025,
    throttle_rate: 0,
    iteration_time: { ...NONE, p95 },
    latency: NONE,
  });
  const mix = (id: string, p95: number) =>
    metaOf({
      id,
      flow: "evening",
      steps: ["browse/list", "buy/pay", "buy/bill"].map((id) => ({
        ...STEP,
        id,
      })),
      flows: [flowOf("browse", 10), flowOf("buy", p95)],
    });
  const [a, b] = [
    mix("20260101T000000Z-evening-00000a", 20),
    mix("20260102T000000Z-evening-00000b", 30),
  ];
  const points = [
    { ...POINT, t: 0, steps: [[0, 5, 0, 0], [1, 1, 0, 0], [2, 2, 0, 0]] },
    { ...POINT, t: 1, steps: [[1, 1, 0, 1], [2, 1, 0, 0]] },
  ];
  for (const meta of [a, b]) {
    putRun(folder.path, meta!, {
      "histograms.json": FILE,
      "series.json": { ...SERIES, points },
    });
  }
  const ask = asker(folder.path);
  const text = await (await ask(`/runs/${a!.id}?steps=all`)).text();
  const [chart] = text.match(/id="chart-flows-outcomes".*?<\/figure>/s)!;
  match(chart, /Attempts of each flow.*Most of browse: 5\/s at 0s/s);
  match(chart, /line c0.*?browse.*?line c1.*?buy/s);
  const compared = await (await ask(`/compare?a=${a!.id}&b=${b!.id}`)).text();
  const [table] = compared.match(/aria-label="Flows of both".*?<\/table>/s)!;
  match(table, /buy.*400 → 400.*2\.5% → 2\.5%.*20ms → 30ms.*\+50%/s);
});
