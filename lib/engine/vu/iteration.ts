import type { Drawn, Row } from "../../language/expressions/template.ts";
import type { RunFlow } from "../../language/ir.ts";
import {
  type IterationResult,
  PassedStep,
  type StepResult,
} from "../../model/result/iteration.ts";
import { stoppedBy } from "../../model/outcome.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { openPool } from "../data/pool.ts";
import type { Fixture } from "../data/table.ts";
import { classify } from "../outcome/classify.ts";
import type { CompiledStep } from "./compiled_step.ts";
import { Rota } from "../plan/turns.ts";
import type { OpenFlow, RunTask } from "./job.ts";
import { type StepEnd, StepRun } from "./step.ts";
import type { Stop } from "./stop.ts";
import type { VirtualUser } from "./vu.ts";

/** The input of one iteration. */
export interface IterationInput {
  /** 0-based, unique in the run. */
  readonly iteration: number;
  /** The flow it is a pass of. */
  readonly flow: OpenFlow;
  /** The row of each pool, by index; undefined where the pool has none left. */
  readonly rows: (Row | undefined)[];
  /** The values that were drawn for it, by index. */
  readonly values?: readonly Drawn[];
  /** 0-based index of the first pool's row. */
  readonly row?: number;
}

/** Takes the result of an iteration. One of the two is called, once. */
export interface IterationEnd {
  /** The next iteration may begin before it returns. */
  ended(result: IterationResult): void;
  /** An error of this program. */
  failed(error: unknown): void;
}

/** Runs iterations on one VU, one after the other. */
export class IterationRun implements StepEnd {
  readonly #vu: VirtualUser;
  readonly #stop: Stop;
  readonly #run: StepRun;
  #input!: IterationInput;
  #end!: IterationEnd;
  #startedAt = NaN;
  #endedAt = NaN;
  /** Those of the steps so far; behind them, of an iteration before. */
  #results = NO_RESULTS;
  /** That of the last step in an iteration before. */
  #spare: StepResult | undefined;
  #ended = 0;
  #allPassed = true;
  /** One of its responses may be used again. */
  #reused = false;
  /** A step has begun, and its call has not returned. */
  #beginning = false;
  /** The result of a step that ended before that. */
  #atOnce: StepResult | undefined;

  constructor(vu: VirtualUser, stop: Stop) {
    this.#vu = vu;
    this.#stop = stop;
    this.#run = new StepRun(vu, this);
  }

  /** Runs a flow once; rejects with an error of this program. */
  run(input: IterationInput): Promise<IterationResult> {
    return new Promise((ended, failed) => this.begin(input, { ended, failed }));
  }

  /** The same without a promise. */
  begin(input: IterationInput, end: IterationEnd): void {
    const vu = this.#vu;
    const { flow } = input;
    this.#input = input;
    this.#end = end;
    vu.reset(flow);
    this.#startedAt = vu.now();
    this.#endedAt = this.#startedAt;
    this.#ended = 0;
    this.#allPassed = true;
    this.#reused = false;
    this.#spare = undefined;
    vu.started(this.#startedAt, input.iteration);
    for (let pool = 0; pool < input.rows.length; pool++) {
      vu.scope.rows[pool] = input.rows[pool];
    }
    if (input.values) vu.drawn(input.values, flow.drawnSecrets);
    this.#proceed();
  }

  /**
   * Takes a result back that the sink has looked at: most of what it takes to say that a
   * step passed can say it of the next iteration. Else flows of hundreds of steps would
   * leave all of that to the collector, after it has become old.
   */
  reuse({ steps }: IterationResult): void {
    if (!this.#reused) return;
    const results = steps as StepResult[];
    for (let at = 0; at < results.length; at++) {
      // It may have a long body.
      if (!isReused(results[at]!)) results[at] = NO_RESULT;
    }
    this.#results = results;
  }

  /** Runs the steps that are left: in a loop, as far as they end at once. */
  #proceed(): void {
    const { steps } = this.#input.flow;
    while (this.#ended < steps.length) {
      const position = this.#ended;
      this.#vu.sessions.step = position;
      this.#beginning = true;
      this.#run.begin(steps[position]!, this.#results[position]);
      this.#beginning = false;
      const result = this.#atOnce;
      if (!result) return;
      this.#atOnce = undefined;
      if (this.#endsWith(result)) break;
    }
    this.#close();
  }

  ended(result: StepResult): void {
    if (this.#beginning) this.#atOnce = result;
    else if (this.#endsWith(result)) this.#close();
    else this.#proceed();
  }

  broke(error: unknown): void {
    this.#end.failed(error);
  }

  /** Takes the result of a step; true when it is the last one. */
  #endsWith(result: StepResult): boolean {
    const position = this.#ended++;
    const step = this.#input.flow.steps[position]!;
    if (position > 0) this.#shrink(position - 1);
    // Pushed to an empty list, one result would take the room of seventeen.
    if (this.#results.length === 0) this.#results = [result];
    else {
      this.#spare = this.#results[position];
      this.#results[position] = result;
    }
    this.#allPassed &&= result.outcome === "passed";
    this.#reused ||= isReused(result);
    this.#endedAt = result.endedAt;
    return this.#vu.stopped || endsIteration(step, result, this.#stop);
  }

  /** Lets go of the response of a step that another one overwrote. */
  #shrink(position: number): void {
    const result = this.#results[position];
    if (!(result instanceof PassedStep)) return;
    const smaller = outlasting(result, this.#spare);
    if (smaller === result) return;
    this.#results[position] = smaller;
    this.#reused = true;
  }

  #close(): void {
    this.#results.length = this.#ended;
    if (this.#vu.sessions.empty) return this.#finish();
    this.#closeSessions().then(() => this.#finish())
      .catch((error) => this.broke(error));
  }

  async #closeSessions(): Promise<void> {
    const { steps } = this.#input.flow;
    const results = this.#results;
    for (const { step: at, response } of await this.#vu.sessions.end()) {
      const step = steps[at]!;
      const result = endedUnseen(step, results[at]!, response);
      results[at] = result;
      this.#allPassed &&= result.outcome === "passed";
      if (!this.#vu.stopped) endsIteration(step, result, this.#stop);
    }
  }

  #finish(): void {
    const vu = this.#vu;
    const { iteration, flow, values, row } = this.#input;
    const steps = this.#results;
    const passed = this.#allPassed;
    const result: IterationResult = {
      iteration,
      flow: flow.index,
      vu: vu.id,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      failed: !passed && steps.some(({ isError }) => isError),
      throttled: !passed &&
        steps.some(({ outcome }) => outcome === "throttled"),
      interrupted: vu.stopped,
      steps,
    };
    // A VU between two iterations holds nothing of the last one.
    this.#results = NO_RESULTS;
    const secrets = vu.allSecrets();
    this.#end.ended(
      values || secrets || row !== undefined
        ? {
          ...result,
          ...(values && { values }),
          ...(secrets && { secrets }),
          ...(row !== undefined && { row }),
        }
        : result,
    );
  }
}

const NO_RESULTS: StepResult[] = [];

/** In the place of one that is not used again. */
const NO_RESULT = {} as StepResult;

/**
 * The same result with less of its response, where that was overwritten.
 *
 * @param last that of the step in an iteration before, which may be made the result
 */
function outlasting(
  result: PassedStep,
  last: StepResult | undefined,
): PassedStep {
  const { of, response, dueAt } = result;
  const spare = last instanceof PassedStep ? last : undefined;
  const smaller = response.outlasting?.(spare?.response) ?? response;
  if (smaller === response) return result;
  return spare?.isOf(of, smaller, dueAt)
    ? spare
    : new PassedStep(of, smaller, dueAt);
}

function isReused(result: StepResult): boolean {
  return result instanceof PassedStep && result.response.reused !== undefined;
}

/** Whether the iteration ends with a step, by its `on_failure`. */
function endsIteration(
  { step }: CompiledStep,
  result: StepResult,
  stop: Stop,
): boolean {
  if (result.outcome === "passed" || step.on_failure === "record") return false;
  if (result.isError && step.on_failure === "abort_run") {
    stop.soft("abort_run", stoppedBy(step.id));
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
  const { step, startedAt, endedAt, attempts, checks, contract, cutOff } =
    result;
  return {
    ...{ step, startedAt, endedAt, attempts, checks },
    outcome,
    isError: rules.errors[outcome],
    ending,
    ...(contract && { contract }),
    ...(cutOff && { cutOff }),
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
