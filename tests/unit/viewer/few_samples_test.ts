import { deepStrictEqual, doesNotMatch, match } from "node:assert/strict";
import { NO_LATENCY, type RunMeta } from "../../../lib/model/result/run.ts";
import { noIntervals } from "../../../lib/results/report/sample_sizes.ts";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

const LATENCY = { min: 1, avg: 2, p50: 2, p90: 41, p95: 42, p99: 43, max: 44 };
const FIRST = "20261121T180211Z-checkout-0000aa";
const SECOND = "20261122T180211Z-checkout-0000aa";

/** The words of a page of a store of two runs with so many samples. */
async function wordsOf(path: string, samples: number): Promise<string> {
  using folder = workspace({});
  for (const id of [FIRST, SECOND]) {
    const latency_intervals = noIntervals(samples);
    putRun(folder.path, metaOf({ id, latency: LATENCY, latency_intervals }));
  }
  const text = await (await asker(folder.path)(path)).text();
  return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

const COMPARED = `/compare?a=${FIRST}&b=${SECOND}`;

for (const path of ["/", "/flows/checkout", COMPARED]) {
  Deno.test(`${path}: a p95 of too few samples is not shown, as on the run page`, async () => {
    match(await wordsOf(path, 1_000), /42ms/);
    const few = await wordsOf(path, 100);
    match(few, /too few/);
    doesNotMatch(few, /42ms/);
  });
}

Deno.test("/compare: a change that is none has no sign", async () => {
  using folder = workspace({});
  for (const [id, error_rate] of [[FIRST, 0.3], [SECOND, 0.30001]] as const) {
    const { iterations } = metaOf();
    const completed = 10;
    putRun(
      folder.path,
      metaOf({ id, error_rate, iterations: { ...iterations, completed } }),
    );
  }
  const page = await (await asker(folder.path)(COMPARED)).text();
  match(page, />error_rate<[\s\S]*?data-label="change">0%</);
});

Deno.test("/compare: figures of too few samples have no change", async () => {
  match(await wordsOf(COMPARED, 1_000), /p95 42ms 42ms 0% /);
  match(await wordsOf(COMPARED, 100), /p95 too few too few 0 samples/);
});

Deno.test("run page: the p50 of throttled attempts needs samples too", async () => {
  using folder = workspace({});
  const step = (id: string, throttled: number): RunMeta["steps"][number] => ({
    id,
    kind: "call",
    executions: throttled,
    requests: throttled,
    passed: 0,
    throttled,
    failed: 0,
    attempts: { passed: 0, throttled, failed: 0 },
    bytes_sent: 0,
    bytes_received: 0,
    checks: [],
    http_versions: [],
    latency: NO_LATENCY,
    throttled_latency: LATENCY,
  });
  const meta = metaOf({ id: FIRST, steps: [step("few", 9), step("pay", 10)] });
  putRun(folder.path, meta);
  const page = await (await asker(folder.path)(`/runs/${FIRST}`)).text();
  deepStrictEqual(
    [...page.matchAll(/data-label="throttled p50">([^<]*)</g)]
      .map(([, text]) => text),
    ["too few", "2ms"],
  );
});
