import type { Drawn, Row } from "../../language/expressions/template.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { openPool } from "../data/pool.ts";
import type { Fixture } from "../data/table.ts";
import type { ValueSource } from "../data/values.ts";
import { classify } from "../outcome/classify.ts";
import type { CompiledStep } from "./compiled_step.ts";
import type { RunTask } from "./job.ts";
import { runStep } from "./step.ts";
import type { Stop } from "./stop.ts";
import type { VirtualUser } from "./vu.ts";

/** The input of one iteration. */
export interface IterationInput {
  /** 0-based, unique in the run. */
  readonly iteration: number;
  /** The row of each pool, by index; undefined where the pool ran dry. */
  readonly rows: (Row | undefined)[];
  /** The values that were drawn for it, by index. */
  readonly values?: readonly Drawn[];
  /** 0-based index of the first pool's row. */
  readonly row?: number;
}

/** Runs the flow once on `vu`. */
export async function runIteration(
  steps: readonly CompiledStep[],
  vu: VirtualUser,
  input: IterationInput,
  stop: Stop,
): Promise<IterationResult> {
  vu.reset();
  const startedAt = vu.now();
  vu.started(startedAt, input.iteration);
  for (let pool = 0; pool < input.rows.length; pool++) {
    vu.scope.rows[pool] = input.rows[pool];
  }
  if (input.values) vu.drawn(input.values);
  const results: StepResult[] = [];
  let endedAt = startedAt;
  let allPassed = true;
  for (const step of steps) {
    vu.sessions.step = results.length;
    const result = await runStep(step, vu);
    results.push(result);
    allPassed &&= result.outcome === "passed";
    endedAt = result.endedAt;
    if (vu.stopped || endsIteration(step, result, stop)) break;
  }
  if (!vu.sessions.empty) {
    for (const { step: at, response } of await vu.sessions.end()) {
      const step = steps[results[at]!.step]!;
      results[at] = endedUnseen(step, results[at]!, response);
      allPassed &&= results[at].outcome === "passed";
      if (!vu.stopped) endsIteration(step, results[at], stop);
    }
  }
  const result: IterationResult = {
    iteration: input.iteration,
    vu: vu.id,
    startedAt,
    endedAt,
    failed: !allPassed && results.some(({ isError }) => isError),
    throttled: !allPassed &&
      results.some(({ outcome }) => outcome === "throttled"),
    interrupted: vu.stopped,
    steps: results,
    ...(input.values && { values: input.values }),
    ...(vu.secrets && { secrets: vu.secrets }),
  };
  return input.row === undefined ? result : { ...result, row: input.row };
}

/** Whether the iteration ends with a step, by its `on_failure`. */
function endsIteration(
  { step }: CompiledStep,
  result: StepResult,
  stop: Stop,
): boolean {
  if (result.outcome === "passed" || step.on_failure === "record") return false;
  if (result.isError && step.on_failure === "abort_run") {
    stop.soft("abort_run", `step \`${step.id}\` did not pass`);
  }
  return true;
}

/** A step whose session the server closed after the last step that used it. */
function endedUnseen(
  { rules }: CompiledStep,
  result: StepResult,
  ending: StepResponse,
): StepResult {
  if (result.outcome !== "passed") return result;
  const outcome = classify(ending, rules);
  return {
    ...result,
    outcome,
    isError: rules.errors[outcome],
    ending,
    ...(ending.failure && { failure: ending.failure }),
  };
}

/** Gives the input of an iteration; undefined when a dry pool ends the run. */
export type RowPicker = (iteration: number) => IterationInput | undefined;

/** Opens the pools of a run, which iterations have their rows from. */
export function rowPicker(
  { flow, plan }: Pick<RunTask, "flow" | "plan">,
  fixtures: ReadonlyMap<string, Fixture>,
  drawValues?: ValueSource,
): RowPicker {
  const { seed, executor, firstRow = 0, replays } = plan;
  const everyRow = replays?.everyRow ?? executor === "rows";
  const pools = (flow.pools ?? []).map((pool) => {
    const fixture = fixtures.get(pool.name)!;
    return { fixture, source: openPool(pool, fixture.size, seed, everyRow) };
  });
  return (iteration) => {
    if (pools.length === 0 && !drawValues) return { iteration, rows: NO_ROWS };
    const number = iteration + firstRow;
    const rows: (Row | undefined)[] = [];
    let row: number | undefined;
    for (const [pool, { fixture, source }] of pools.entries()) {
      const index = source.row(number);
      if (index === undefined && source.exhausted === "stop") return undefined;
      if (pool === 0) row = index;
      rows.push(index === undefined ? undefined : fixture.row(index));
    }
    return {
      iteration,
      rows,
      ...(row !== undefined && { row }),
      ...(drawValues && { values: drawValues(number, rows) }),
    };
  };
}

const NO_ROWS: (Row | undefined)[] = [];
