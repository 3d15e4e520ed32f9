import assert from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { MetricsServer } from "../../../../lib/engine/run_context/metrics_server.ts";
import {
  countsUpTo,
  Histogram,
} from "../../../../lib/results/histograms/histogram.ts";
import {
  type ExposedRun,
  exposition,
  EXPOSITION_TYPES,
  type LiveFigures,
} from "../../../../lib/results/exposition/exposition.ts";

const RUN: ExposedRun = {
  id: "20260101T000000Z-shop-abcdef",
  flow: "shop",
  target: "staging",
  mode: "load",
  version: "0.1.0",
  steps: [
    { id: "login", sends: true },
    { id: 'a "quoted" \\ step', sends: true },
    { id: "pause", sends: false },
  ],
};

function durations(...ms: number[]) {
  const histogram = new Histogram();
  for (const each of ms) histogram.record(each);
  return histogram.data();
}

const FIGURES: LiveFigures = {
  iterations: {
    started: 9,
    completed: 7,
    passed: 4,
    failed: 2,
    throttled: 1,
    interrupted: 0,
  },
  vus: 2,
  startLagMs: 1.5,
  cpuRatio: 0.25,
  steps: [
    {
      attempts: { passed: 3, throttled: 1, failed: 0 },
      durations: [durations(0.5, 4, 30), durations(1)],
    },
    { attempts: { passed: 0, throttled: 0, failed: 1 }, durations: [] },
    { attempts: { passed: 9, throttled: 0, failed: 0 }, durations: [] },
  ],
};

Deno.test("exposition: every figure, by step and outcome, in both forms", () => {
  const open = exposition(RUN, FIGURES, "openmetrics");
  assert.ok(open.endsWith("# EOF\n"));
  assert.ok(!open.includes("pause"), "a wait is no request");
  for (
    const line of [
      'bench_run_info{id="20260101T000000Z-shop-abcdef",flow="shop",target="staging",mode="load",version="0.1.0"} 1',
      "# TYPE bench_requests counter",
      'bench_requests_total{step="login",outcome="passed"} 3',
      'bench_requests_total{step="a \\"quoted\\" \\\\ step",outcome="failed"} 1',
      "# UNIT bench_request_duration_seconds seconds",
      'bench_request_duration_seconds_bucket{step="login",le="0.001"} 2',
      'bench_request_duration_seconds_bucket{step="login",le="0.0025"} 2',
      'bench_request_duration_seconds_bucket{step="login",le="0.005"} 3',
      'bench_request_duration_seconds_bucket{step="login",le="1.0"} 4',
      'bench_request_duration_seconds_bucket{step="login",le="+Inf"} 4',
      'bench_request_duration_seconds_sum{step="login"} 0.0355',
      'bench_request_duration_seconds_count{step="login"} 4',
      'bench_iterations_total{outcome="failed"} 2',
      "bench_vus 2",
      "bench_start_lag_seconds 0.0015",
      "bench_generator_cpu_ratio 0.25",
    ]
  ) assert.ok(open.split("\n").includes(line), `${line}\n${open}`);
  const text = exposition(RUN, FIGURES, "text");
  assert.match(text, /^# TYPE bench_requests_total counter$/m);
  assert.ok(!/# (?:EOF|UNIT)/.test(text));
  assert.deepStrictEqual(
    text.split("\n").filter((each) => /^\w/.test(each)),
    open.split("\n").filter((each) => /^\w/.test(each)),
    "the samples are the same",
  );
});

Deno.test("exposition: what floating point adds to a figure is not written", () => {
  const figures = {
    ...FIGURES,
    startLagMs: 1.2000000000000455,
    cpuRatio: 0.040000000000000036,
  };
  const text = exposition(RUN, figures, "text");
  assert.match(text, /^bench_start_lag_seconds 0\.0012$/m);
  assert.match(text, /^bench_generator_cpu_ratio 0\.04$/m);
});

Deno.test("countsUpTo: within the buckets of the histogram, and never falling", () => {
  const bounds = [1_000, 2_500, 5_000, 1e6, 30e6];
  const data = durations(...Array.from({ length: 2_000 }, (_, n) => n * 1.7));
  const counts = countsUpTo(data, bounds);
  bounds.forEach((bound, index) => {
    const exact = Math.min(2_000, Math.floor(bound / 1_700) + 1);
    assert.ok(
      Math.abs(counts[index]! - exact) <= Math.ceil(exact / 1_000),
      `${bound}`,
    );
  });
  assert.deepStrictEqual(countsUpTo(durations(), bounds), [0, 0, 0, 0, 0]);
});

Deno.test("MetricsServer: serves what it was shown last, in the form that is asked for", async () => {
  let address = "";
  const options = {
    hostname: "127.0.0.1",
    port: 0,
    onListening: (each: string) => address = each,
  };
  const server = new MetricsServer(RUN, options, systemClock);
  const get = async (path: string, accept: string) => {
    const response = await fetch(`http://${address}${path}`, {
      headers: { accept, connection: "close" },
    });
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      text: await response.text(),
    };
  };
  const before = await get("/metrics", "text/plain");
  assert.match(
    before.text,
    /bench_requests_total\{step="login",outcome="passed"\} 0\n/,
  );
  server.show(FIGURES);
  const open = await get(
    "/metrics",
    "application/openmetrics-text;version=1.0.0",
  );
  assert.strictEqual(open.type, EXPOSITION_TYPES.openmetrics);
  assert.strictEqual(open.text, exposition(RUN, FIGURES, "openmetrics"));
  assert.strictEqual(
    (await get("/metrics", "*/*")).type,
    EXPOSITION_TYPES.text,
  );
  assert.strictEqual((await get("/", "*/*")).status, 404);
  const port = Number(address.split(":")[1]);
  assert.throws(
    () => new MetricsServer(RUN, { ...options, port }, systemClock),
    /cannot listen on 127\.0\.0\.1:\d+ for --metrics: the port is taken/,
  );
  await server.close();
});
