import { deepStrictEqual, ok } from "node:assert/strict";
import { NO_ITERATIONS } from "../../../lib/model/result/totals.ts";
import { exposition } from "../../../lib/results/exposition/exposition.ts";

Deno.test("examples/grafana/bench.json and docs/monitoring.md name metrics that there are, and all of them", () => {
  const figures = {
    iterations: NO_ITERATIONS,
    vus: 0,
    startLagMs: 0,
    cpuRatio: 0,
    steps: [{
      attempts: { passed: 0, throttled: 0, failed: 0 },
      durations: [],
    }],
  };
  const run = { id: "", flow: "", target: "", mode: "", version: "" };
  const text = exposition(
    { ...run, steps: [{ id: "a", sends: true }] },
    figures,
    "openmetrics",
  );
  const samples = new Set(
    [...text.matchAll(/^(bench_\w+)/gm)].map(([, name]) => name!),
  );
  const read = (path: string) =>
    Deno.readTextFileSync(new URL(`../../../${path}`, import.meta.url));
  const board = read("examples/grafana/bench.json");
  ok(JSON.parse(board).panels.length > 5);
  const shown = [...board.matchAll(/\bbench_\w+/g)].map(([name]) => name);
  deepStrictEqual(shown.filter((name) => !samples.has(name)), []);
  const page = read("docs/monitoring.md");
  const families = [...samples].map((name) =>
    name.replace(/_(?:bucket|sum|count)$/, "")
  );
  deepStrictEqual(families.filter((name) => !page.includes(`\`${name}`)), []);
});
