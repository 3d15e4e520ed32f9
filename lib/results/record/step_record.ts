import type { HttpVersion } from "../../model/result/http_version.ts";
import type { StepResult } from "../../model/result/iteration.ts";
import type { StepResponse } from "../../model/result/response.ts";
import type { StepCounts } from "../../model/result/run.ts";
import type { TracedStep } from "../../model/result/trace.ts";
import { LatencyRecorder } from "../histograms/latencies.ts";
import { PhaseRecorder } from "../histograms/phases.ts";
import { CheckCounts } from "./check_counts.ts";
import type { RecorderSnapshot } from "./snapshot.ts";

/** What is recorded of one step. */
export interface StepRecord extends Omit<StepCounts, "checks"> {
  readonly latencies: LatencyRecorder;
  readonly phases: PhaseRecorder;
  readonly checks: CheckCounts;
}

/**
 * The record of a step that has not run yet.
 *
 * @param start the run's start on the run's clock, in milliseconds
 */
export function stepRecord(step: TracedStep, start: number): StepRecord {
  return {
    executions: 0,
    requests: 0,
    passed: 0,
    throttled: 0,
    failed: 0,
    attempts: { passed: 0, throttled: 0, failed: 0 },
    bytes_sent: 0,
    bytes_received: 0,
    http_versions: [],
    latencies: new LatencyRecorder(start),
    phases: new PhaseRecorder(),
    checks: new CheckCounts(step),
  };
}

/** Counts a step that ended. */
export function noteStep(record: StepRecord, result: StepResult): void {
  record.executions++;
  record[result.outcome]++;
  record.checks.note(result);
  for (const { outcome, response } of result.attempts) {
    record.attempts[outcome]++;
    if (!response) continue;
    noteResponse(record, response);
    if (response.before) noteResponse(record, response.before);
  }
}

function noteResponse(
  record: StepRecord,
  { httpVersion, span, marks }: StepResponse,
): void {
  noteVersion(record, httpVersion);
  // Frames on an open session have no phases.
  if (span === undefined) record.phases.note(marks);
}

function noteVersion(
  { http_versions }: StepRecord,
  version: HttpVersion | undefined,
): void {
  if (version === undefined || http_versions.includes(version)) return;
  http_versions.push(version);
}

/**
 * A step as plain data.
 *
 * @param whole off to leave its latencies out, which are most of it
 */
export function stepData(
  { latencies, phases, checks, ...counts }: StepRecord,
  whole: boolean,
): RecorderSnapshot["steps"][number] {
  return {
    ...structuredClone(counts),
    checks: checks.data(),
    latencies: whole ? latencies.data() : {},
    phases: whole ? phases.data() : {},
  };
}
