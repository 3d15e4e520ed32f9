import assert from "node:assert/strict";
import { runIteration } from "../../../../lib/engine/vu/iteration.ts";
import type { OnFailure } from "../../../../lib/model/ir/flow.ts";
import type { Reply } from "../../../../lib/model/result/reply.ts";
import { exchangeless } from "../../../../lib/steps/http/silent_reply.ts";
import { Stage } from "./stage.ts";

const DRAW = { iteration: 3, rows: [] };

async function play(
  first: number,
  on_failure: OnFailure,
  throttleIsError = false,
) {
  const stage = new Stage();
  const step = { id: "a", kind: "call", block: {}, on_failure };
  const rules = {
    throttled: new Set<number>(),
    judgesStatus: false,
    throttleIsError,
  };
  const steps = [
    stage.step({ statuses: [first], facts: { step, rules } }),
    stage.step({ facts: { index: 1 } }),
  ];
  const result = await stage.clock.drive(
    runIteration(steps, stage.vu(0), DRAW, stage.stop),
  );
  return { stage, result };
}

Deno.test("runIteration goes on or ends after a step as its class and `on_failure` say", async () => {
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
    const { stage, result } = await play(status, on);
    assert.equal(result.steps.length, steps, says);
    assert.equal(result.failed, failed, says);
    assert.equal(result.throttled, status === 429, says);
    assert.equal(stage.stop.requested, stops, says);
  }
});

Deno.test("runIteration counts a throttle that is an error toward both rates", async () => {
  const { stage, result } = await play(429, "abort_run", true);
  assert.ok(result.failed && result.throttled);
  assert.equal(stage.stop.reason, "abort_run");
});

Deno.test("runIteration says who ran it, with what row, and for how long", async () => {
  const { stage, result } = await play(200, "abort_flow");
  assert.equal(result.iteration, 3);
  assert.equal(result.vu, 0);
  assert.ok(!("row" in result), "no pool, no row");
  assert.equal(result.endedAt - result.startedAt, 20);
  const drawn = await stage.clock.drive(
    runIteration([], stage.vu(1), { ...DRAW, row: 7 }, stage.stop),
  );
  assert.equal(drawn.row, 7);
});

Deno.test("runIteration forgets what the last one extracted", async () => {
  const stage = new Stage();
  const vu = stage.vu(0);
  vu.scope.variables[0] = "left over";
  await stage.clock.drive(runIteration([], vu, DRAW, stage.stop));
  assert.equal(vu.scope.variables[0], undefined);
});

Deno.test("runIteration is interrupted when the run is told to end at once", async () => {
  const stage = new Stage();
  const steps = [stage.step({ latencyMs: () => 1_000 }), stage.step()];
  const stopping = stage.clock.sleep(100).then(() =>
    stage.stop.hard("interrupted", "")
  );
  const [result] = await stage.clock.drive(Promise.all([
    runIteration(steps, stage.vu(0), DRAW, stage.stop),
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
  const stage = new Stage();
  const ending = endOf(signal);
  const opens = stage.step({
    facts: { step: { id: "a", kind: "ws", block: {}, on_failure } },
  });
  const attempt: typeof opens.adapter.attempt = (context) => {
    context.sessions.set("s", { close() {}, unseenEnd: () => ending });
    return opens.adapter.attempt(context);
  };
  const steps = [
    { ...opens, adapter: { attempt } },
    stage.step({ facts: { index: 1 } }),
  ];
  const result = await stage.clock.drive(
    runIteration(steps, stage.vu(0), DRAW, stage.stop),
  );
  return { stage, result };
}

function endOf(signal: "throttle" | "failure"): Reply {
  const failure = { code: "closed", message: "closed with code 1008" };
  return {
    ...exchangeless(0, 0),
    signal,
    ...(signal === "failure" && { failure }),
  };
}

Deno.test("runIteration: an end that no step saw makes the step that used the session last not pass", async () => {
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

Deno.test("runIteration: an end that no step saw can abort the run", async () => {
  const { stage } = await unseen("failure", "abort_run");
  assert.equal(stage.stop.reason, "abort_run");
  const recorded = await unseen("failure", "record");
  assert.equal(recorded.stage.stop.requested, false);
  assert.equal(recorded.result.failed, true);
});
