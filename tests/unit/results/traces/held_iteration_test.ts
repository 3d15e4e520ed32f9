import { deepStrictEqual, notDeepStrictEqual } from "node:assert/strict";
import { hold } from "../../../../lib/results/traces/held_iteration.ts";
import {
  type IterationResult,
  PassedStep,
} from "../../../../lib/model/result/iteration.ts";
import { WsFrame } from "../../../../lib/steps/ws/frame.ts";
import { exchangeless } from "../../../../lib/steps/protocol.ts";
import { FrameResponse } from "../../../../lib/steps/ws/response.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { httpResponse, wireResponse } from "../../steps/http/wire_response.ts";

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

Deno.test("hold copies the responses of an iteration that is small enough", () => {
  const { result, detached } = iterationOf(10, 20, 30);
  deepStrictEqual(hold(result, 60)?.(), result);
  deepStrictEqual(detached, [0, 1, 2]);
});

Deno.test("hold leaves a response that a later exchange overwrote", () => {
  const { result, detached } = iterationOf(10, 20);
  const [first] = result.steps[0]!.attempts;
  Object.assign(first!.response!, {
    overwritten: true,
    detach() {
      throw new Error("overwritten");
    },
  });
  deepStrictEqual(hold(result, 60)?.(), result);
  deepStrictEqual(detached, [1]);
});

for (
  const [what, sizes] of [
    ["too large together", [10, 20, 31]],
    ["of unknown size", [10, undefined]],
  ] as const
) {
  Deno.test(`hold leaves responses ${what} alone`, () => {
    const { result, detached } = iterationOf(...sizes);
    deepStrictEqual(hold(result, 60), undefined);
    deepStrictEqual(detached, []);
  });
}

Deno.test("hold counts a handshake, and steps that have no response", () => {
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
  deepStrictEqual(hold(result, 70)?.(), result);
  deepStrictEqual(hold(result, 69), undefined);
});

interface Said {
  readonly at: number;
  readonly sent?: string;
  readonly came?: string | Uint8Array;
}

/** A step that sent and received this, with its response made of `spare`. */
function echo({ at, sent, came }: Said, spare?: PassedStep): PassedStep {
  const isText = typeof came === "string";
  const bytes = isText ? new TextEncoder().encode(came) : came;
  const response = FrameResponse.of(
    {
      ...{ start: at, end: at + 0.25, sent },
      came: bytes && new WsFrame(at, isText, bytes),
      ...{ bytesSent: at, bytesReceived: 2 * at },
      ...{ failure: undefined, before: undefined, samples: undefined },
    },
    "full",
    spare?.response,
  );
  response.checked();
  return new PassedStep({ index: at, held: [] }, response, spare && at - 1);
}

const said = ({ steps }: IterationResult) =>
  steps.map((step) => ({
    ...{ step: step.step, startedAt: step.startedAt, endedAt: step.endedAt },
    dueAt: (step as PassedStep).dueAt,
    ...step.attempts.map(({ response }) => ({
      ...{ sent: response!.bytesSent, received: response!.bytesReceived },
      request: response!.capturedRequest(),
      response: response!.capturedResponse(),
    }))[0],
  }));

/** A step whose response was overwritten, made of `spare`. */
function called(at: number, spare?: PassedStep): PassedStep {
  const wire = wireResponse(200, "x");
  const marks = { ...wire.marks, start: at, firstByte: at, end: at + 0.5 };
  const response = httpResponse({ ...wire, marks, stale: true });
  return new PassedStep(
    { index: at, held: [] },
    response.outlasting(spare?.response),
  );
}

Deno.test("hold keeps what responses said, though they are used again", () => {
  const waited = exchangeless(6, 7);
  const result = {
    iteration: 3,
    steps: [
      echo({ at: 1, sent: "a", came: '{"x":"ä"}' }),
      new PassedStep({ index: 6, held: [] }, waited),
      called(5),
      echo({ at: 2, sent: "b" }),
      called(7),
      echo({ at: 3, came: new Uint8Array([1, 2]) }),
      echo({ at: 4, sent: "é", came: "1" }, echo({ at: 8, came: "2" })),
    ],
  } as unknown as IterationResult;
  const before = said(result);
  const held = hold(result, 100)!;
  for (const step of result.steps as PassedStep[]) {
    if (step.response.status === 200) called(9, step);
    else if (step.response !== waited) {
      echo({ at: 9, sent: "z", came: "0" }, step);
    }
  }
  notDeepStrictEqual(said(result), before);
  deepStrictEqual(said(held()), before);
  deepStrictEqual(held().iteration, 3);
});
