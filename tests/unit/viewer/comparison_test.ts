import { deepStrictEqual, equal, match } from "node:assert/strict";
import { NO_LATENCY, type RunMeta } from "../../../lib/model/result/run.ts";
import { differencesOf } from "../../../viewer/model/comparison.ts";
import { runBefore } from "../../../viewer/model/run_list.ts";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

/** The run of this minute, with this p95. */
function run(minute: number, p95: number, more: Partial<RunMeta> = {}) {
  const latency = { min: 1, avg: p95, p50: p95, p90: p95, p95, p99: p95 };
  const at = String(minute).padStart(2, "0");
  const own = { ...latency, max: p95 };
  return metaOf({
    id: `20261120T18${at}00Z-checkout-0000aa`,
    started_at: `2026-11-20T18:${at}:00.000Z`,
    latency: own,
    requests: 1_000,
    steps: [
      step("pay", 1_000, own),
      // A pause has attempts, and no latency.
      step("pause", 1_000, NO_LATENCY),
    ],
    ...more,
  });
}

function step(id: string, passed: number, latency: RunMeta["latency"]) {
  return {
    id,
    kind: "call",
    executions: passed,
    requests: passed,
    passed,
    throttled: 0,
    failed: 0,
    attempts: { passed, throttled: 0, failed: 0 },
    bytes_sent: 0,
    bytes_received: 0,
    checks: [],
    http_versions: ["1.1" as const],
    latency,
    throttled_latency: NO_LATENCY,
  };
}

const figure = (compared: ReturnType<typeof differencesOf>, name: string) =>
  compared.figures.find((each) => each.name === name)!;

Deno.test("differencesOf: figures rest on what they are made of", () => {
  const compared = differencesOf(run(1, 100), run(2, 150));
  deepStrictEqual(
    ["error_rate", "p95", "requests a second"].map((name) => {
      const { samples, counted } = figure(compared, name);
      return [samples, counted];
    }),
    [[0, "iteration"], [1_000, "sample"], [1_000, "request"]],
  );
  equal(figure(compared, "max").worse, "neither");
});

Deno.test("runBefore: of the same flow and mode, and over", () => {
  const own = run(30, 1);
  const all = [
    run(40, 1),
    own,
    run(20, 1, { mode: "soak" }),
    run(19, 1, { vus: 99 }),
    run(18, 1, { status: "interrupted" }),
    run(17, 1, { ir_sha256: "other" }),
    run(16, 1, { flow: "other", ir_sha256: "other" }),
    run(15, 1, { status: "running" }),
    run(14, 1),
  ];
  const minutes = (runs: readonly RunMeta[]) =>
    runs.map(({ started_at }) => started_at.slice(14, 16));
  deepStrictEqual(minutes([runBefore(all, own)!]), ["19"]);
  equal(runBefore([own], own), undefined);
});

Deno.test("compare page: a change is called better or worse only where bench compare knows what differs anyway", async () => {
  using folder = workspace({});
  const [a, b] = [run(1, 100), run(2, 130)];
  for (const each of [a, b]) putRun(folder.path, each);
  const textOf = async (path: string) =>
    (await (await asker(folder.path)(path)).text())
      .replaceAll(/<[^>]*>|\s+/g, " ");
  // Without what was measured over time nothing is known of chance.
  const page = await textOf(`/compare?a=${a.id}&b=${b.id}`);
  match(page, /cannot be said/);
  match(page, / p95 +100ms +130ms +\+30% +1,000 samples/);
  match(page, / pay +100ms +130ms +\+30% /);
  equal(/▲|▼/.test(page), false);
});

Deno.test("compare page: a flow with one run has nothing to be compared with", async () => {
  using folder = workspace({});
  const own = run(1, 1);
  putRun(folder.path, own);
  putRun(folder.path, run(2, 1, { flow: "other" }));
  const page = await (await asker(folder.path)(`/compare?b=${own.id}`)).text();
  match(page, /This is the only run of checkout/);
});

Deno.test("run page: the run before is a link", async () => {
  using folder = workspace({});
  const [a, b] = [run(1, 1), run(2, 1)];
  putRun(folder.path, a);
  putRun(folder.path, b);
  const ask = asker(folder.path);
  const page = await (await ask(`/runs/${b.id}`)).text();
  match(page, new RegExp(`/compare\\?a=${a.id}&amp;b=${b.id}`));
  const first = await (await ask(`/runs/${a.id}`)).text();
  equal(first.includes("Compare with the run before"), false);
});
