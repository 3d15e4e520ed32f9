import { deepEqual, doesNotMatch, match } from "node:assert/strict";
import { NO_LATENCY, type RunMeta } from "../../../lib/model/result/run.ts";
import { workspace } from "../../support/bench.ts";
import {
  asker,
  groupOf,
  metaOf,
  putRun,
  verdictOf,
} from "../../support/viewer_fixture.ts";

const FLOW = {
  name: "browse",
  weight: 1,
  iterations: { completed: 0, passed: 0, failed: 0, throttled: 0 },
  error_rate: 0,
  throttle_rate: 0,
  iteration_time: NO_LATENCY,
  latency: NO_LATENCY,
};
const FIRST = metaOf({ flows: [FLOW] });
const LATENCY = { min: 1, avg: 2, p50: 2, p90: 4, p95: 5, p99: 8, max: 9 };
/** Its requests were sampled, and none of its iterations was completed. */
const SECOND = metaOf({
  id: "20261121T180211Z-checkout-0000aa",
  latency: LATENCY,
  flows: [FLOW],
});
const THIRD = {
  ...SECOND,
  id: "20261122T180211Z-checkout-0000aa",
  latency: { ...LATENCY, p95: 6 },
};

/** The words of a path of a store of these runs. */
async function wordsOf(
  path: string,
  runs: readonly RunMeta[],
): Promise<string> {
  using folder = workspace({});
  for (const meta of runs) putRun(folder.path, meta);
  const text = await (await asker(folder.path)(path)).text();
  return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

const PATHS = [
  "/",
  "/flows/checkout",
  `/runs/${FIRST.id}`,
  `/runs/${SECOND.id}`,
  `/compare?a=${FIRST.id}&b=${SECOND.id}`,
  `/runs/${SECOND.id}/export/md`,
];

for (const path of PATHS) {
  Deno.test(`${path}: a run without a completed iteration has no rates`, async () => {
    doesNotMatch(await wordsOf(path, [FIRST, SECOND, THIRD]), /[ "]0%/);
  });
}

Deno.test("run page: where no iteration passed, the thresholds that broke are named too", async () => {
  const meta = metaOf({
    verdict: "fail",
    iterations: { ...FLOW.iterations, started: 3, completed: 3, failed: 3 },
    requests: 3,
    thresholds: [verdictOf("p95(latency) < 1ms", 5, false, 3)],
  });
  const words = await wordsOf(`/runs/${meta.id}`, [meta]);
  match(words, /The run failed: no iteration passed, and no threshold on/);
  match(
    words,
    /1 of 1 threshold breached: p95\(latency\) &lt; 1ms came out at 5ms/,
  );
});

Deno.test("run page: a functional run that ended before its first row has no parts of a load run", async () => {
  const meta = metaOf({
    ...{ mode: "integration", status: "aborted", rows: [] },
    notes: [],
  });
  const words = await wordsOf(`/runs/${meta.id}`, [meta]);
  match(words, / Rows No iteration ended\. /);
  doesNotMatch(words, /The target's machine|Slowest traces|Over time/);
  doesNotMatch(words, /About the figures/, "nothing is said of no figures");
});

Deno.test("flow page: runs without a completed iteration make no line", async () => {
  const words = await wordsOf("/flows/checkout", [SECOND, THIRD]);
  doesNotMatch(words, /Run by run/);
  deepEqual(words.match(/ 0 – – [56]ms /g)?.length, 2);
});

Deno.test("compare page: a flow without a completed iteration has no rates", async () => {
  const words = await wordsOf(PATHS[4]!, [FIRST, SECOND]);
  match(words, /browse 0 → 0 – → – – → –/);
});

Deno.test("failures and traces: what failed in setup is there, though no iteration began", async () => {
  const failure = {
    ...groupOf({
      ...{ step: "prep", outcome: "failed", code: "status", count: 1 },
      ...{ message: "response status was 500", last_ms: 1 },
    }),
    ...{ file: "checkout.yaml", line: 4, column: 5 },
  };
  const step = { id: "prep", kind: "call", duration_ms: 3 };
  const meta = metaOf({
    ...{ status: "aborted", verdict: "fail" },
    setup: {
      ...{ outcome: "failed", duration_ms: 3, requests: 1 },
      trace_id: "0".repeat(32),
      steps: [{ ...step, outcome: "failed" }],
      failures: [failure],
    },
  });
  const at = `/runs/${meta.id}`;
  match(
    await wordsOf(`${at}/failures`, [meta]),
    /Setup and teardown .*failed prep .*checkout\.yaml:4:5 response status was 500/,
  );
  match(
    await wordsOf(`${at}/traces`, [meta]),
    /Traces trace of setup No trace/,
  );
  const passed = metaOf({ setup: { ...meta.setup!, outcome: "passed" } });
  doesNotMatch(await wordsOf(`${at}/failures`, [passed]), /Setup and teardown/);
});
