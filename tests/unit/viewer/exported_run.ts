import { NO_LATENCY, type RunMeta } from "../../../lib/model/result/run.ts";
import { equal } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import {
  kindInName,
  type Span,
  type Trace,
} from "../../../lib/model/result/trace.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

/*
 * A run that has one of everything an export must find a place for.
 */

export const META = metaOf({
  duration_ms: 3_000,
  steps: ["login", "item"].map((id) => ({
    id,
    kind: "call",
    executions: 6,
    requests: 6,
    passed: 4,
    throttled: 1,
    failed: 1,
    attempts: { passed: 4, throttled: 1, failed: 1 },
    bytes_sent: 600,
    bytes_received: 1_700,
    http_versions: [],
    checks: [],
    latency: NO_LATENCY,
    throttled_latency: NO_LATENCY,
  })),
});
export const ID = META.id;

type Facts = Partial<Omit<Span, "span_id" | "name" | "kind">>;

function span(
  span_id: string,
  name: string,
  [start_us, duration_us]: readonly [number, number],
  facts: Facts = {},
): Span {
  const kind = kindInName({ name, ...facts });
  return { span_id, name, ...kind, start_us, duration_us, ...facts };
}

const CALL = { parent_id: "1", outcome: "passed" } as const;
const ORIGIN = { origin: "https://shop.test:8443", status: 200 };

/** A call over a new connection, with what a cookie, a query and a body look like. */
const WHOLE: readonly Span[] = [
  span("1", "login", [1_000, 9_000], {
    outcome: "passed",
    attributes: { kind: "call" },
  }),
  span("2", "http_call", [1_000, 8_000], {
    ...CALL,
    attributes: ORIGIN,
    request: {
      line: "POST /login?key=[redacted]&q=a%20b&q=c HTTP/1.1",
      headers: [
        ["Host", "shop.test:8443"],
        ["Cookie", "a=1; b=[redacted]"],
        ["Content-Type", "application/json"],
      ],
      body: '{"a":"ü"}',
      body_bytes: 10,
    },
    response: {
      line: "HTTP/1.1 302 Found",
      headers: [
        ["Location", "/home"],
        [
          "Set-Cookie",
          "sid=[redacted]; Path=/; Domain=shop.test; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly; Secure",
        ],
        ["Set-Cookie", "plain=1; Expires=never"],
        ["Content-Type", "image/png"],
      ],
      body: "iVBORw==",
      body_encoding: "base64",
      body_bytes: 100_000,
      body_truncated: true,
    },
  }),
  span("3", "dns", [1_000, 500], { parent_id: "2" }),
  span("4", "connect", [1_500, 1_000], { parent_id: "2" }),
  span("5", "tls", [2_500, 2_000], { parent_id: "2" }),
  span("6", "ttfb", [4_500, 3_000], { parent_id: "2" }),
  span("7", "transfer", [7_500, 1_500], { parent_id: "2" }),
  span("8", "login.assert@0", [9_000, 500], CALL),
];

/** A timeout, a response that was not kept, and gRPC. */
const ODD: readonly Span[] = [
  span("1", "slow", [20_000, 40_000], { outcome: "failed" }),
  span("2", "http_call", [20_000, 30_000], {
    ...CALL,
    outcome: "failed",
    attributes: { origin: "http://shop.test", bytes_sent: 20 },
    failure: { code: "timeout", message: "No response within 30ms" },
    request: { line: "GET / HTTP/1.1", headers: [["Host", "shop.test"]] },
  }),
  span("3", "http_call", [50_000, 1_000], {
    ...CALL,
    attributes: { ...ORIGIN, response_overwritten: true },
    request: { line: "GET /a HTTP/1.1", headers: [["Host", "shop.test"]] },
  }),
  span("4", "ttfb", [50_000, 900], { parent_id: "3" }),
  span("5", "item", [60_000, 5_000], { outcome: "passed" }),
  span("6", "http_call", [60_000, 4_000], {
    parent_id: "5",
    outcome: "passed",
    attributes: { origin: "http://shop.test:50051", status: 5 },
    request: {
      line: "POST /shop.v1.Catalog/GetItem HTTP/2",
      headers: [["content-type", "application/grpc"]],
      body: '{"id":7}',
      body_bytes: 7,
    },
    response: {
      line: "HTTP/2 200",
      headers: [["content-type", "application/grpc"], ["grpc-status", "5"]],
    },
  }),
];

/** Two sessions whose frames must not mix. */
const SOCKETS: readonly Span[] = [
  ...["chat", "news"].flatMap((name, i) => [
    span(`${i}a`, `open_${name}`, [i * 100, 50], {
      outcome: "passed",
      attributes: { kind: "ws", session: name },
    }),
    span(`${i}b`, "http_call", [i * 100, 40], {
      parent_id: `${i}a`,
      outcome: "passed",
      attributes: { origin: "https://shop.test", status: 101 },
      request: {
        line: `GET /${name} HTTP/1.1`,
        headers: [["Host", "shop.test"], ["Upgrade", "websocket"]],
      },
      response: { line: "HTTP/1.1 101 Switching Protocols", headers: [] },
    }),
    span(`${i}c`, `say_${name}`, [1_000 + i * 100, 50], {
      outcome: "passed",
      attributes: { kind: "ws", session: name },
    }),
    span(`${i}d`, "frames", [1_000 + i * 100, 40], {
      parent_id: `${i}c`,
      outcome: "passed",
      request: { line: "text frame", headers: [], body: `"to ${name}"` },
      response: { line: "text frame", headers: [], body: `"from ${name}"` },
    }),
  ]),
];

function trace(index: number, vu: number, spans: readonly Span[]): Trace {
  const from = Math.min(...spans.map((each) => each.start_us));
  const to = Math.max(...spans.map((s) => s.start_us + s.duration_us));
  return {
    trace_id: String(index).padStart(32, "0"),
    iteration: index,
    vu,
    row: index,
    outcome: spans.some((each) => each.outcome === "failed")
      ? "failed"
      : "passed",
    start_us: from,
    duration_us: to - from,
    spans,
  };
}

export const TRACES: readonly Trace[] = [
  trace(0, 0, WHOLE),
  trace(1, 0, ODD),
  trace(2, 1, SOCKETS),
];

/** `traces.json` with these traces. */
export function tracesText(traces: readonly Trace[]): string {
  const lines = traces.map((each) => JSON.stringify(each)).join(",\n");
  return `{"schema":1,"policy":"all","traces":[\n${lines}\n],"truncated":false}\n`;
}

const POINT = {
  vus: 2,
  started: 4,
  completed: 3,
  iterations_failed: 1,
  iterations_throttled: 0,
  passed: 5,
  throttled: 1,
  failed: 1,
  bytes_sent: 1_200,
  bytes_received: 3_400,
  p50: 1.234_5,
  p95: 9,
  p99: 9.5,
  max: 10,
  cpu_share: 0.25,
  loop_lag_ms: 1.5,
  buckets: [],
};

export const SERIES = {
  schema: 1,
  interval_ms: 1_000,
  points: [
    { ...POINT, t: 0, steps: [[0, 3, 1, 0], [1, 2, 0, 1]] },
    // No response came in this second: its latencies are unknown.
    {
      ...POINT,
      t: 1,
      passed: 0,
      failed: 0,
      p50: 0,
      p95: 0,
      p99: 0,
      max: 0,
      steps: [[0, 0, 1, 0]],
    },
    { ...POINT, t: 2 },
  ],
};

const READING = {
  cpu_cores: 2,
  mem_used_bytes: 1_000,
  mem_total_bytes: 4_000,
  net_rx_bytes_total: 10,
  net_tx_bytes_total: 10,
  open_fds: 7,
  load1: 0.5,
};
const START = Date.parse(META.started_at);

/** Of an agent whose clock is a minute ahead; its last reading is missing. */
export const AGENT = {
  schema: 1,
  addr: "127.0.0.1:9090",
  interval_ms: 1_000,
  samples: [
    { ...READING, t_ms: 20, ts_ms: START + 60_020, cpu_seconds_total: 10 },
    { ...READING, t_ms: 1_020, ts_ms: START + 61_020, cpu_seconds_total: 11 },
    { ...READING, t_ms: 2_020, ts_ms: START + 62_020, cpu_seconds_total: 11.5 },
  ],
  missed: 1,
};

/** The files of the run's directory. */
export const FILES: Readonly<Record<string, unknown>> = {
  "traces.json": tracesText(TRACES),
  "series.json": SERIES,
  "agent.json": AGENT,
};

/** A page of the viewer over a store of one run. */
export async function page(
  path: string,
  files: Record<string, unknown> = FILES,
  meta: RunMeta = META,
): Promise<string> {
  using folder = workspace({});
  putRun(folder.path, meta, files);
  const response = await asker(folder.path)(path);
  equal(response.status, 200, path);
  return await response.text();
}
