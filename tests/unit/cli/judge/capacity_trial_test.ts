import assert from "node:assert/strict";
import {
  capacityJunit,
  capacityMarkdown,
  renderCapacity,
} from "../../../../lib/results/formats/capacity_report.ts";
import { capacitySentence } from "../../../../lib/results/report/figures.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import { noIntervals } from "../../../../lib/results/report/sample_sizes.ts";
import { trialOf } from "../../../../cli/judge/capacity_trial.ts";
import { CASES } from "../../results/formats/summary_cases.ts";

const { meta } = CASES["pass"]!;

function trial(change: object) {
  const generator = { ...meta.generator!, limited: false, ...change };
  return trialOf({ ...meta, generator } as RunMeta, 50, "requests_per_second");
}

Deno.test("trialOf: a level holds when its thresholds do and its requests were sent", () => {
  assert.equal(trial({}).held, true);
  const unsent = trial({ unserved_slots: meta.requests });
  assert.equal(unsent.held, false);
  assert.match(unsent.broken.at(-1)!, /due requests never sent/);
});

Deno.test("trialOf: a level without a breached threshold breaks for the reason of its run", () => {
  const reason = { text: "no iteration passed" };
  const run: RunMeta = { ...meta, verdict: "fail", thresholds: [], reason };
  const { held, broken } = trialOf(run, 1, "vus");
  assert.deepEqual([held, broken], [false, ["no iteration passed"]]);
});

Deno.test("trialOf: the generator limited a trial by itself, or was held back", () => {
  const held = { held_requests: meta.requests };
  const rows = [{}, { limited: true }, held, { limited: true, ...held }]
    .map((change) => {
      const capacity = {
        unit: "vus",
        lower: null,
        upper: null,
        cause: "no level surely broke",
        trials: [trial(change)],
      } as const;
      const lines = renderCapacity("f", capacity, {
        color: false,
        width: 100,
        directory: "runs/x",
      });
      return /(held|! .+)$/m.exec(lines)?.[0];
    });
  assert.deepEqual(rows, ["held", "! generator", "! max_rps", "! generator"]);
});

Deno.test("trialOf: a trial says how many latencies its percentiles are of", () => {
  const latency_intervals = noIntervals(129);
  const { generator: _, ...rest } = meta;
  const few = trialOf({ ...rest, latency_intervals } as RunMeta, 5, "vus");
  const capacity = {
    ...{ unit: "vus" as const, lower: 5, upper: null, cause: "" },
    trials: [few],
  };
  const row = capacityMarkdown(meta, capacity).split("\n")
    .find((line) => line.startsWith("| 5 |"));
  assert.match(row!, /^\| 5 \| [\d.]+ \| [\d.]+ms \| too few \|/);
});

Deno.test("renderCapacity has the bounds, what broke, and a line a trial by level", () => {
  const one = trial({});
  const capacity = {
    unit: "vus",
    lower: 7,
    upper: 8,
    cause: "p95(latency) < 300ms: 341ms",
    trials: [{ ...one, level: 8, held: false }, { ...one, level: 7 }],
  } as const;
  const text = renderCapacity("checkout", capacity, {
    color: false,
    width: 80,
    directory: "runs/x",
  });
  assert.match(
    text,
    /^checkout {2}holds at 7 VUs, and breaks at 8\n {2}above: p95/,
  );
  assert.match(text, /\n +7 .*held\n +8 .*broke\n/);
  assert.match(
    capacitySentence({ ...capacity, upper: null }),
    /^holds at 7 VUs, and it may hold at more$/,
  );
  assert.equal(
    capacitySentence({ ...capacity, lower: null, upper: 1 }),
    "no level is known to hold, and it breaks at 1 VU",
  );
});

Deno.test("renderCapacity writes large levels and rates as the summary does", () => {
  const one = trial({});
  const capacity = {
    unit: "requests_per_second",
    lower: 12_500,
    upper: null,
    cause: "",
    trials: [{ ...one, level: 12_500, requests_per_second: 12_490 }],
  } as const;
  const options = { color: false, width: 80, directory: "runs/x" };
  assert.match(
    renderCapacity("checkout", capacity, options),
    /\n +12,500 +12,490 /,
  );
  assert.equal(
    capacitySentence({ ...capacity, upper: 13_100, least: 20_000 }),
    "holds at 12,500 requests a second, and breaks at 13,100, expected at least 20,000",
  );
});

Deno.test("capacity reports: a table of the trials, and one test case that fails when no level held", () => {
  const one = trial({});
  const found = {
    unit: "requests_per_second",
    lower: 40,
    upper: 50,
    cause: "p95(latency) < 300ms: 341ms",
    trials: [{ ...one, level: 50, held: false }, { ...one, level: 40 }],
  } as const;
  const markdown = capacityMarkdown(meta, found);
  assert.match(markdown, /^## ✅ checkout: holds at 40 requests a second, and/);
  assert.match(markdown, /\| 40 \|.*✅ held \|\n\| 50 \|.*❌ broke \|\n/);
  const junit = capacityJunit(meta, found);
  assert.match(junit, /tests="1" failures="0"/);
  assert.match(junit, /<property name="lower" value="40"\/>/);
  const none = capacityJunit(meta, { ...found, lower: null });
  assert.match(
    none,
    /<failure message="no level is known to hold, and it breaks/,
  );
});

Deno.test("capacity reports: a lower bound below the least one expected fails, in words", () => {
  const found = (lower: number) => ({
    unit: "requests_per_second" as const,
    lower,
    upper: lower + 10,
    least: 200,
    cause: "p95(latency) < 300ms: 341ms",
    trials: [trial({})],
  });
  const short = capacityJunit(meta, found(160));
  assert.match(short, /failures="1"/);
  assert.match(
    short,
    /<failure message="holds at 160 requests a second, and breaks at 170, expected at least 200" type="below-least"/,
  );
  assert.match(capacityMarkdown(meta, found(160)), /^## ❌ .*at least 200\n/);
  assert.match(capacityJunit(meta, found(200)), /failures="0"/);
  assert.match(capacityMarkdown(meta, found(240)), /^## ✅ .*at least 200\)\n/);
});
