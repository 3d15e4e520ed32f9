import assert from "node:assert/strict";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import type { Flow, OnFailure } from "../../../../lib/language/ir.ts";
import {
  IterationRun,
  rowPicker,
} from "../../../../lib/engine/vu/iteration.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { CookieJar } from "../../../../lib/steps/cookie_jar.ts";
import {
  PassedStep,
  type StepResult,
} from "../../../../lib/model/result/iteration.ts";
import { exchangeless, promised } from "../../../../lib/steps/protocol.ts";
import type { CompiledStep } from "../../../../lib/engine/vu/compiled_step.ts";
import { openFlow, VuFixture } from "./vu_fixture.ts";

const draw = (steps: readonly CompiledStep[], row?: number) => ({
  iteration: 3,
  flow: openFlow(steps),
  rows: [],
  ...(row !== undefined && { row }),
});

async function play(
  first: number,
  on_failure: OnFailure,
  throttleIsError = false,
) {
  const fixture = new VuFixture();
  const step = { id: "a", kind: "call", block: {}, on_failure };
  const rules = {
    throttled: new Set<number>(),
    judgesStatus: false,
    errors: { passed: false, throttled: throttleIsError, failed: true },
  };
  const steps = [
    fixture.step({ statuses: [first], facts: { step, rules } }),
    fixture.step({ facts: { index: 1 } }),
  ];
  const result = await fixture.clock.drive(
    new IterationRun(fixture.vu(0), fixture.stop).run(draw(steps)),
  );
  return { fixture, result };
}

Deno.test("IterationRun goes on or ends after a step as its class and `on_failure` say", async () => {
  const table = [
    { status: 200, on: "abort_flow", steps: 2, failed: false, stops: false },
    { status: 500, on: "abort_flow", steps: 1, failed: true, stops: false },
    { status: 500, on: "abort_run", steps: 1, failed: true, stops: true },
    { status: 500, on: "record", steps: 2, failed: true, stops: false },
    { status: 429, on: "abort_flow", steps: 1, failed: false, stops: false },
    { status: 429, on: "abort_run", steps: 1, failed: false, stops: false },
    { status: 429, on: "record", steps: 2, failed: false, stops: false },
  ] as const;
  for (const { status, on, steps, failed, stops } of table) {
    const says = `${status} with ${on}`;
    const { fixture, result } = await play(status, on);
    assert.equal(result.steps.length, steps, says);
    assert.equal(result.failed, failed, says);
    assert.equal(result.throttled, status === 429, says);
    assert.equal(fixture.stop.requested, stops, says);
  }
});

Deno.test("IterationRun counts a throttle that is an error toward both rates", async () => {
  const { fixture, result } = await play(429, "abort_run", true);
  assert.ok(result.failed && result.throttled);
  assert.equal(fixture.stop.reason, "abort_run");
});

Deno.test("IterationRun says who ran it, with what row, and for how long", async () => {
  const { fixture, result } = await play(200, "abort_flow");
  assert.equal(result.iteration, 3);
  assert.equal(result.vu, 0);
  assert.ok(!("row" in result), "no pool, no row");
  assert.equal(result.endedAt - result.startedAt, 20);
  const picked = await fixture.clock.drive(
    new IterationRun(fixture.vu(1), fixture.stop).run(draw([], 7)),
  );
  assert.equal(picked.row, 7);
});

Deno.test("IterationRun forgets what the last one extracted", async () => {
  const fixture = new VuFixture();
  const vu = fixture.vu(0);
  vu.scope.variables[0] = "left over";
  await fixture.clock.drive(new IterationRun(vu, fixture.stop).run(draw([])));
  assert.equal(vu.scope.variables[0], undefined);
});

Deno.test("IterationRun is interrupted when the run has to end at once", async () => {
  const fixture = new VuFixture();
  const steps = [fixture.step({ latencyMs: () => 1_000 }), fixture.step()];
  const stopping = fixture.clock.sleep(100).then(() =>
    fixture.stop.hard("interrupted", "")
  );
  const [result] = await fixture.clock.drive(Promise.all([
    new IterationRun(fixture.vu(0), fixture.stop).run(draw(steps)),
    stopping,
  ]));
  assert.ok(result.interrupted);
  assert.equal(result.steps.length, 1);
});

/** Two steps; the first opens something whose end no step sees. */
async function unseen(
  signal: "throttle" | "failure",
  on_failure: OnFailure,
) {
  const fixture = new VuFixture();
  const ending = endOf(signal);
  const opens = fixture.step({
    facts: { step: { id: "a", kind: "ws", block: {}, on_failure } },
  });
  const attempt: typeof opens.adapter.attempt = (context, end) => {
    context.sessions.set("s", { close() {}, unseenEnd: () => ending });
    opens.adapter.attempt(context, end);
  };
  const steps = [
    { ...opens, adapter: { attempt } },
    fixture.step({ facts: { index: 1 } }),
  ];
  const result = await fixture.clock.drive(
    new IterationRun(fixture.vu(0), fixture.stop).run(draw(steps)),
  );
  return { fixture, result };
}

function endOf(signal: "throttle" | "failure"): StepResponse {
  const failure = { code: "closed", message: "closed with code 1008" };
  return {
    ...exchangeless(0, 0),
    signal,
    ...(signal === "failure" && { failure }),
  };
}

Deno.test("IterationRun: an end that no step saw makes the step that used the session last not pass", async () => {
  const failed = await unseen("failure", "abort_flow");
  assert.deepEqual(
    failed.result.steps.map(({ outcome }) => outcome),
    ["failed", "passed"],
  );
  assert.equal(failed.result.steps[0]!.failure?.code, "closed");
  assert.deepEqual([failed.result.failed, failed.result.throttled], [
    true,
    false,
  ]);
  const throttled = await unseen("throttle", "abort_flow");
  assert.equal(throttled.result.steps[0]!.outcome, "throttled");
  assert.deepEqual([throttled.result.failed, throttled.result.throttled], [
    false,
    true,
  ]);
});

Deno.test("IterationRun: an end that no step saw can abort the run", async () => {
  const { fixture } = await unseen("failure", "abort_run");
  assert.equal(fixture.stop.reason, "abort_run");
  const recorded = await unseen("failure", "record");
  assert.equal(recorded.fixture.stop.requested, false);
  assert.equal(recorded.result.failed, true);
});

/** Begins at `from`, a millisecond an iteration; a response that may be used again is. */
function reusing(fixture: VuFixture): CompiledStep {
  const { clock } = fixture;
  interface Frame extends StepResponse {
    marks: StepResponse["marks"];
  }
  return fixture.step({
    facts: {
      adapter: {
        attempt: promised(async (context) => {
          const start = clock.now();
          await context.sleep(1);
          const marks = exchangeless(start, clock.now()).marks;
          const response: Frame = (context.spare as Frame | undefined) ??
            { ...exchangeless(0, 0), reused: { pack: () => () => [] }, marks };
          response.marks = marks;
          return response;
        }),
      },
    },
  });
}

for (const given of [false, true]) {
  const rule = given
    ? "what is given back is written over in place"
    : "what is not given back is left as it is";
  Deno.test(`IterationRun.reuse: ${rule}`, async () => {
    const fixture = new VuFixture();
    const steps = [reusing(fixture), fixture.step({ facts: { index: 1 } })];
    const iterations = new IterationRun(fixture.vu(0), fixture.stop);
    const first = await fixture.clock.drive(iterations.run(draw(steps)));
    const startedAt = first.steps[0]!.startedAt;
    if (given) iterations.reuse(first);
    const second = await fixture.clock.drive(iterations.run(draw(steps)));
    assert.equal(second.steps[0]!.startedAt, startedAt + 11);
    assert.equal(first.steps[0]!.startedAt, startedAt + (given ? 11 : 0));
    assert.equal(first.steps === second.steps, given);
    assert.deepEqual(second.steps.map(({ step }) => step), [0, 1]);
  });
}

Deno.test("IterationRun.reuse: an iteration that ends early has none of the steps of the one before", async () => {
  const fixture = new VuFixture();
  const failing = { statuses: [200, 500], facts: { index: 1 } };
  const steps = [
    reusing(fixture),
    fixture.step(failing),
    fixture.step({ facts: { index: 2 } }),
  ];
  const iterations = new IterationRun(fixture.vu(0), fixture.stop);
  const first = await fixture.clock.drive(iterations.run(draw(steps)));
  assert.equal(first.steps.length, 3);
  iterations.reuse(first);
  const second = await fixture.clock.drive(iterations.run(draw(steps)));
  assert.deepEqual(second.steps.map(({ outcome }) => outcome), [
    "passed",
    "failed",
  ]);
});

/** Its response is smaller once the next step has ended; made of that of the last iteration. */
function shrinking(fixture: VuFixture, index: number): CompiledStep {
  const small: StepResponse = {
    ...exchangeless(index, index + 1),
    reused: { pack: () => () => [] },
  };
  const response: StepResponse = {
    ...exchangeless(index, index + 1),
    outlasting: (spare) => spare ?? small,
  };
  const attempt = promised(() => Promise.resolve(response));
  return fixture.step({ facts: { index, adapter: { attempt } } });
}

Deno.test("IterationRun lets go of a response that the next step's overwrote, and reuses what is left", async () => {
  const fixture = new VuFixture();
  const steps = [0, 1, 2].map((index) => shrinking(fixture, index));
  const iterations = new IterationRun(fixture.vu(0), fixture.stop);
  const run = async () => {
    const result = await fixture.clock.drive(iterations.run(draw(steps)));
    const held = result.steps.slice();
    iterations.reuse(result);
    return held;
  };
  const [first, second] = [await run(), await run()];
  const isSmall = (step: StepResult) =>
    step instanceof PassedStep && step.response.reused !== undefined;
  assert.deepEqual(first.map(isSmall), [true, true, false]);
  assert.deepEqual(second.map(isSmall), [true, true, false]);
  const same = first.map((step, index) => step === second[index]);
  assert.deepEqual(same, [true, true, false]);
});

Deno.test("rowPicker: the one row of a run has the values of its turn in the whole run", () => {
  const plan = { seed: 1, executor: "rows" } as RunPlan;
  const flows = [{ flow: {} as Flow, prefix: "" }];
  const open = [openFlow([], { drawValues: (number: number) => [number] })];
  const all = rowPicker({ flows, plan }, new Map(), open);
  const one = rowPicker(
    { flows, plan: { ...plan, firstRow: 4 } },
    new Map(),
    open,
  );
  assert.deepStrictEqual(one(0)?.values, all(4)?.values);
});

Deno.test("rowPicker: each flow of a mix counts its iterations, rows and values by itself", () => {
  const turns = { of: [2, 1], mixed: true };
  const plan = { seed: 1, executor: "closed", turns } as unknown as RunPlan;
  const flows = ["a/", "b/"].map((prefix) => ({ flow: {} as Flow, prefix }));
  const drawValues = (number: number) => [number];
  const open = [0, 1].map((index) => openFlow([], { index, drawValues }));
  const pick = rowPicker({ flows, plan }, new Map(), open);
  const picked = [0, 1, 2, 3, 4, 5].map((each) => pick(each)!);
  assert.deepEqual(
    picked.map(({ flow, values }) => [flow.index, values![0]]),
    [[0, 0], [1, 0], [0, 1], [0, 2], [1, 1], [0, 3]],
  );
});

Deno.test("a VU has a jar of its own for each flow that keeps cookies", () => {
  const fixture = new VuFixture();
  const vu = fixture.vu(0);
  const cookies = () => new CookieJar(() => 0);
  const kept = openFlow([], { index: 0, cookies, keepsCookies: true });
  const none = openFlow([], { index: 1 });
  const other = openFlow([], { index: 2, cookies, keepsCookies: true });
  vu.reset(kept);
  const first = vu.cookies;
  assert.ok(first);
  vu.reset(none);
  assert.equal(vu.cookies, undefined);
  vu.reset(other);
  assert.ok(vu.cookies && vu.cookies !== first);
  vu.reset(kept);
  assert.equal(vu.cookies, first);
});
