import { deepStrictEqual } from "node:assert/strict";
import { holdResponses } from "../../../../lib/results/traces/trace_draft.ts";
import type { IterationResult } from "../../../../lib/model/result/iteration.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";

function iterationOf(...sizes: (number | undefined)[]) {
  const detached: number[] = [];
  const response = (heldBytes: number | undefined, index: number) => ({
    ...(heldBytes !== undefined && { heldBytes }),
    detach: () => void detached.push(index),
  } as unknown as StepResponse);
  const result = {
    steps: sizes.map((size, index) => ({
      attempts: [{ response: response(size, index) }],
    })),
  } as unknown as IterationResult;
  return { result, detached };
}

Deno.test("holdResponses copies the responses of an iteration that is small enough", () => {
  const { result, detached } = iterationOf(10, 20, 30);
  deepStrictEqual(holdResponses(result, 60), true);
  deepStrictEqual(detached, [0, 1, 2]);
});

Deno.test("holdResponses leaves a response that a later exchange overwrote", () => {
  const { result, detached } = iterationOf(10, 20);
  const [first] = result.steps[0]!.attempts;
  Object.assign(first!.response!, {
    overwritten: true,
    detach() {
      throw new Error("overwritten");
    },
  });
  deepStrictEqual(holdResponses(result, 60), true);
  deepStrictEqual(detached, [1]);
});

for (
  const [what, sizes] of [
    ["too large together", [10, 20, 31]],
    ["of unknown size", [10, undefined]],
  ] as const
) {
  Deno.test(`holdResponses leaves responses ${what} alone`, () => {
    const { result, detached } = iterationOf(...sizes);
    deepStrictEqual(holdResponses(result, 60), false);
    deepStrictEqual(detached, []);
  });
}

Deno.test("holdResponses counts a handshake, and steps that have no response", () => {
  const handshake = { heldBytes: 50, detach() {} };
  const result = {
    steps: [
      { attempts: [{}] },
      {
        attempts: [{
          response: { heldBytes: 20, before: handshake, detach() {} },
        }],
      },
    ],
  } as unknown as IterationResult;
  deepStrictEqual([holdResponses(result, 70), holdResponses(result, 69)], [
    true,
    false,
  ]);
});
