import assert from "node:assert/strict";
import {
  StepRecord,
  sumSteps,
} from "../../../../lib/results/record/step_record.ts";
import type { CheckResult } from "../../../../lib/model/result/iteration.ts";
import { attemptOf, stepOf } from "./fixtures.ts";

const CHECKS = {
  extract: new Map([["id", "$.id"]]),
  assert: new Map([["0", "status == 200"]]),
  contract: new Map(),
  until: new Map(),
};

function check(facts: Partial<CheckResult> = {}): CheckResult {
  return {
    kind: "assert",
    name: "0",
    startedAt: NaN,
    endedAt: NaN,
    ...facts,
  };
}

const FAILED = { code: "assertion", message: "no" };

Deno.test("StepRecord counts what holds, shared or timed, and what does not", () => {
  const counts = new StepRecord({ checks: CHECKS }, 0);
  const shared = [check({ kind: "extract", name: "id" }), check()];
  for (let i = 0; i < 1_000; i++) counts.note(stepOf({ checks: shared }));
  const timed = shared.map((each) => ({ ...each, startedAt: 1, endedAt: 2 }));
  counts.note(stepOf({ checks: timed }));
  counts.note(stepOf({ checks: [shared[0]!, check({ failure: FAILED })] }));
  // A step without a response ran no check.
  counts.note(stepOf({ checks: [] }));
  assert.deepEqual(counts.data(true).checks, [
    { check: "$.id", passed: 1_002, failed: 0 },
    { check: "status == 200", passed: 1_001, failed: 1 },
  ]);
  assert.deepEqual(
    sumSteps([counts.data(true), counts.data(true)]).checks[1],
    { check: "status == 200", passed: 2_002, failed: 2 },
  );
});

Deno.test("StepRecord counts a poll's conditions by the round that ended it", () => {
  const counts = new StepRecord({
    checks: { ...CHECKS, until: new Map([["0", "$.done == true"]]) },
  }, 0);
  const until = (failure?: typeof FAILED) =>
    attemptOf({
      checks: [check({ kind: "until", ...(failure && { failure }) })],
    });
  counts.note(
    stepOf({
      attempts: [until(FAILED), until(FAILED), until()],
      checks: [check(), check()],
    }),
  );
  counts.note(stepOf({ attempts: [until(FAILED)], checks: [] }));
  assert.deepEqual(
    counts.data(true).checks.map(({ passed, failed }) => [passed, failed]),
    [
      [1, 0],
      [1, 0],
      [1, 1],
    ],
  );
});

Deno.test("StepRecord counts an attempt in whose backoff the run ended as repeated", () => {
  const counts = new StepRecord({ checks: CHECKS }, 0);
  const ended = attemptOf({ outcome: "throttled", sampled: true });
  counts.note(stepOf({ attempts: [ended], checks: [], cutOff: true }));
  counts.note(
    stepOf({ attempts: [ended, attemptOf()], checks: [], cutOff: true }),
  );
  assert.deepEqual(counts.data(true).repeated, {
    passed: 0,
    throttled: 2,
    failed: 0,
  });
});
