import type { Mode } from "../../../../lib/model/mode.ts";
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { withFindings } from "../../../../lib/engine/run_context/ending.ts";
import type { RunContext } from "../../../../lib/engine/run_context/run_context.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import type { AgentSamples } from "../../../../lib/engine/run_context/agent_samples.ts";
import { LatencyStretches } from "../../../../lib/results/histograms/latency_stretches.ts";
import { Seconds } from "../../../../lib/results/record/series.ts";
import type { RunEnding } from "../../../../lib/results/report/summary.ts";
import { machine } from "../../results/knee/knee_series.ts";
import { iterationsOf, totalsOf } from "../../results/report/totals.ts";

const ENDING: RunEnding = {
  status: "finished",
  durationMs: 6_000,
  agent_attached: false,
  knee: null,
  notes: ["first"],
};

/** Six seconds, each with a VU more; requests take 300 ms in those that are named, else 10 ms. */
function recording(bad: readonly number[]) {
  const seconds = new Seconds(0);
  const stretches = new LatencyStretches(0);
  const all: number[] = [];
  for (let t = 0; t < 6; t++) {
    for (let each = 0; each < 30; each++) {
      const ms = bad.includes(t) ? 300 : 10;
      all.push(ms);
      stretches.record(t * 1_000, ms);
      seconds.started(t * 1_000);
      seconds.attempt(0, t * 1_000, "passed", ms, 0, 0);
      seconds.ended({
        endedAt: t * 1_000,
        failed: false,
        throttled: false,
        interrupted: false,
      });
    }
  }
  return {
    totals: totalsOf(all, { iterations: iterationsOf(all.length) }),
    stretches: { overall: stretches.data(), steps: [stretches.data()] },
    seconds: seconds.data().map((each) => ({ ...each, vus: each.t + 1 })),
  };
}

/** What is made of a run in this mode that should stay below 100 ms. */
function diagnose(
  bad: readonly number[],
  {
    mode = "stress",
    samples = { notes: [] },
    plan = {},
    threshold = "p95(latency) < 100ms",
  }: {
    mode?: Mode;
    threshold?: string;
    samples?: AgentSamples;
    plan?: Partial<RunPlan>;
  } = {},
): RunEnding {
  const thresholds = [parseThreshold(threshold)];
  const steps = [{ id: "pay" }];
  const facts = { mode, thresholds, steps } as unknown as RunContext["facts"];
  const context = { facts, plan: plan as RunPlan };
  return withFindings(ENDING, context, recording(bad), samples);
}

Deno.test("withFindings: a stress run that broke has a knee", () => {
  const { knee } = diagnose([4, 5]);
  deepStrictEqual([knee?.class, knee?.at_ms], ["inconclusive", 4_000]);
});

Deno.test("withFindings: a threshold of a step has a knee too, where its figure is known by the second", () => {
  const found = (threshold: string) => diagnose([4, 5], { threshold }).knee!;
  const { at_ms, vus, threshold, detail } = found("pay: p95(latency) < 100ms");
  deepStrictEqual([at_ms, vus], [4_000, 5]);
  strictEqual(threshold, "pay: p95(latency) < 100ms");
  match(detail, /^at 5 VUs, 4s into the run, pay: .* broke: 10.*ms before, 30/);
  const rate = found("pay: error_rate > 1%");
  deepStrictEqual([rate.at_ms, rate.vus], [0, 1]);
  const bytes = found("pay: bytes_per_second > 1MB");
  deepStrictEqual([bytes.at_ms, bytes.class], [null, "inconclusive"]);
  match(bytes.detail, /broke, whose figure is not known by the second/);
});

Deno.test("withFindings: a break of stages is looked for where the load is the highest so far, and said at its rate", () => {
  const stage = (to: number) => ({ to, overMs: 2_000 });
  const upAndDown = { from: 0, stages: [stage(100), stage(200), stage(50)] };
  const found = diagnose([2, 3, 4, 5], { plan: { rate: upAndDown } }).knee!;
  match(found.detail, /^at 100\/s offered, 2s into the run, /);
  deepStrictEqual([found.at_ms, found.vus], [2_000, 3]);
  const { knee } = diagnose([4, 5], { plan: { rate: upAndDown } });
  deepStrictEqual([knee?.at_ms, knee?.class], [null, "inconclusive"]);
  const users = diagnose([2, 3], { plan: { vus: upAndDown } }).knee!;
  match(users.detail, /^at 3 VUs, /);
});

Deno.test("withFindings: the level of a knee is that at the start of its window, and no second's highest", () => {
  // 0, 2, 4, 6, 8 users as the seconds begin; 1 to 6 were there at most.
  const steep = { from: 0, stages: [{ to: 12, overMs: 6_000 }] };
  const gentle = { from: 1, stages: [{ to: 4, overMs: 6_000 }] };
  const found = (plan: Partial<RunPlan>) => diagnose([4, 5], { plan }).knee!;
  strictEqual(found({ vus: steep }).vus, 5);
  strictEqual(found({ vus: gentle }).vus, 3);
  match(found({ vus: gentle }).detail, /^at 3 VUs, 4s into the run, /);
  const warm = { vus: gentle, warmUpMs: 2_000 };
  strictEqual(found(warm).vus, 4);
});

Deno.test("withFindings: what a break grew to is of no second after the load jumped down", () => {
  const hold = (to: number) => [{ to, overMs: 0 }, { to, overMs: 2_000 }];
  const plan = {
    vus: { from: 0, stages: [...hold(2), ...hold(4), ...hold(1)] },
  };
  const { detail } = diagnose([2, 3, 4, 5], { plan }).knee!;
  match(detail, /^at 3 VUs, 2s into the run, .* at the break, \d+ms at 4 VUs;/);
});

Deno.test("withFindings: no knee in other modes, nor when the thresholds held", () => {
  strictEqual(diagnose([4, 5], { mode: "load" }).knee, null);
  strictEqual(diagnose([4, 5], { mode: "soak" }).knee, null);
  deepStrictEqual(diagnose([]), ENDING);
});

Deno.test("withFindings: a breach that never lasts is a finding too, without a level", () => {
  const { knee, notes } = diagnose([1, 3]);
  deepStrictEqual(
    [knee?.class, knee?.vus, knee?.at_ms],
    ["inconclusive", null, null],
  );
  match(knee!.detail, /never in two windows running/);
  deepStrictEqual(notes, ["first"]);
});

Deno.test("withFindings: attached is who left a series, and notes are handed on", () => {
  const series = {
    schema: 1,
    addr: "h:1",
    interval_ms: 1_000 as const,
    samples: machine(6, (t) => ({ cpu: t >= 4 ? 0.9 : 0.1 })),
    missed: 1,
  };
  const ending = diagnose([4, 5], { samples: { series, notes: ["gaps"] } });
  deepStrictEqual([ending.agent_attached, ending.notes], [true, [
    "first",
    "gaps",
  ]]);
  strictEqual(ending.knee?.class, "degraded");
});
