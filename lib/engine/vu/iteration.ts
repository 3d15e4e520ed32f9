import type { Row } from "../../language/expressions/names.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import type { CompiledStep } from "./compiled_step.ts";
import type { Stop } from "./stop.ts";
import { runStep } from "./step.ts";
import type { VirtualUser } from "./vu.ts";

/** What one iteration draws before it begins. */
export interface Draw {
  /** 0-based, unique in the run. */
  readonly iteration: number;
  /** One row a pool slot; undefined where the pool ran dry. */
  readonly rows: readonly (Row | undefined)[];
  /** 0-based index of the first pool's row. */
  readonly row?: number;
}

/** Runs the flow once on `vu`. */
export async function runIteration(
  steps: readonly CompiledStep[],
  vu: VirtualUser,
  draw: Draw,
  stop: Stop,
): Promise<IterationResult> {
  vu.reset();
  const startedAt = vu.now();
  vu.started(startedAt, draw.iteration);
  for (let slot = 0; slot < draw.rows.length; slot++) {
    vu.scope.rows[slot] = draw.rows[slot];
  }
  const results: StepResult[] = [];
  let endedAt = startedAt;
  let failed = false;
  let throttled = false;
  for (const step of steps) {
    const result = await runStep(step, vu);
    results.push(result);
    endedAt = result.endedAt;
    if (vu.stopped) break;
    const isFailure = result.outcome === "failed" || result.throttleIsError;
    failed ||= isFailure;
    throttled ||= result.outcome === "throttled";
    if (result.outcome === "passed") continue;
    if (step.step.on_failure === "record") continue;
    if (isFailure && step.step.on_failure === "abort_run") {
      stop.soft("abort_run", `step \`${step.step.id}\` did not pass`);
    }
    break;
  }
  if (!vu.sessions.empty) await vu.sessions.close();
  const result = {
    iteration: draw.iteration,
    vu: vu.id,
    startedAt,
    endedAt,
    failed,
    throttled,
    interrupted: vu.stopped,
    steps: results,
  };
  return draw.row === undefined ? result : { ...result, row: draw.row };
}
