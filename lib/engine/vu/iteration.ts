import type { Drawn, Row } from "../../language/expressions/template.ts";
import type { RunFlow } from "../../language/ir.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { openPool } from "../data/pool.ts";
import type { Fixture } from "../data/table.ts";
import { classify } from "../outcome/classify.ts";
import type { CompiledStep } from "./compiled_step.ts";
import { Rota } from "../plan/turns.ts";
import type { OpenFlow, RunTask } from "./job.ts";
import { runStep } from "./step.ts";
import type { Stop } from "./stop.ts";
import type { VirtualUser } from "./vu.ts";

/** The input of one iteration. */
export interface IterationInput {
  /** 0-based, unique in the run. */
  readonly iteration: number;
  /** The flow it is a pass of. */
  readonly flow: OpenFlow;
  /** The row of each pool, by index; undefined where the pool ran dry. */
  readonly rows: (Row | undefined)[];
  /** The values that were drawn for it, by index. */
  readonly values?: readonly Drawn[];
  /** 0-based index of the first pool's row. */
  readonly row?: number;
}

/** Runs a flow once on `vu`. */
export async function runIteration(
  vu: VirtualUser,
  input: IterationInput,
  stop: Stop,
): Promise<IterationResult> {
  const { flow } = input;
  vu.reset(flow);
  const startedAt = vu.now();
  vu.started(startedAt, input.iteration);
  for (let pool = 0; pool < input.rows.length; pool++) {
    vu.scope.rows[pool] = input.rows[pool];
  }
  if (input.values) vu.drawn(input.values, flow.drawnSecrets);
  const results: StepResult[] = [];
  let endedAt = startedAt;
  let allPassed = true;
  for (const step of flow.steps) {
    vu.sessions.step = results.length;
    const result = await runStep(step, vu);
    results.push(result);
    allPassed &&= result.outcome === "passed";
    endedAt = result.endedAt;
    if (vu.stopped || endsIteration(step, result, stop)) break;
  }
  if (!vu.sessions.empty) {
    for (const { step: at, response } of await vu.sessions.end()) {
      const step = flow.steps[at]!;
      results[at] = endedUnseen(step, results[at]!, response);
      allPassed &&= results[at].outcome === "passed";
      if (!vu.stopped) endsIteration(step, results[at], stop);
    }
  }
  const result: IterationResult = {
    iteration: input.iteration,
    flow: flow.index,
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
  const { step, startedAt, endedAt, attempts, checks, contract } = result;
  return {
    ...{ step, startedAt, endedAt, attempts, checks },
    outcome,
    isError: rules.errors[outcome],
    ending,
    ...(contract && { contract }),
    ...(ending.failure && { failure: ending.failure }),
  };
}

/** Gives the input of an iteration; undefined when a dry pool ends the run. */
export type RowPicker = (iteration: number) => IterationInput | undefined;

/** The pools of a flow, and what draws its values. */
interface Source {
  readonly flow: OpenFlow;
  readonly pools: readonly OpenPool[];
}

interface OpenPool {
  readonly fixture: Fixture;
  readonly source: ReturnType<typeof openPool>;
}

/** Opens the pools of a run, which iterations have their rows from. */
export function rowPicker(
  { flows, plan }: Pick<RunTask, "plan"> & {
    readonly flows: readonly Pick<RunFlow, "flow" | "prefix">[];
  },
  fixtures: ReadonlyMap<string, Fixture>,
  open: readonly OpenFlow[],
): RowPicker {
  const { seed, executor, firstRow = 0, replays } = plan;
  const everyRow = replays?.everyRow ?? executor === "rows";
  const sources = flows.map(({ flow: { pools = [] }, prefix }, index) => ({
    flow: open[index]!,
    pools: pools.map((pool) => {
      const fixture = fixtures.get(prefix + pool.name)!;
      return { fixture, source: openPool(pool, fixture.size, seed, everyRow) };
    }),
  }));
  const rota = new Rota(plan.turns);
  return (iteration) => {
    const source = sources[rota.flowOf(iteration)]!;
    const { flow, pools } = source;
    return pools.length === 0 && !flow.drawValues
      ? { iteration, flow, rows: NO_ROWS }
      : inputOf(source, iteration, rota.numberOf(iteration) + firstRow);
  };
}

const NO_ROWS: (Row | undefined)[] = [];

/** @param number of the iteration among those of its flow */
function inputOf(
  { flow, pools }: Source,
  iteration: number,
  number: number,
): IterationInput | undefined {
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
    flow,
    rows,
    ...(row !== undefined && { row }),
    ...(flow.drawValues && { values: flow.drawValues(number, rows) }),
  };
}
