import type { Clock } from "../../base/time/clock.ts";
import { sum } from "../../base/values/sum.ts";
import { toThousandths } from "../../base/values/numbers.ts";
import { type OnceList, placedSteps } from "../../language/flow/flow.ts";
import type { IterationResult, Sink } from "../../model/result/iteration.ts";
import type { OnceSummary } from "../../model/result/run.ts";
import type { CountedContract } from "../../model/result/totals.ts";
import { ONCE, type Trace, type TracedStep } from "../../model/result/trace.ts";
import { allFailures } from "../../results/failures/failures.ts";
import { redact } from "../../results/redact/redacted.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import { contractOfOnce } from "../../results/record/contract_record.ts";
import { failureGroup, type Locate } from "../../results/report/counted.ts";
import { buildTrace, outcomeOf } from "../../results/traces/trace_build.ts";
import {
  type IdWords,
  randomIdWords,
  traceId,
} from "../../results/traces/trace_ids.ts";
import type { KnownTokens } from "../../steps/auth/tokens.ts";
import { HttpConnections } from "../../wire/http/connections.ts";
import { sharedMemory } from "../limiter/limiter.ts";
import { maxRpsLimiter } from "../limiter/rate_limiter.ts";
import { IterationRun } from "../vu/iteration.ts";
import {
  type GivenVariables,
  type OpenFlow,
  openJob,
  type RunTask,
} from "../vu/job.ts";
import { Stop } from "../vu/stop.ts";
import { tracedStep } from "../vu/compiled_step.ts";
import { VirtualUser } from "../vu/vu.ts";
import { mainTokens, networkOf } from "../workers/main_tokens.ts";

/** The steps of `setup` or `teardown`, made ready. */
export interface OnceSteps {
  /**
   * Carries them out, with the variables of `setup`.
   *
   * @param inPart some of those may be missing: steps that need them are left out
   */
  run(given?: GivenVariables, inPart?: boolean): Promise<OnceResult>;
  close(): void;
}

/** The record of `setup` or `teardown` in its run. */
export interface OnceRecord {
  readonly summary: OnceSummary;
  readonly trace?: Trace;
  /** How its responses fit the description of the API; absent without one. */
  readonly contract?: CountedContract;
}

/** The part of `setup` that `meta.json` has before the end of the run, which stores its trace. */
export function setupSoFar(
  setup: Pick<OnceRecord, "summary"> | undefined,
): { readonly setup?: OnceSummary } {
  if (!setup) return {};
  const { trace_id: _, ...summary } = setup.summary;
  return { setup: summary };
}

/** The steps of `setup` or `teardown`, carried out. */
interface OnceResult {
  /** The variables they extracted. */
  readonly given: GivenVariables;
  readonly summary: OnceSummary;
  readonly contract?: CountedContract;
  /** @param startedAt when the run began, on its clock in milliseconds */
  trace(startedAt: number): Trace;
}

interface OnceTools {
  readonly clock: Clock;
  readonly chance: () => number;
  readonly stop: Stop;
  readonly secrets: Secrets;
  readonly locate: Locate;
  readonly rate?: SharedArrayBuffer | undefined;
  readonly knownTokens: KnownTokens;
}

/**
 * Compiles the steps of a list for the one VU that carries them out; undefined
 * without such a list, and on a shard that does not lead the run.
 *
 * @throws {StepError} naming the step that cannot be made ready
 */
export async function openOnce(
  list: OnceList,
  task: RunTask,
  { clock, chance, stop: ofRun, secrets, locate, knownTokens, rate }: OnceTools,
): Promise<OnceSteps | undefined> {
  const { flows, plan } = task;
  if (!flows.some(({ flow }) => flow[list]) || (plan.shard?.index ?? 0) > 0) {
    return undefined;
  }
  const stop = list === "setup" ? ofRun : afterRun(ofRun);
  const network = networkOf(task, clock);
  const memory = sharedMemory(rate);
  const registerSecret = (value: string) => secrets.register(value);
  const tools = { clock, stop, registerSecret, knownTokens };
  const main = mainTokens(task, memory, tools, network);
  const once = list === "setup" ? flows : flows.map(withoutAborts);
  const job = { network, registerSecret, tokens: main.tokens };
  const open = await openJob({ ...job, task: { ...task, flows: once } }, list);
  const ids = randomIdWords(chance);
  const steps = open.flows.flatMap((each) => each.steps.map(tracedStep));
  return {
    close: () => main.close(),
    async run(given, inPart = false) {
      const sink = new RequestCount();
      const limiter = maxRpsLimiter(plan, memory, clock, sink, clock.now());
      const connections = new HttpConnections(network, task.http);
      const vu = new VirtualUser(0, connections, network, {
        clock,
        stop,
        sink,
        limiter,
        sizes: open.sizes,
        given: given?.values,
        traceparent: task.traceparent ? ids : undefined,
      });
      const { whole, values } = await carryOut(list, open.flows, vu, stop);
      const result = inPart ? withoutUnresolved(whole) : whole;
      await keepSecrets(result, secrets);
      const failures = redact(allFailures(result, steps), secrets)
        .map((each) => failureGroup(each, locate));
      const trace_id = traceId(ids, 0);
      const first = stepsBefore(list, flows);
      const contract = contractOfOnce(result, first, trace_id);
      return {
        given: { values, secrets: result.secrets ?? [] },
        summary: {
          ...summaryOf(result, steps),
          failures,
          requests: sink.requests,
          trace_id,
        },
        ...(contract && { contract: redact(contract, secrets) }),
        trace: (startedAt) => ({
          ...traced(result, steps, startedAt, ids),
          once: list,
        }),
      };
    },
  };
}

/** The values of a result, as secrets of the run: a message is left open after redaction. */
async function keepSecrets(
  result: IterationResult,
  secrets: Secrets,
): Promise<void> {
  for (const each of result.secrets ?? []) secrets.register(each);
  if (secrets.size > 0) await Secrets.prepare();
}

/** How many steps of the run come before those of a list, as its contract names them. */
function stepsBefore(list: OnceList, flows: RunTask["flows"]): number {
  const lists = ["steps", ...ONCE] as const;
  const before = lists.slice(0, lists.indexOf(list));
  return sum(flows, ({ flow }) => placedSteps(flow, before).length);
}

async function carryOut(
  list: OnceList,
  flows: readonly OpenFlow[],
  vu: VirtualUser,
  stop: Stop,
): Promise<{ whole: IterationResult; values: unknown[] }> {
  const cut = () => void vu.close();
  stop.signal.addEventListener("abort", cut, { once: true });
  const results: IterationResult[] = [];
  const values: unknown[] = [];
  try {
    for (const flow of flows) {
      const goesOn = list === "teardown" ||
        results.every((each) => outcomeOf(each) === "passed");
      if (flow.steps.length === 0 || !goesOn) vu.reset(flow);
      else {
        const once = { iteration: 0, flow, rows: [] };
        results.push(await new IterationRun(vu, stop).run(once));
      }
      values.push(...vu.scope.variables.slice(0, flow.sizes.given));
    }
    return { whole: together(results), values };
  } finally {
    stop.signal.removeEventListener("abort", cut);
    await vu.close();
  }
}

/** The results of several flows as one. */
function together(results: readonly IterationResult[]): IterationResult {
  const secrets = results.flatMap((each) => each.secrets ?? []);
  return {
    ...results[0]!,
    endedAt: results.at(-1)!.endedAt,
    failed: results.some((each) => each.failed),
    throttled: results.some((each) => each.throttled),
    interrupted: results.some((each) => each.interrupted),
    steps: results.flatMap((each) => each.steps),
    ...(secrets.length > 0 && { secrets }),
  };
}

function summaryOf(
  result: IterationResult,
  steps: readonly TracedStep[],
): Pick<OnceSummary, "outcome" | "duration_ms" | "steps"> {
  const lasted = (from: number, to: number) => toThousandths(to - from);
  return {
    outcome: result.interrupted ? "interrupted" : outcomeOf(result),
    duration_ms: lasted(result.startedAt, result.endedAt),
    steps: steps.map(({ id, kind }, index) => {
      const step = result.steps.find((each) => each.step === index);
      return {
        id,
        kind,
        outcome: step?.outcome ?? null,
        duration_ms: step ? lasted(step.startedAt, step.endedAt) : 0,
      };
    }),
  };
}

/** A run that was stopped still has its teardown, until it is to be left out. */
function afterRun({ leaving }: Stop): Stop {
  const own = new Stop();
  const leave = () => own.hard("interrupted", "");
  leaving.addEventListener("abort", leave, { once: true });
  return own;
}

/** Each step of a teardown is carried out, whatever became of those before it. */
function withoutAborts(each: RunTask["flows"][number]): typeof each {
  const { flow } = each;
  const teardown = placedSteps(flow, ["teardown"])
    .map(({ step }) => ({ ...step, on_failure: "record" as const }));
  return { ...each, flow: { ...flow, teardown } };
}

/** A setup that did not pass leaves its teardown without some variables. */
function withoutUnresolved(result: IterationResult): IterationResult {
  const steps = result.steps.filter((each) =>
    each.failure?.code !== "resolution"
  );
  const failed = steps.some(({ isError }) => isError);
  return { ...result, steps, failed };
}

/** Setup comes before the moment that the times of a run count from. */
function traced(
  result: IterationResult,
  steps: readonly TracedStep[],
  startedAt: number,
  ids: IdWords,
): Trace {
  const trace = buildTrace(result, steps, startedAt, ids);
  const before = Math.max(0, startedAt - result.startedAt);
  const shift = Math.round(before * 1_000);
  if (shift === 0) return trace;
  const earlier = <Timed extends { readonly start_us: number }>(
    each: Timed,
  ) => ({
    ...each,
    start_us: each.start_us - shift,
  });
  return { ...earlier(trace), spans: trace.spans.map(earlier) };
}

/** Counts the requests that were sent, and keeps every response for the trace. */
class RequestCount implements Sink {
  requests = 0;

  started(): boolean {
    return true;
  }

  sample(
    ...[, , , , , sent]: Parameters<Sink["sample"]>
  ): void {
    if (sent > 0) this.requests++;
  }

  latency(): void {}
  unsent(): void {}
  bytes(...[, , , , requests]: Parameters<Sink["bytes"]>): void {
    this.requests += requests;
  }
  iteration(): void {}
  held(): void {}
  late(): void {}
  paused(): void {}
}
