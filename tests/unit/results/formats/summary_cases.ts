import {
  type RunEnding,
  type RunFacts,
  summarise,
} from "../../../../lib/results/report/summary.ts";
import type { renderSummary } from "../../../../lib/results/formats/text.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import type {
  CountedFailure,
  RunTotals,
} from "../../../../lib/model/result/totals.ts";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import {
  distributionOf,
  iterationsOf,
  stepTotalsOf,
  totalsOf,
} from "../report/totals.ts";
import { ENDING, FACTS as ONE_STEP } from "../report/finished_run.ts";

const SOURCE = `flow: checkout
steps:
  - id: login
    call: POST /login
    assert:
      - status == 200
  - id: add_to_cart
    call: POST /cart
    assert:
      - $.items[0].count == 2
      - $.total > 0
`;
const FACTS: RunFacts = {
  ...ONE_STEP,
  steps: [{ id: "login", kind: "call" }, { id: "add_to_cart", kind: "call" }],
};
const LINES = new Map([["/steps/0/assert/0", 6], ["/steps/1/assert/0", 10], [
  "/steps/1/assert/1",
  11,
], [
  "/steps/1",
  7,
]]);
const ASSERTION: CountedFailure = {
  key: "add_to_cart|assertion",
  iteration: 2,
  step: "add_to_cart",
  outcome: "failed",
  code: "assertion",
  message: "`$.items[0].count == 2` does not hold",
  count: 1,
  pointer: "/steps/1/assert/0",
  expected: { type: "integer", text: "2" },
  actual: { type: "string", text: "2" },
  trace_id: "0".repeat(24) + "00c0ffee",
  row: 2,
  exchange: {
    request: "POST /cart HTTP/1.1",
    response: "HTTP/1.1 200 OK",
    body: '{"items":[{"count":"2"}],\n  "note":"<b>\u001b[31m</b>"}',
  },
};
const THROTTLE: CountedFailure = {
  key: "add_to_cart|throttled",
  iteration: 3,
  pointer: "/steps/1",
  step: "add_to_cart",
  outcome: "throttled",
  code: "throttled",
  message: "Throttled by the target: status 429",
  count: 41,
  trace_id: "0".repeat(24) + "0badcafe",
  exchange: {
    request: "POST /cart HTTP/1.1",
    response: "HTTP/1.1 429 Too Many Requests",
  },
};
const LATENCIES = Array.from({ length: 1_204 }, (_, i) => 31 + i * i / 4_000);

function meta(
  facts: Partial<RunFacts>,
  totals: RunTotals,
  ending: Partial<RunEnding> = {},
): RunMeta {
  return summarise(
    { ...FACTS, ...facts },
    totals,
    { ...ENDING, ...ending },
    (pointer) => {
      const line = LINES.get(pointer);
      return line === undefined
        ? undefined
        : { file: "flows/checkout.yaml", line, column: 9 };
    },
  );
}

function loadTotals(facts: Partial<RunTotals> = {}): RunTotals {
  const spread = distributionOf(LATENCIES);
  return totalsOf(LATENCIES, {
    latencies: {
      service: spread,
      response: spread,
      throttled: distributionOf([]),
    },
    requests: 2 * LATENCIES.length,
    steps: [stepTotalsOf(LATENCIES), stepTotalsOf(LATENCIES)],
    ...facts,
  });
}

const NOTHING_WRONG = { failures: [] };
const rows: RunTotals["rows"] = [
  {
    iteration: 0,
    row: 0,
    outcome: "passed",
    duration_ms: 84,
    ...NOTHING_WRONG,
  },
  {
    iteration: 1,
    row: 1,
    outcome: "passed",
    duration_ms: 79.5,
    ...NOTHING_WRONG,
  },
  {
    iteration: 2,
    row: 2,
    outcome: "failed",
    duration_ms: 1_204,
    trace_id: ASSERTION.trace_id!,
    failures: [ASSERTION, {
      ...ASSERTION,
      message: "`$.total > 0` does not hold: $.total does not exist",
      expected: { type: "integer", text: "0", operator: ">" },
      actual: { type: "nothing", text: "" },
      pointer: "/steps/1/assert/1",
    }, {
      ...ASSERTION,
      step: "login",
      pointer: "/steps/0/assert/0",
      message: "`status == 200` does not hold",
    }],
    other_failures: 3,
  },
  {
    iteration: 3,
    row: 3,
    outcome: "throttled",
    duration_ms: 12,
    failures: [{ ...THROTTLE, count: 1 }],
  },
];
const declared = (...texts: string[]) =>
  texts.map((text) => parseThreshold(text));

/** Summaries that are kept as golden files, by the name of the file. */
export const CASES: Readonly<
  Record<
    string,
    { meta: RunMeta; options?: Partial<Parameters<typeof renderSummary>[1]> }
  >
> = {
  pass: {
    meta: meta({
      thresholds: declared("p95(latency) < 400ms", "error_rate < 1%"),
    }, loadTotals()),
  },
  fail_with_rows: {
    meta: meta(
      {
        mode: "integration",
        vus: 1,
        thresholds: declared("p95(latency) < 300ms"),
      },
      totalsOf([84, 79.5, 1_100], {
        iterations: {
          ...iterationsOf(4, { failed: 2, throttled: 1 }),
          passed: 2,
        },
        steps: [
          stepTotalsOf([40, 41, 39, 12]),
          stepTotalsOf([44, 38, 1_000], { passed: 2, failed: 1 }),
        ],
        failures: [ASSERTION, THROTTLE],
        rows,
      }),
    ),
    options: { sources: new Map([["flows/checkout.yaml", SOURCE]]) },
  },
  fail_with_many_rows: {
    meta: meta(
      { mode: "system", vus: 4 },
      totalsOf([84], {
        iterations: iterationsOf(1_000, { failed: 900 }),
        steps: [stepTotalsOf([84]), stepTotalsOf([84])],
        failures: [{ ...ASSERTION, count: 900 }],
        rows: Array.from(
          { length: 22 },
          (_, row) => ({
            ...rows[2]!,
            failures: [ASSERTION],
            other_failures: 0,
            iteration: row,
            row,
          }),
        ),
        otherRows: 878,
      }),
    ),
  },
  throttled_load: {
    meta: meta(
      { thresholds: declared("throttle_rate < 2%") },
      loadTotals({
        requests: 2_760,
        iterations: iterationsOf(1_204, { failed: 1, throttled: 41 }),
        steps: [
          stepTotalsOf(LATENCIES, {
            requests: 1_210,
            attempts: { passed: 1_204, throttled: 0, failed: 6 },
          }),
          stepTotalsOf(LATENCIES, {
            requests: 1_550,
            passed: 1_162,
            throttled: 41,
            failed: 1,
            attempts: { passed: 1_162, throttled: 387, failed: 1 },
          }),
        ],
        failures: [THROTTLE, {
          ...ASSERTION,
          message: "response of a very long kind ".repeat(5).trim(),
        }],
      }),
      {
        offered_requests: 2_850,
        generator: {
          cpu_share: 0.97,
          core_wait_share: 0.02,
          cores: { total: 2, generator: 1.9, target: null, others: 0.1 },
          loop_lag_p99_ms: 41,
          late_p50_ms: 0,
          late_p99_ms: 0,
          unserved_slots: 90,
          held_requests: 1_100,
          held_ms: 12_400,
          limited: true,
          detail:
            "the generator was the limit: it used 97% of its CPU, so latencies include its own queueing",
        },
        notes: ["the secret `PIN` is short; ordinary text may read [redacted]"],
      },
    ),
  },
  knee: {
    meta: meta(
      { mode: "stress", thresholds: declared("p95(latency) < 300ms") },
      loadTotals(),
      {
        agent_attached: true,
        knee: {
          class: "degraded",
          detail:
            "p95(latency) < 300ms broke at 12 VUs; CPU rose from 31% to 88%",
          vus: 12,
          threshold: "p95(latency) < 300ms",
          at_ms: 31_000,
        },
      },
    ),
  },
  no_samples: {
    meta: meta(
      { thresholds: declared("p95(latency) < 300ms", "error_rate < 1%") },
      totalsOf([], { steps: [stepTotalsOf([]), stepTotalsOf([])] }),
    ),
  },
  interrupted: {
    meta: meta(
      {},
      loadTotals({ iterations: iterationsOf(1_204, { interrupted: 20 }) }),
      { status: "interrupted", signal: "SIGINT", abort_reason: "SIGINT" },
    ),
  },
  aborted: {
    meta: meta(
      { mode: "integration", vus: 1 },
      totalsOf([84], {
        steps: [stepTotalsOf([84]), stepTotalsOf([])],
        rows: [rows[0]!],
      }),
      { status: "aborted", abort_reason: "step `login` did not pass" },
    ),
  },
  warm_up: {
    meta: meta({}, loadTotals(), {
      warm_up: {
        duration_ms: 30_000,
        iterations: {
          started: 1_210,
          completed: 1_204,
          passed: 1_190,
          failed: 12,
          throttled: 2,
        },
        requests: 2_416,
        error_rate: 12 / 1_204,
        throttle_rate: 2 / 1_204,
      },
    }),
  },
  contract: {
    meta: meta(
      {
        contract: {
          description: "shop.openapi.yaml",
          contract: "fail",
          sampled: 0.01,
          operations: ["GET /items", "GET /items/{id}", "POST /orders"],
        },
      },
      loadTotals({
        contract: {
          operations: [
            { operation: "GET /items/{id}", checked: 120, broken: 80 },
            { operation: "GET /items", checked: 121, broken: 0 },
          ],
          violations: [{
            key: "a",
            operation: "GET /items/{id}",
            status: 200,
            rule: "schema",
            schema: "Item/properties/price/type",
            message: "/price must be number",
            actual: { type: "string", text: "9.90" },
            count: 80,
            steps: [1],
            iteration: 3,
            trace_id: "0123456789abcdef0123456789abcdef",
          }, {
            key: "b",
            operation: "GET /items/{id}",
            status: 418,
            rule: "status",
            message: "status 418 is not described",
            expected: { type: "list", text: "200, 404", operator: "one of" },
            actual: { type: "integer", text: "418" },
            count: 1,
            steps: [0, 1],
            iteration: 9,
          }],
          other: 2,
          undescribed: [0],
        },
      }),
    ),
  },
  once: {
    meta: meta({}, loadTotals(), {
      setup: {
        outcome: "passed",
        duration_ms: 84.2,
        requests: 2,
        steps: [
          { id: "tenant", kind: "call", outcome: "passed", duration_ms: 60 },
          { id: "token", kind: "call", outcome: "passed", duration_ms: 24 },
        ],
        failures: [],
      },
      teardown: {
        outcome: "failed",
        duration_ms: 12,
        requests: 1,
        steps: [
          { id: "drop", kind: "call", outcome: "failed", duration_ms: 12 },
        ],
        failures: [{
          key: "drop|status",
          step: "drop",
          outcome: "failed",
          code: "status",
          message: "response status was 500 Internal Server Error",
          count: 1,
          file: "flows/checkout.yaml",
          line: 7,
          column: 9,
        }],
      },
    }),
  },
  empty: {
    meta: meta(
      { flow: "nothing", steps: [], vus: 1 },
      totalsOf([], { steps: [] }),
      { durationMs: 0 },
    ),
  },
};

/** The file name under the store that every case is shown with. */
export const RUN_DIR = `.bench/runs/${FACTS.id}`;
