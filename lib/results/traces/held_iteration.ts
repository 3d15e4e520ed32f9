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
  const reused = reusedBy(result.steps);
  if (!reused) return () => result;
  const steps = packSteps(result.steps, reused);
  const rest = { ...result, steps: [] };
  return () => ({ ...rest, steps: steps() });
}

/** Keeps the messages of an exchange, unless a later one has overwritten them. */
function detach(response: StepResponse | undefined): void {
  if (response && !response.overwritten) response.detach();
}

function heldBytes(response: StepResponse | undefined): number {
  return response ? response.heldBytes ?? Infinity : 0;
}

/** Who uses responses of these again. All steps that wait for frames have the same. */
function reusedBy(steps: readonly StepResult[]): ReusedResponses | undefined {
  for (const step of steps) {
    const reused = step instanceof PassedStep && step.response.reused;
    if (reused) return reused;
  }
  return undefined;
}

/**
 * The steps, with what responses that are used again say as of now.
 *
 * @returns makes them again
 */
function packSteps(
  steps: readonly StepResult[],
  reused: ReusedResponses,
): () => StepResult[] {
  const isPacked = (step: StepResult): step is PassedStep =>
    step instanceof PassedStep && step.response.reused === reused;
  const packed = steps.filter(isPacked);
  const others = steps.filter((step) => !isPacked(step));
  const kinds = KINDS.of(
    steps.map((step) => isPacked(step) ? step.of : undefined),
  );
  const dueAts = packed.some(({ dueAt }) => dueAt !== undefined)
    ? packed.map(({ dueAt }) => dueAt)
    : NO_DUE_TIMES;
  const responses = reused.pack(packed.map(({ response }) => response));
  return () => {
    const rest = others.values();
    const again = responses();
    let at = 0;
    return kinds.map((of) =>
      of ? new PassedStep(of, again[at]!, dueAts[at++]) : rest.next().value!
    );
  };
}

/** The steps of a flow that passed; undefined where one is kept as it is. */
const KINDS = new SharedList<PassedStep["of"] | undefined>();
const NO_DUE_TIMES: readonly undefined[] = [];
