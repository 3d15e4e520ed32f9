import { SharedList } from "../../base/values/shared_list.ts";
import {
  type IterationResult,
  PassedStep,
  type StepResult,
} from "../../model/result/iteration.ts";
import type {
  ReusedResponses,
  StepResponse,
} from "../../model/result/response.ts";

/**
 * Makes an iteration independent of its VU, which uses responses again, and of its
 * connections, which read on, so that its trace can be built later.
 *
 * @returns makes the iteration again; undefined when it would hold more than `most`
 *   bytes of messages until then
 */
export function hold(
  result: IterationResult,
  most: number,
): (() => IterationResult) | undefined {
  let left = most;
  for (const { attempts, ending } of result.steps) {
    left -= heldBytes(ending);
    for (const { response } of attempts) {
      left -= heldBytes(response) + heldBytes(response?.before);
    }
  }
  if (!(left >= 0)) return undefined;
  for (const { attempts } of result.steps) {
    for (const { response } of attempts) {
      detach(response?.before);
      detach(response);
    }
  }
  const steps = packSteps(result.steps);
  return steps ? withSteps({ ...result, steps: [] }, steps) : () => result;
}

function withSteps(
  rest: IterationResult,
  steps: () => StepResult[],
): () => IterationResult {
  return () => ({ ...rest, steps: steps() });
}

/** Keeps the messages of an exchange, unless a later one has overwritten them. */
function detach(response: StepResponse | undefined): void {
  if (response && !response.overwritten) response.detach();
}

function heldBytes(response: StepResponse | undefined): number {
  return response ? response.heldBytes ?? Infinity : 0;
}

/**
 * The steps, with what responses that are used again say as of now.
 *
 * @returns makes them again; undefined when none of them is used again
 */
function packSteps(
  steps: readonly StepResult[],
): (() => StepResult[]) | undefined {
  const passed = steps.filter(isUsedAgain);
  if (passed.length === 0) return undefined;
  const others = steps.filter((step) => !isUsedAgain(step));
  const kinds = KINDS.of(
    steps.map((step) => isUsedAgain(step) ? step.of : undefined),
  );
  const dueAts = passed.some(({ dueAt }) => dueAt !== undefined)
    ? passed.map(({ dueAt }) => dueAt)
    : NO_DUE_TIMES;
  const responses = packResponses(passed.map(({ response }) => response));
  return () => {
    const rest = others.values();
    const again = responses();
    let at = 0;
    return kinds.map((of) =>
      of ? new PassedStep(of, again[at]!, dueAts[at++]) : rest.next().value!
    );
  };
}

function isUsedAgain(step: StepResult): step is PassedStep {
  return step instanceof PassedStep && step.response.reused !== undefined;
}

/**
 * Each kind by itself: those of HTTP, and the frames of sessions. Grouped, so that no
 * closure here, and with it the result, holds the responses.
 */
function packResponses(
  responses: readonly StepResponse[],
): () => StepResponse[] {
  const owners = OWNERS.of(responses.map(ownerOf));
  const packed = new Map<ReusedResponses, () => StepResponse[]>();
  for (const [owner, own] of Map.groupBy(responses, ownerOf)) {
    packed.set(owner, owner.pack(own));
  }
  return () => {
    const again = new Map(
      [...packed].map(([owner, made]) => [owner, made().values()]),
    );
    return owners.map((owner) => again.get(owner)!.next().value!);
  };
}

function ownerOf({ reused }: StepResponse): ReusedResponses {
  return reused!;
}

/** The steps of a flow that passed; undefined where one is kept as it is. */
const KINDS = new SharedList<PassedStep["of"] | undefined>();
const OWNERS = new SharedList<ReusedResponses>();
const NO_DUE_TIMES: readonly undefined[] = [];
