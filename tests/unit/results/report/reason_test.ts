import { deepEqual, equal, match } from "node:assert/strict";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import {
  beforeSentence,
  besideBreach,
  isRepeat,
  reasonFor,
  sinceBefore,
} from "../../../../lib/results/report/reason.ts";
import { CASES } from "../formats/summary_cases.ts";

const metaOf = (name: string): RunMeta => CASES[name]!.meta;

Deno.test("reasonFor() is the failure behind the threshold that did not hold", () => {
  const meta = metaOf("throttled_load");
  deepEqual(reasonFor(meta), {
    text:
      "41 × add_to_cart: Throttled by the target: status 429; throttle_rate < 2% did not hold: it was 3.41% of 1,204 iterations",
    step: "add_to_cart",
    key: meta.failures[0]!.key,
    count: 41,
    expression: "throttle_rate < 2%",
  });
});

Deno.test("reasonFor() prefers the threshold with failures behind it, and its text stands beside the breach", () => {
  const meta = metaOf("throttled_load");
  const [first] = meta.thresholds;
  const latency = {
    ...first!,
    metric: "latency" as const,
    stat: "p95",
    expression: "p95(latency) < 1ms",
    pass: false,
  };
  const thresholds = [latency, ...meta.thresholds];
  const reason = reasonFor({ ...meta, thresholds })!;
  equal(reason.expression, "throttle_rate < 2%");
  equal(
    besideBreach({ ...meta, thresholds, reason }),
    "41 × add_to_cart: Throttled by the target: status 429",
  );
  const alone = {
    ...meta,
    thresholds: [latency],
    steps: meta.steps.slice(0, 1),
  };
  equal(besideBreach({ ...alone, reason: reasonFor(alone)! }), "");
});

Deno.test("reasonFor() names the slowest step where a latency is too high", () => {
  const meta = metaOf("pass");
  const thresholds = meta.thresholds.map((each) => ({ ...each, pass: false }));
  const [one, two] = meta.steps;
  const slow = { ...two!.latency, p95: 900 } as RunMeta["latency"];
  const { text, step, key } = reasonFor({
    ...meta,
    verdict: "fail",
    thresholds,
    steps: [one!, { ...two!, latency: slow }],
  })!;
  equal(
    text,
    "p95(latency) < 400ms did not hold: it was 358ms over 1,204 samples; `add_to_cart` is the slowest step: p95 900ms",
  );
  deepEqual([step, key], ["add_to_cart", undefined]);
});

Deno.test("reasonFor() says nothing of other steps where the threshold is of one", () => {
  const meta = metaOf("pass");
  const [one, two] = meta.steps;
  const thresholds = meta.thresholds.slice(0, 1).map((each) => ({
    ...each,
    expression: `${one!.id}: ${each.expression}`,
    step: one!.id,
    pass: false,
  }));
  // The other step is the slower one.
  const slow = { ...two!.latency, p95: 900 } as RunMeta["latency"];
  const steps = [one!, { ...two!, latency: slow }];
  const failed = { ...meta, verdict: "fail", thresholds, steps } as RunMeta;
  const reason = reasonFor(failed)!;
  equal(
    reason.text,
    "login: p95(latency) < 400ms did not hold: it was 358ms over 1,204 samples",
  );
  equal(reason.step, "login");
  equal(besideBreach({ ...failed, reason }), "");
});

Deno.test("reasonFor() is what stopped a run, or that it shows nothing; none where it passed", () => {
  equal(reasonFor(metaOf("aborted"))?.text, "step `login` did not pass");
  equal(reasonFor(metaOf("interrupted"))?.text, "SIGINT");
  equal(reasonFor(metaOf("pass")), undefined);
  equal(
    reasonFor({ ...metaOf("empty"), thresholds: [] })?.text,
    "no iteration was completed",
  );
});

Deno.test("reasonFor() of a load run that shows nothing is the failure behind that", () => {
  const { iterations, failures, ...throttled } = metaOf("throttled_load");
  const [first] = failures;
  const meta: RunMeta = {
    ...throttled,
    thresholds: [],
    iterations: { ...iterations, passed: 0, failed: iterations.completed },
    failures: [{ ...first!, message: "connection refused" }],
  };
  const reason = reasonFor(meta)!;
  equal(
    reason.text,
    "41 × add_to_cart: connection refused; no iteration passed, and no threshold on `error_rate` allows that",
  );
  deepEqual([reason.step, reason.key], ["add_to_cart", first!.key]);
  equal(
    besideBreach({ ...meta, reason }),
    "41 × add_to_cart: connection refused",
  );
});

Deno.test("reasonFor() of a load run that shows nothing is no latency that was too high", () => {
  const { iterations, failures, ...throttled } = metaOf("throttled_load");
  const [latency] = metaOf("pass").thresholds;
  const failed: RunMeta = {
    ...throttled,
    thresholds: [{ ...latency!, pass: false }],
    iterations: { ...iterations, passed: 0, failed: iterations.completed },
    failures: [{ ...failures[0]!, outcome: "failed", message: "is broken" }],
  };
  const reason = reasonFor(failed)!;
  match(reason.text, /^41 × add_to_cart: is broken; no iteration passed,/);
  equal(reason.expression, undefined);
  equal(besideBreach({ ...failed, reason }), "41 × add_to_cart: is broken");
});

Deno.test("reasonFor() of a run that a step stopped is the failure of that step", () => {
  const meta = metaOf("throttled_load");
  const [often] = meta.failures;
  const rare = { ...often!, step: "pay", message: "no money", count: 1 };
  const run: RunMeta = {
    ...meta,
    status: "aborted",
    abort_reason: "step `pay` did not pass",
    failures: [often!, rare],
  };
  equal(reasonFor(run)!.step, "pay");
  equal(
    reasonFor({ ...run, thresholds: [] })!.text,
    "step `pay` did not pass; 1 × pay: no money",
  );
});

Deno.test("reasonFor() of a load run is a failure, not a throttle of the same iterations", () => {
  const meta = metaOf("throttled_load");
  const throttle = meta.failures[0]!;
  const failure = {
    ...throttle,
    step: "pay",
    outcome: "failed",
    count: 3,
  } as const;
  const [first] = meta.thresholds;
  const run: RunMeta = {
    ...meta,
    iterations: { ...meta.iterations, passed: 0, failed: 41, completed: 41 },
    failures: [throttle, failure],
    thresholds: [],
  };
  equal(reasonFor(run)!.step, "pay");
  const threshold = { ...first!, metric: "error_rate" as const, pass: false };
  equal(reasonFor({ ...run, thresholds: [threshold] })!.step, "pay");
});

Deno.test("the run before is said with what it has of the reason", () => {
  const meta = metaOf("throttled_load");
  const said = (before: RunMeta) =>
    beforeSentence({ ...meta, reason: sinceBefore(reasonFor(meta)!, before) });
  equal(
    said(meta),
    "The run before failed too, with this failure 41 times; throttle_rate was 3.41%.",
  );
  const [threshold] = meta.thresholds;
  equal(
    said({
      ...meta,
      verdict: "pass",
      failures: [],
      thresholds: [{ ...threshold!, actual: 0 }],
    }),
    "The run before passed, without this failure; throttle_rate was 0%.",
  );
  // Earlier versions wrote limits in other units.
  const expression = "throttle_rate < 0.01";
  equal(
    said({ ...meta, thresholds: [{ ...threshold!, expression }] }),
    said(meta),
  );
  equal(beforeSentence(meta), undefined);
});

Deno.test("a repeat is of the same flow, version, target, mode and options", () => {
  const meta = metaOf("pass");
  equal(isRepeat(meta, { ...meta, id: "other", seed: 9 }), true);
  for (
    const other of [
      { flow: "x" },
      { ir_sha256: "x" },
      { target: "x" },
      { mode: "soak" },
      { options: { http: "2" } },
    ]
  ) equal(isRepeat(meta, { ...meta, ...other }), false);
});
