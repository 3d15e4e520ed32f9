import assert from "node:assert/strict";
import type { Flow, Profile, Target } from "../../../../lib/language/ir.ts";
import type {
  Diagnostic,
  IrLocation,
} from "../../../../lib/base/text/diagnostic.ts";
import { checkPlan, makePlan } from "../../../../lib/engine/plan/plan.ts";

const TARGET: Target = {
  name: "t",
  base_urls: ["http://127.0.0.1"],
  request_timeout_us: 30_000_000,
};

const OPTIONS = { seed: 1 };

function flow(profile: Partial<Profile>): Flow {
  return {
    ir: 1,
    flow: "f",
    steps: [],
    profile: { mode: "load", vus: 1, ...profile },
  };
}

Deno.test("makePlan chooses the executor from the mode and the arrival cap", () => {
  const arrival = { count: 5, per_us: 1_000_000 };
  const table = [
    [{ mode: "integration" }, "rows"],
    [{ mode: "system", arrival }, "rows"],
    [{ mode: "load", hold_us: 1 }, "closed"],
    [{ mode: "stress", hold_us: 1 }, "closed"],
    [{ mode: "soak", hold_us: 1, arrival }, "open"],
  ] as const;
  for (const [profile, executor] of table) {
    const plan = makePlan(flow(profile), TARGET, OPTIONS);
    assert.equal(plan.executor, executor, JSON.stringify(profile));
  }
});

Deno.test("makePlan makes a course of stages: of users, or of rates that `vus` carries", () => {
  const second = 1_000_000;
  const users = flow({
    stages: [{ vus: 9, over_us: second }, { over_us: 2 * second }],
  });
  const of = makePlan(users, TARGET, OPTIONS);
  assert.equal(of.executor, "closed");
  assert.deepEqual([of.peakVus, of.endMs, of.vus], [9, 3_000, {
    from: 0,
    stages: [{ to: 9, overMs: 1_000 }, { to: 9, overMs: 2_000 }],
  }]);
  const arrival = { count: 1, per_us: 10_000 };
  const rates = flow({ vus: 7, stages: [{ arrival, over_us: second }] });
  const { executor, peakVus, rate, vus } = makePlan(rates, TARGET, OPTIONS);
  assert.deepEqual([executor, peakVus, vus], ["open", 7, undefined]);
  assert.deepEqual(rate, { from: 0, stages: [{ to: 100, overMs: 1_000 }] });
});

Deno.test("makePlan keeps the ceiling in every executor", () => {
  const arrival = { count: 5, per_us: 1_000_000 };
  const table = [
    [{ mode: "integration" }, 7],
    [{ mode: "system" }, 7],
    [{ mode: "load", hold_us: 1 }, 7],
    [{ mode: "load", hold_us: 1, arrival }, 7],
  ] as const;
  for (const [profile, maxRps] of table) {
    const target = { ...TARGET, max_rps: 7 };
    const plan = makePlan(flow(profile), target, OPTIONS);
    assert.equal(plan.maxRps, maxRps, JSON.stringify(profile));
  }
});

Deno.test("makePlan runs functional modes once a row, or once", () => {
  const functional = flow({ mode: "integration" });
  const rows = (count?: number) =>
    makePlan(functional, TARGET, {
      ...OPTIONS,
      ...(count !== undefined && { rows: count }),
    }).iterations;
  assert.equal(rows(), 1);
  assert.equal(rows(12), 12);
});

Deno.test("makePlan takes the peak of a ramp, and milliseconds throughout", () => {
  const vus = { from: 2, to: 9, over_us: 1_500_000 };
  const plan = makePlan(flow({ vus, hold_us: 2_000_000 }), TARGET, {
    ...OPTIONS,
    seed: 4,
  });
  assert.equal(plan.peakVus, 9);
  assert.deepEqual(plan.vus, { from: 2, stages: [{ to: 9, overMs: 1_500 }] });
  assert.equal(plan.endMs, 3_500);
  assert.equal(plan.requestTimeoutMs, 30_000);
  assert.equal(plan.seed, 4);
});

Deno.test("makePlan lets iterations under way have the flow's own waits, and 30 s", () => {
  const step = { kind: "wait", on_failure: "abort_flow" } as const;
  const grace = (duration_us: number) => {
    const block = { duration_us };
    const steps = ["a", "b"].map((id) => ({ ...step, id, block }));
    return makePlan({ ...flow({ hold_us: 1 }), steps }, TARGET, OPTIONS)
      .graceMs;
  };
  assert.equal(grace(0), 30_000, "whatever one request may take");
  assert.equal(grace(2_000_000), 34_000);
  assert.equal(grace(1e15), 24 * 3_600_000, "no longer than a timer can be");
});

Deno.test("checkPlan refuses what the target forbids, with both numbers", () => {
  const arrival = { count: 50, per_us: 1_000_000 };
  const table = [
    ["nothing is forbidden", { vus: 100 }, {}, undefined],
    [
      "the mode",
      { mode: "stress" as const },
      { disallowed_modes: ["stress" as const] },
      ["/profile/mode", /stress/],
    ],
    ["too many VUs", { vus: 11 }, { max_vus: 10 }, ["/profile/vus", /11.*10/]],
    ["as many as allowed", { vus: 10 }, { max_vus: 10 }, undefined],
    [
      "the peak counts, not the end",
      { vus: { from: 20, to: 1, over_us: 1 } },
      { max_vus: 10 },
      ["/profile/vus", /20.*10/],
    ],
    [
      "too high a rate",
      { arrival },
      { max_rps: 49 },
      ["/profile/arrival", /50.*49/],
    ],
    ["a rate that is allowed", { arrival }, { max_rps: 50 }, undefined],
  ] as const;
  for (const [says, profile, target, expected] of table) {
    const found: Diagnostic<IrLocation>[] = [];
    const aim = { ...TARGET, ...target } as Target;
    checkPlan(flow(profile).profile, aim, (each) => found.push(each));
    const [first] = found;
    assert.equal(first?.at, expected?.[0], says);
    if (expected) assert.match(first!.message, expected[1], says);
  }
});

Deno.test("makePlan runs one row alone when that is asked for, in functional modes", () => {
  const options = { ...OPTIONS, rows: 5, row: 3 };
  const one = makePlan(flow({ mode: "system" }), TARGET, options);
  assert.deepEqual([one.iterations, one.firstRow], [1, 3]);
  const load = makePlan(flow({ hold_us: 1 }), TARGET, options);
  assert.equal(load.firstRow, undefined);
});
