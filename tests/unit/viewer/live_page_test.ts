import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import type {
  ContractSummary,
  ViolationGroup,
} from "../../../lib/model/result/contract.ts";
import { verdictOf } from "../../support/viewer_fixture.ts";
import { FILES, ID, META, page, TRACES } from "./exported_run.ts";

const flow = (profile: unknown) => ({
  ...FILES,
  "flow.json": { ...FILES["flow.json"] as object, profile },
});

const [FAILED] = TRACES.filter(({ outcome }) => outcome === "failed");

function failureOf(
  step: string,
  message: string,
  count: number,
  last_ms: number,
  trace_id?: string,
) {
  return {
    ...{ key: `${step} ${message}`, step, message, count, last_ms },
    outcome: "failed",
    code: "assertion",
    ...(trace_id !== undefined && { trace_id }),
  } as const;
}

const GOING = {
  ...META,
  status: "running",
  verdict: null,
  ended_at: null,
  duration_ms: 2_500,
  failures: [
    failureOf("item", "status 500", 1_000, 2_300, FAILED!.trace_id),
    failureOf("login", "no token", 1, 2_400),
  ],
  thresholds: [verdictOf("error_rate < 1%", 0.25, false, 8)],
} as const;

Deno.test("run page: of a run that goes on, what is done of the plan, and thresholds as they stand", async () => {
  const text = await page(`/runs/${ID}`, flow({ vus: 2, hold_us: 1e7 }), GOING);
  match(text, /<progress value="0\.250"[\s\S]*25% of the plan is done/);
  match(text, /about 7s left|about 8s left/);
  match(text, /As they stand now; they are judged when the run ends/);
  // In the first screen, before the list of what else there is.
  match(text, /id="thresholds"[\s\S]*breached[\s\S]*id="contents"/);
  // In the order of a glance: what is judged, what fails, the figures, the charts.
  const order = ["progress", "thresholds", "last", "figures", "time"]
    .map((id) => text.indexOf(`id="${id}"`));
  deepEqual(order, order.toSorted((a, b) => a - b));
  equal(order.includes(-1), false);
  const [last = ""] = /<ul class="last">[\s\S]*?<\/ul>/.exec(text) ?? [];
  match(last, new RegExp(`traces/${FAILED!.trace_id}`));
  match(
    last,
    /at 2\.3s <strong>item<\/strong>: status 500 [\s\S]*1,000 so far/,
  );
  // Though no trace of it was kept, and it is not the most frequent.
  match(last, /at 2\.4s <strong>login<\/strong>: no token/);
  equal(last.indexOf("login") < last.indexOf("item"), true);
  const ended = await page(`/runs/${ID}`, flow({ vus: 2, hold_us: 1e7 }));
  doesNotMatch(ended, /<progress|As they stand now|class="last"/);
});

Deno.test("run page: of a run that goes on, or was killed, only traces that are stored are linked", async () => {
  const lost = "f".repeat(32);
  const kept = FAILED!.trace_id;
  const failures = [
    failureOf("item", "status 500", 9, 2_300, kept),
    failureOf("login", "no token", 1, 2_400, lost),
  ];
  const violation: ViolationGroup = {
    ...{ operation: "GET /items", status: 200, rule: "schema", count: 1 },
    ...{ message: "/name must be <string>", steps: ["item"], trace_id: lost },
  };
  const contract: ContractSummary = {
    ...{ description: "shop.yaml", contract: "warn", sampled: 1 },
    ...{ operations: [], unreached: [], undescribed: [], other_violations: 0 },
    violations: [violation],
  };
  for (const path of [`/runs/${ID}`, `/runs/${ID}/failures`]) {
    for (const status of ["running", "interrupted"] as const) {
      const meta = { ...GOING, status, failures, contract };
      const text = await page(path, FILES, meta);
      match(text, new RegExp(`href="[^"]*traces/${kept}`));
      doesNotMatch(text, new RegExp(`href="[^"]*traces/${lost}`));
    }
  }
});

Deno.test("run page: of a run that goes on, or was killed, latencies lack the last seconds, and the page says so", async () => {
  const note = /Latencies are stored every 5 to 30 seconds/g;
  const latency = { min: 1, avg: 1, p50: 1, p90: 1, p95: 1, p99: 1, max: 1 };
  const notes = async (change: object) => {
    const meta = { ...META, ...change, latency };
    const text = await page(`/runs/${ID}`, FILES, meta);
    return text.match(note)?.length ?? 0;
  };
  equal(await notes({}), 0);
  equal(await notes({ ...GOING, status: "interrupted", thresholds: [] }), 1);
  const p95 = verdictOf("p95(latency) < 5ms", 15, false, 8);
  equal(await notes(GOING), 1);
  equal(await notes({ ...GOING, thresholds: [p95] }), 2);
});

Deno.test("run page and failures: the counts of a run that goes on are those so far", async () => {
  const counts = { started: 9, completed: 9, passed: 8, throttled: 0 };
  const iterations = { ...counts, failed: 1 };
  for (const path of [`/runs/${ID}`, `/runs/${ID}/failures`]) {
    const ended = await page(path, FILES, { ...META, iterations });
    match(ended, /throttle[^<]* over the whole run\./);
    const going = await page(path, FILES, { ...GOING, iterations });
    match(going, /throttle[^<]* so far\./);
    doesNotMatch(going, /throttle[^<]* over the whole run/);
  }
});

Deno.test("flame page: the traces of a load run that goes on, or was killed, are no sample of it", async () => {
  const iterations = { ...META.iterations, completed: 900 };
  const words = async (change: object) => {
    const meta = { ...META, ...change, iterations };
    return await page(`/runs/${ID}/flame`, FILES, meta);
  };
  const sample = /Made of a random sample of \d+ of 900 iterations\. The width/;
  match(await words({}), sample);
  const soFar =
    /Made of the traces that are stored so far, \d+ of 900 iterations\. Failed and slow ones/;
  match(await words(GOING), soFar);
  match(await words({ ...GOING, status: "interrupted" }), soFar);
  match(
    await words({ ...GOING, mode: "system", rows: [] }),
    /Made of \d+ of 900 iterations\. The width/,
  );
});

Deno.test("run page: of a functional run that goes on nothing says how much is done", async () => {
  const going = { ...GOING, mode: "system", rows: [] } as const;
  const files = flow({ mode: "system", vus: 2 });
  const text = await page(`/runs/${ID}`, files, going);
  match(text, /RUNNING/);
  doesNotMatch(text, /<progress|of the plan|it ends now/);
  const iterations = { ...META.iterations, failed: 1 };
  const failures = await page(`/runs/${ID}/failures`, files, {
    ...META,
    ...{ mode: "system", rows: [], iterations },
  });
  // Without a throttle its line is at 0, and not cut off.
  match(failures, /values&quot;:\[\[[^\]]*\],\[&quot;0&quot;/);
});

Deno.test("traces page: of a run that goes on no trace is missing yet, of one that was killed some are", async () => {
  const { "traces.json": whole, ...others } = FILES;
  const files = {
    ...others,
    "traces.json.part": String(whole).replace(/\n\],"truncated".*/s, "\n"),
  };
  const missing = /Some that should be here were left out/;
  const traces = (meta: typeof META) => page(`/runs/${ID}/traces`, files, meta);
  doesNotMatch(await traces(GOING), missing);
  match(await traces({ ...GOING, status: "interrupted" }), missing);
});

Deno.test("run page: a run that its iterations bound is done by their number", async () => {
  const iterations = { ...GOING.iterations, started: 9, completed: 8 };
  const text = await page(`/runs/${ID}`, flow({ vus: 2, iterations: 16 }), {
    ...GOING,
    iterations,
  });
  equal(/<progress value="([^"]*)"/.exec(text)![1], "0.500");
});

Deno.test("run page: a stress run that held says up to where", async () => {
  const held = {
    expression: "error_rate < 1%",
    metric: "error_rate",
    operator: "<",
    limit: 0.01,
    actual: 0,
    pass: true,
    samples: 9,
  } as const;
  const stress: typeof META = {
    ...META,
    ...{ mode: "stress", vus: 60, knee: null },
    status: "finished",
    thresholds: [held],
  };
  const says = (change: Partial<typeof META>) =>
    page(`/runs/${ID}`, FILES, { ...stress, ...change });
  match(await says({}), /No knee up to 60 VUs: every threshold held/);
  match(
    await says({ offered_requests: 900 }),
    /No knee: every threshold held/,
  );
  match(
    await says({ thresholds: [] }),
    /No knee was looked for: the run has no thresholds/,
  );
  match(
    await says({ status: "interrupted" }),
    /No knee: the run was ended before its plan was over/,
  );
});
