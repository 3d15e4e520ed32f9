import type {
  AttemptResult,
  IterationResult,
  StepResult,
} from "../../../../lib/model/result/iteration.ts";
import {
  type Marks,
  startMarks,
  type StepResponse,
} from "../../../../lib/model/result/response.ts";
import type { IdWords } from "../../../../lib/results/traces/trace_ids.ts";

/** What the ids of a run are made of. */
export const IDS: IdWords = [1, 2, 3, 4];

/** An iteration of one passed step that lasted 10 ms by default. */
export function iterationOf(
  facts: Partial<IterationResult> = {},
): IterationResult {
  const startedAt = facts.startedAt ?? 0;
  return {
    iteration: 0,
    flow: 0,
    vu: 0,
    startedAt,
    endedAt: startedAt + 10,
    failed: false,
    throttled: false,
    interrupted: false,
    steps: [stepOf()],
    ...facts,
  };
}

/** A passed step with one attempt. */
export function stepOf(facts: Partial<StepResult> = {}): StepResult {
  return {
    step: 0,
    startedAt: 0,
    endedAt: 10,
    outcome: "passed",
    isError: facts.outcome === "failed",
    attempts: [attemptOf()],
    checks: [],
    ...facts,
  };
}

/** A passed attempt without a response. */
export function attemptOf(facts: Partial<AttemptResult> = {}): AttemptResult {
  return { startedAt: 0, endedAt: 10, outcome: "passed", ...facts };
}

/** A response of status 200 on a reused connection. */
export function responseOf(
  marks: Partial<Marks> = {},
  facts: Partial<StepResponse> = {},
): StepResponse {
  return {
    signal: "ok",
    status: 200,
    marks: { ...startMarks(0), firstByte: 5, end: 8, ...marks },
    bytesSent: 100,
    bytesReceived: 200,
    retryAfter: () => undefined,
    headers: () => [],
    json: () => undefined,
    detach: () => {},
    capturedRequest: () => undefined,
    capturedResponse: () => undefined,
    ...facts,
  };
}

/** An iteration whose only step failed with this message. */
export function failedIteration(
  iteration: number,
  message: string,
  facts: Partial<IterationResult> = {},
): IterationResult {
  const failure = { code: "assertion", message, pointer: "/steps/0/assert/0" };
  return iterationOf({
    iteration,
    failed: true,
    steps: [stepOf({ outcome: "failed", failure })],
    ...facts,
  });
}
