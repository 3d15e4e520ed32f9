import { workspace } from "../../support/bench.ts";
import {
  asker,
  groupOf,
  metaOf,
  putRun,
  verdictOf,
} from "../../support/viewer_fixture.ts";

import { equalsGolden } from "./golden_page.ts";

const ID = "20261120T180211Z-checkout-0000aa";
const LATENCY = {
  min: 1,
  avg: 20,
  p50: 12,
  p90: 60,
  p95: 180,
  p99: 420,
  max: 512.25,
};

const META = metaOf({
  mode: "stress",
  verdict: "fail",
  exit_code: 1,
  duration_ms: 2_500,
  iterations: {
    started: 1_000,
    completed: 998,
    passed: 900,
    failed: 8,
    throttled: 90,
  },
  requests: 1_200,
  error_rate: 8 / 998,
  throttle_rate: 90 / 998,
  latency: LATENCY,
  thresholds: [
    verdictOf("p95(latency) < 150ms", 180, false, 1_110),
    verdictOf("error_rate < 1%", 8 / 998, true, 998),
  ],
  steps: [{
    id: "pay",
    kind: "call",
    executions: 1_000,
    requests: 1_200,
    passed: 902,
    throttled: 90,
    failed: 8,
    attempts: { passed: 902, throttled: 290, failed: 8 },
    bytes_sent: 120_000,
    bytes_received: 2_400_000,
    checks: [
      { check: "status == 200", passed: 990, failed: 8 },
    ],
    http_versions: ["1.1"],
    latency: LATENCY,
    throttled_latency: { ...LATENCY, p50: 2, max: 4 },
  }],
  knee: {
    class: "inconclusive",
    detail: "at 40 VUs p95(latency) < 150ms broke; no agent was attached",
    vus: 40,
    threshold: "p95(latency) < 150ms",
    at_ms: 1_000,
  },
  failures: [
    groupOf({
      step: "pay",
      code: "assertion",
      message: "status == 200 does not hold: status is the integer 500",
      count: 8,
      outcome: "failed",
      file: "checkout.yaml",
      line: 12,
      column: 9,
      expected: { type: "integer", text: "200" },
      actual: { type: "integer", text: "500" },
      trace_id: "00ff",
    }),
    groupOf({
      step: "pay",
      code: "throttled",
      message: "Throttled by the target: status 429",
      count: 90,
      outcome: "throttled",
    }),
  ],
  notes: ["2 iterations stopped before the end; counted in no rate"],
});

const POINT = {
  vus: 20,
  started: 400,
  completed: 399,
  iterations_failed: 3,
  iterations_throttled: 30,
  passed: 360,
  throttled: 100,
  failed: 3,
  bytes_sent: 1,
  bytes_received: 1,
  p50: 12,
  p95: 100,
  p99: 300,
  max: 400,
  buckets: [[40, 300], [52, 60], [60, 3]],
};
const SERIES = {
  schema: 1,
  interval_ms: 1000,
  points: [0, 1, 2].map((t) => ({ ...POINT, t, p95: 100 + 40 * t })),
};
const TRACE = {
  trace_id: "00ff",
  iteration: 7,
  vu: 3,
  outcome: "failed",
  start_us: 1_500_000,
  duration_us: 90_000,
  spans: [
    {
      span_id: "1",
      name: "pay",
      start_us: 1_500_000,
      duration_us: 90_000,
      outcome: "failed",
      failure: { code: "assertion", message: "status == 200 does not hold" },
    },
    {
      span_id: "2",
      parent_id: "1",
      name: "http_call",
      start_us: 1_500_000,
      duration_us: 80_000,
      outcome: "passed",
      attributes: { origin: "https://shop.test", status: 500 },
      request: {
        line: "POST /pay HTTP/1.1",
        headers: [["Host", "shop.test"], ["Authorization", "[redacted]"]],
        body: '{"amount":1}',
        body_bytes: 12,
      },
      response: {
        line: "HTTP/1.1 500 Internal Server Error",
        headers: [],
        body_bytes: 90,
        body_sha256: "ab12".repeat(16),
      },
    },
    {
      span_id: "3",
      parent_id: "2",
      name: "ttfb",
      start_us: 1_510_000,
      duration_us: 60_000,
    },
  ],
};
const TRACES = `{"schema":1,"policy":"sampled","traces":[\n${
  JSON.stringify(TRACE)
}\n],"truncated":false}\n`;

const PAGES: Readonly<Record<string, string>> = {
  list: "/",
  run: `/runs/${ID}`,
  traces: `/runs/${ID}/traces`,
  trace: `/runs/${ID}/traces/00ff`,
  flame: `/runs/${ID}/flame`,
  failures: `/runs/${ID}/failures`,
  compare: `/compare?a=20261119T180211Z-checkout-0000ab&b=${ID}`,
};

for (const [name, path] of Object.entries(PAGES)) {
  Deno.test(`pages: ${name} says what it said`, async () => {
    using folder = workspace({});
    putRun(folder.path, META, { "series.json": SERIES, "traces.json": TRACES });
    putRun(folder.path, {
      ...META,
      id: "20261119T180211Z-checkout-0000ab",
      started_at: "2026-11-19T18:02:11.000Z",
      latency: { ...LATENCY, p95: 120 },
      failures: [],
    });
    const response = await asker(folder.path)(path);
    equalsGolden(name, (await response.text()).replaceAll(folder.path, "runs"));
  });
}
