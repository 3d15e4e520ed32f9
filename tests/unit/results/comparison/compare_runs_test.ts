import assert from "node:assert/strict";
import { judgeRatio } from "../../../../lib/results/comparison/judge.ts";
import { compareRuns } from "../../../../lib/results/comparison/compare_runs.ts";
import type { RunComparison } from "../../../../lib/results/comparison/comparison.ts";
import {
  judgementOf,
  renderComparison,
  renderComparisonJunit,
  renderComparisonMarkdown,
} from "../../../../lib/results/formats/comparison_report.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import { pairedRuns } from "../../../simulation/draws.ts";
import { madeEvidence } from "./made_run.ts";

const OPTIONS = { margin: 0.05 };
const base = await madeEvidence({ seed: 1 });
const slow = await madeEvidence({ seed: 2, ms: 24 });

function figure(
  { figures }: RunComparison,
  metric: string,
  step?: string,
) {
  return figures.find((each) => each.metric === metric && each.step === step)!;
}

Deno.test("compareRuns calls a target that takes a fifth longer worse, with the true ratio within the bounds", () => {
  const compared = compareRuns(slow, [base], OPTIONS);
  assert.equal(compared.verdict, "worse");
  for (const metric of ["p50", "p95", "p99"]) {
    const { change, verdict } = figure(compared, metric);
    assert.ok(change!.low < 0.2 && 0.2 < change!.high, metric);
    assert.ok(metric === "p99" || verdict === "worse", metric);
  }
  assert.equal(figure(compared, "requests_per_second").verdict, "same");
});

Deno.test("compareRuns counts what completed after the last whole second", async () => {
  const late = await madeEvidence({ seed: 5, failing: 0.1, late: 200 });
  const { candidate } = figure(
    compareRuns(late, [base], OPTIONS),
    "error_rate",
  );
  assert.equal(candidate!.toFixed(6), late.meta.error_rate.toFixed(6));
  const rate = figure(
    compareRuns(base, [late], OPTIONS),
    "requests_per_second",
  );
  assert.equal(rate.base, rate.candidate);
});

Deno.test("compareRuns counts no requests in a second in which nothing was sent", () => {
  const dead = {
    ...slow,
    seconds: slow.seconds.map((each) => ({ ...each, bytes_sent: 0 })),
  };
  const { candidate, verdict, detail } = figure(
    compareRuns(dead, [base], OPTIONS),
    "requests_per_second",
  );
  assert.deepEqual([candidate, verdict, detail], [
    null,
    "unclear",
    "nothing was sent",
  ]);
});

Deno.test("compareRuns calls a faster target better, and one that is the same the same", async () => {
  const faster = await madeEvidence({ seed: 3, ms: 15 });
  assert.equal(compareRuns(faster, [base], OPTIONS).verdict, "better");
  const same = compareRuns(await madeEvidence({ seed: 4 }), [base], {
    margin: 0.5,
  });
  assert.equal(same.verdict, "same");
  assert.deepEqual(new Set(same.figures.map((each) => each.verdict)).size, 1);
});

Deno.test("compareRuns finds the one step that got slower", async () => {
  const slower = await madeEvidence({ seed: 5, second: 1.3 });
  const compared = compareRuns(slower, [base], OPTIONS);
  assert.equal(figure(compared, "p50", "cart").verdict, "worse");
  assert.notEqual(figure(compared, "p50", "login").verdict, "worse");
});

Deno.test("compareRuns judges rates in points: 3 % of failures where there were none are worse", async () => {
  const failing = await madeEvidence({ seed: 6, failing: 0.03 });
  const found = figure(compareRuns(failing, [base], OPTIONS), "error_rate");
  assert.equal(found.verdict, "worse");
  assert.ok(found.change!.low < 0.03 && found.change!.high > 0.03);
});

Deno.test("compareRuns is unclear of too few samples, and says how many there are", async () => {
  const [a, b] = await Promise.all(
    [7, 8].map((seed) => madeEvidence({ seed, seconds: 10, perSecond: 3 })),
  );
  const p99 = figure(compareRuns(a!, [b!], OPTIONS), "p99");
  assert.deepEqual([p99.verdict, p99.change], ["unclear", null]);
  assert.equal(p99.detail, "too few samples: 60 of 662");
  const { text } = judgementOf(compareRuns(a!, [b!], OPTIONS));
  assert.match(
    text,
    /^the candidate is neither surely better nor surely worse; unclear: \w+, /,
  );
});

Deno.test("compareRuns judges no latency against a run that mostly failed, and says so", async () => {
  const refused = await madeEvidence({ seed: 40, ms: 1, failing: 0.99 });
  const compared = compareRuns(slow, [refused], OPTIONS);
  assert.equal(figure(compared, "error_rate").verdict, "better");
  const { verdict, detail } = figure(compared, "p50");
  assert.deepEqual([verdict, detail], [
    "unclear",
    "mostly latencies of failures",
  ]);
  assert.notEqual(compared.verdict, "worse");
  assert.match(compared.notes.join("\n"), /98% of its iterations failed/);
});

Deno.test("a comparison of many runs names some of them, and says what holds for all once", () => {
  const named = (id: string) => ({
    ...base,
    meta: {
      ...base.meta,
      id,
      error_rate: 0.9,
      generator: { limited: true } as RunMeta["generator"] & object,
    },
  });
  const ids = Array.from({ length: 20 }, (_, i) => `run-${i}`);
  const compared = compareRuns(base, ids.map(named), OPTIONS);
  assert.deepEqual(compared.notes, [
    "run-0, run-1, run-2 and 17 more: the generator was the limit; the latencies are its own (use more cores, or less load)",
    "run-0, run-1, run-2 and 17 more: at least 50% of the iterations failed in each; the latencies are mostly those of failures",
  ]);
  const text = renderComparison(compared, { color: false, width: 80 });
  assert.deepEqual(
    text.split("\n").filter((line) => /^ {2}base |^ {12} and/.test(line)),
    [
      ...ids.slice(0, 10).map((id) => `  base       ${id}  target staging`),
      "             and 10 more",
    ],
  );
  assert.match(
    renderComparisonMarkdown(compared),
    /<code>run-9<\/code> and 10 more;/,
  );
});

Deno.test("compareRuns notes options by which requests were made in another way, and no others", async () => {
  const short = { seconds: 10, perSecond: 3 };
  const run = (seed: number, options: RunMeta["options"] & object) =>
    madeEvidence({ seed, ...short, facts: { options } });
  const one = await run(1, { http: "2", traceparent: true, until: "p99" });
  const bases = await Promise.all([
    run(2, { workers: 1, hold: "5s" }),
    run(3, { workers: 1 }),
  ]);
  assert.deepEqual(compareRuns(one, bases, OPTIONS).notes, [
    "run with different `--http`: 2, not given",
    "run with different `--workers`: not given, 1",
    "run with different `--traceparent`: given, not given",
  ]);
  assert.deepEqual(compareRuns(one, [one], OPTIONS).notes, []);
});

Deno.test("compareRuns says how much longer to measure", async () => {
  const [a, b] = await Promise.all(
    [9, 10].map((seed) => madeEvidence({ seed, seconds: 12, perSecond: 25 })),
  );
  const { verdict, detail } = figure(compareRuns(a!, [b!], OPTIONS), "p95");
  assert.equal(verdict, "unclear");
  assert.match(detail!, /^measure about \d+[sm]$/);
});

Deno.test("compareRuns learns from several base runs how much runs differ anyway", async () => {
  const bases = await Promise.all(
    [20, 24, 17, 26].map((ms, i) => madeEvidence({ seed: 20 + i, ms })),
  );
  const candidate = await madeEvidence({ seed: 30, ms: 24 });
  assert.equal(compareRuns(candidate, [bases[0]!], OPTIONS).verdict, "worse");
  const wide = figure(compareRuns(candidate, bases, OPTIONS), "p50");
  assert.equal(wide.verdict, "unclear");
  assert.ok(wide.change!.high - wide.change!.low > 0.8);
});

Deno.test("compareRuns is the same for the same runs, for any caller", () => {
  const twice = [1, 2].map(() => compareRuns(slow, [base], OPTIONS));
  assert.deepEqual(twice[0], twice[1]);
});

Deno.test("a comparison in text, Markdown and JUnit says what got worse", () => {
  const compared = compareRuns(slow, [base], OPTIONS);
  const text = renderComparison(compared, { color: false, width: 100 });
  assert.match(text, /^checkout {2}✗ WORSE\n {2}worse by more than 5%: p50, /);
  assert.match(
    text,
    /\n {4}p50 .* 2\d(\.\d)?ms {2}\+\d+% \(\+\d.*%\) +✗ worse\n/,
  );
  const markdown = renderComparisonMarkdown(compared);
  assert.match(markdown, /^## ❌ checkout: worse by more than 5%/);
  const junit = renderComparisonJunit(compared);
  assert.match(
    junit,
    /name="p50"[^>]*>\s*<failure message="p50 is worse: \+[^"]+%\), from [\d.]+ms to 2\d[^" ]*ms"/,
  );
});

Deno.test("a comparison in text and Markdown has requests a second as the summary has them", () => {
  const compared = compareRuns(slow, [base], OPTIONS);
  const many = {
    ...compared,
    figures: [{
      ...figure(compared, "requests_per_second"),
      base: 45_103.5,
      candidate: 4.125,
    }],
  };
  const text = renderComparison(many, { color: false, width: 100 });
  assert.match(text, /\n {4}requests\/s {2}45,104 +4\.13 /);
  const markdown = renderComparisonMarkdown(many);
  assert.match(markdown, /\| requests\/s \| 45,104 \| 4\.13 \|/);
});

Deno.test("compareRuns of runs in the same seconds sees what both hide, and judges any change that is surely there", () => {
  const target = { ms: 20, within: 0.3, between: 0.3, correlation: 0.5 };
  const [a, b] = pairedRuns(target, 1.05, 60, 100, 3).map((overall, i) => ({
    ...(i === 0 ? base : slow),
    overall,
    steps: new Map(),
  }));
  const apart = compareRuns(b!, [a!], { margin: 0.02 });
  assert.equal(figure(apart, "p50").verdict, "unclear");
  const paired = compareRuns(b!, [a!], { margin: 0.02, paired: true });
  const { change, verdict } = figure(paired, "typical");
  assert.equal(verdict, "worse");
  assert.ok(change!.low > 0 && change!.low < 0.05 && change!.high > 0.05);
  const text = renderComparison(paired, { color: false, width: 100 });
  assert.match(text, /\n {2}worse: (?:.*, )?typical/);
  const junit = renderComparisonJunit(paired);
  assert.match(junit, /message="typical is worse: \+[^"]+ to \+[^"]+%\)"/);
});

Deno.test("judgeRatio: runs in the same seconds are to be measured until the interval leaves out zero", () => {
  const change = {
    value: Math.log(1.015),
    low: Math.log(0.985),
    high: Math.log(1.045),
  };
  const detail = (paired: boolean) =>
    judgeRatio(change, { margin: 0.02, paired, durationMs: 40_000 }, "more")
      .detail;
  assert.equal(detail(true), "measure about 3m");
  assert.equal(detail(false), "measure about 24m");
});

Deno.test("compareRuns: a refused connection is no request, in seconds with others too", async () => {
  const half = await madeEvidence({ seed: 1, refused: true });
  const compared = compareRuns(half, [base], OPTIONS);
  const { base: all, candidate, verdict } = figure(
    compared,
    "requests_per_second",
  );
  assert.deepEqual([all, candidate].map((each) => Math.round(each!)), [50, 25]);
  assert.equal(verdict, "worse");
});
