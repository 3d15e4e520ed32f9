import assert from "node:assert/strict";
import type { Step } from "../../../../lib/language/ir.ts";
import type { Mode } from "../../../../lib/model/mode.ts";
import {
  afterChecks,
  classify,
  stepRules,
} from "../../../../lib/engine/outcome/classify.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { responseOf } from "../../results/record/fixtures.ts";

const STEP: Step = {
  id: "a",
  kind: "call",
  block: {},
  on_failure: "abort_flow",
};
const ON_STATUS: Step = {
  ...STEP,
  assert: [{ subject: { kind: "status" }, op: "==", value: 404 }],
};
const DECLARES: Step = { ...STEP, throttle: { statuses: [503] } };

function responseWith(status: number): StepResponse {
  const signal = status === 429 ? "throttle" : status >= 400 ? "failure" : "ok";
  return responseOf({}, {
    status,
    signal,
    ...(signal === "failure" && { failure: { code: "status", message: "" } }),
  });
}

Deno.test("classify is the table of the specification", () => {
  const broken = responseOf({}, {
    signal: "failure",
    failure: { code: "reset", message: "" },
  });
  const table = [
    ["a response that is well", responseWith(200), STEP, "passed"],
    [
      "a redirect is a response like any other",
      responseWith(302),
      STEP,
      "passed",
    ],
    ["429 in any mode", responseWith(429), STEP, "throttled"],
    ["a declared status", responseWith(503), DECLARES, "throttled"],
    ["503 is never guessed", responseWith(503), STEP, "failed"],
    ["429 where others are declared", responseWith(429), DECLARES, "throttled"],
    ["an error status", responseWith(404), STEP, "failed"],
    [
      "an error status that assertions judge",
      responseWith(404),
      ON_STATUS,
      "passed",
    ],
    [
      "a throttle that assertions judge",
      responseWith(429),
      ON_STATUS,
      "throttled",
    ],
    ["a broken connection", broken, STEP, "failed"],
    ["one that no assertion can excuse", broken, ON_STATUS, "failed"],
  ] as const;
  for (const [says, response, step, outcome] of table) {
    assert.equal(classify(response, stepRules(step, "load")), outcome, says);
  }
});

Deno.test("stepRules make a throttle an error in functional modes, unless the step says", () => {
  const table: [Mode, boolean | undefined, boolean][] = [
    ["integration", undefined, true],
    ["system", undefined, true],
    ["load", undefined, false],
    ["stress", undefined, false],
    ["soak", undefined, false],
    ["integration", false, false],
    ["load", true, true],
  ];
  for (const [mode, as_error, expected] of table) {
    const step = as_error === undefined
      ? STEP
      : { ...STEP, throttle: { as_error } };
    const { errors } = stepRules(step, mode);
    assert.equal(errors.throttled, expected, `${mode}, as_error: ${as_error}`);
  }
});

Deno.test("afterChecks fails a passed response only", () => {
  const table = [
    ["passed", true, "passed"],
    ["passed", false, "failed"],
    ["throttled", false, "throttled"],
    ["failed", true, "failed"],
  ] as const;
  for (const [before, hold, expected] of table) {
    assert.equal(afterChecks(before, hold), expected, `${before}, ${hold}`);
  }
});
