import { collectGarbage } from "../../base/process/garbage.ts";
import type { Clock } from "../../base/time/clock.ts";
import { parseQuery } from "../../language/json_path/path_reader.ts";
import type { Selector } from "../../language/json_path/syntax.ts";
import { constant } from "../../model/course.ts";
import type { IterationCounts } from "../../model/result/totals.ts";
import { GeneratorRecorder } from "../../results/record/generator.ts";
import { LiveRecording } from "../../results/record/live_recording.ts";
import { Recorder } from "../../results/record/recorder.ts";
import { countedMeta } from "../../results/report/counted.ts";
import { sampledTraces } from "../../results/traces/traces.ts";
import {
  LONGEST_SLEEP_MS,
  RehearsalNetwork,
} from "../../wire/rehearsal/network.ts";
import { AllowList } from "../../wire/net/url.ts";
import type { TokenSource } from "../../steps/auth/scheme.ts";
import type { Fixture } from "../data/table.ts";
import { wholeRunMemory } from "../limiter/limiter.ts";
import { rehearsalMs, type RunPlan } from "../plan/plan.ts";
import { WHOLE } from "../plan/shard.ts";
import { runThread } from "../schedule/thread.ts";
import { tracedStep } from "../vu/compiled_step.ts";
import { type OpenJob, openJob, type RunTask } from "../vu/job.ts";
import { Stop } from "../vu/stop.ts";

const VUS = 20;
/** More than any thread serves: the open executor is never idle. */
const RATE = 20_000;
/** How often it is asked whether requests still become faster, in milliseconds. */
const LOOK_MS = 40;

/** The end of a rehearsal. */
interface Rehearsal {
  readonly iterations: IterationCounts;
  /**
   * Its flow and its VUs. Optimized code refers weakly to functions and layouts of
   * objects; V8 gives it up when they are gone. To be kept until the run has its own.
   */
  readonly kept: unknown;
}

/**
 * Carries out the steps of a load run on this thread against a server in memory,
 * until requests do not become faster any more, so that the compiler has seen the
 * code before the first response is measured with it. Nothing of it reaches the
 * target, the run's variables, pools and limits, or its figures: it compiles the
 * flow once more, and records for itself.
 *
 * @param stop of the run: it ends a rehearsal too
 * @returns what it did; undefined where the run has none
 */
export async function rehearse(
  task: RunTask,
  fixtures: ReadonlyMap<string, Fixture>,
  clock: Clock,
  stop: Stop,
): Promise<Rehearsal | undefined> {
  const limitMs = rehearsalMs(task.plan);
  if (limitMs === 0) return;
  const startedAt = clock.now();
  const plan = rehearsalPlan(task.plan);
  const { contract: _unchecked, ...rest } = task;
  const part: RunTask = { ...rest, plan, flows: task.flows.map(everDrawn) };
  const network = new RehearsalNetwork({
    allowList: new AllowList(task.bases),
    tls: task.tls,
    clock,
  }, new TextEncoder().encode(JSON.stringify(expectedBody(task))));
  try {
    const job = {
      ...{ task: part, network, tokens: TOKENS },
      registerSecret() {},
    };
    const open = await openJob(job);
    const recorder = recorderOf(part, open, startedAt);
    const running = runThread({
      ...{ job, open, fixtures, startedAt, stop: new Stop(), sink: recorder },
      shard: WHOLE,
      memory: wholeRunMemory(plan),
      generator: new GeneratorRecorder(startedAt),
      given: Array.from({ length: givenBy(open) }, () => ANYTHING),
    });
    const level = untilLevel(recorder, clock, stop, limitMs);
    await Promise.race([running, level]);
    network.freeze();
    await clock.sleep(LONGEST_SLEEP_MS + 1);
    const { iterations } = recorder.progress(clock.now());
    await report(recorder, part, clock.now());
    return { iterations, kept: [job, open] };
  } finally {
    network.freeze();
    // What compiling left behind would be collected in the midst of the run.
    collectGarbage();
  }
}

/** The flow with pools that are never exhausted. */
function everDrawn<Each extends RunTask["flows"][number]>(each: Each): Each {
  const { pools } = each.flow;
  if (!pools) return each;
  const cycling = pools.map((pool) => ({
    ...pool,
    on_exhausted: "cycle" as const,
  }));
  return { ...each, flow: { ...each.flow, pools: cycling } };
}

/** Stands for whatever is not known before the run. */
const ANYTHING = "1";

const TOKENS: TokenSource = {
  current: () => ANYTHING,
  fetch: () => Promise.resolve(ANYTHING),
  refused() {},
};

/** Without an end: at that, iterations are aborted. */
function rehearsalPlan(plan: RunPlan): RunPlan {
  const { mode, executor, seed, turns, arrivals, requestTimeoutMs } = plan;
  return {
    ...{ mode, executor, seed, requestTimeoutMs, endMs: Infinity },
    ...(turns && { turns }),
    ...(arrivals && { arrivals }),
    ...(executor === "open" && { rate: constant(RATE) }),
    peakVus: Math.min(plan.peakVus, VUS),
    graceMs: 0,
  };
}

function givenBy({ flows }: OpenJob): number {
  return Math.max(
    ...flows.map(({ givenFrom, sizes: { given } }) => givenFrom + given),
  );
}

function recorderOf(
  { plan, ids, flows }: RunTask,
  open: OpenJob,
  start: number,
): Recorder {
  return new Recorder({
    ...{ start, ids, warmUpMs: 0, rows: false },
    steps: open.flows.flatMap(({ steps }) => steps.map(tracedStep)),
    traces: sampledTraces(plan.seed, flows),
    rowName: () => undefined,
    valueNames: flows.map(({ flow: { values = [] } }) =>
      values.map(({ name }) => name)
    ),
  });
}

/** Resolves when requests have stopped becoming faster, or time is up. */
async function untilLevel(
  recorder: Recorder,
  clock: Clock,
  stop: Stop,
  limitMs: number,
): Promise<void> {
  const from = clock.now();
  const rates: number[] = [];
  let [at, count] = [from, 0];
  while (clock.now() - from < limitMs && !stop.requested) {
    await clock.sleep(LOOK_MS, stop.signal);
    const now = clock.now();
    // Not iterations: of long ones there may be two in that time, or three.
    const { requests } = recorder.progress(now);
    // Where others have the cores a look may see none, which is not level.
    if (requests === count) continue;
    rates.push((requests - count) / (now - at));
    [at, count] = [now, requests];
    if (isLevel(rates)) return;
  }
}

/** The last rate is no better than the two before it, after some that count for nothing. */
function isLevel(rates: readonly number[]): boolean {
  if (rates.length < 5) return false;
  const [before, between, last] = rates.slice(-3) as [number, number, number];
  return last <= 1.05 * Math.max(before, between);
}

/** The once-a-second work of a run with its recording: a rehearsal of that too. */
async function report(
  recorder: Recorder,
  { flows, plan: { mode } }: RunTask,
  now: number,
): Promise<void> {
  const steps = flows.flatMap(({ flow }) => flow.steps);
  const ids = steps.map(({ id }) => id);
  const live = new LiveRecording();
  // Histograms are due with the second call.
  for (let call = 0; call < 2; call++) {
    live.add([recorder.increment(now, live.missed(true))]);
    const totals = live.totals();
    if (totals) countedMeta({ mode, steps }, totals, () => undefined);
    const histograms = await live.histograms(ids);
    if (histograms) JSON.stringify([...histograms.steps, histograms.overall]);
  }
}

/** A list that a path asks for is no longer. */
const MOST_ITEMS = 100;

type Tree = { [key: string | number]: unknown };

/**
 * A JSON value in which the steps find what they look for, as far as that is
 * written: values that paths are compared with, and anything at those that are
 * extracted.
 */
function expectedBody({ flows }: Pick<RunTask, "flows">): unknown {
  const root: Tree = newTree();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const { subject, op, from, path } = value as Tree;
    if (op === "==" && typeof subject === "object") {
      put(root, (subject as Tree)["path"], (value as Tree)["value"]);
    } else if (from === "body") put(root, path, ANYTHING);
    else Object.values(value).forEach(visit);
  };
  for (const { flow } of flows) visit(flow.steps);
  return root["$"] ?? newTree();
}

/** Sets the value at a singular path, where no other is. */
function put(root: Tree, path: unknown, value: unknown): void {
  if (typeof path !== "string") return;
  const { segments, singular } = parseQuery(path);
  if (!singular) return;
  const keys = [
    "$",
    ...segments.map(({ selectors: [first] }) => keyOf(first!)),
  ];
  if (keys.some((key) => typeof key === "number" && !isItem(key))) return;
  let at = root;
  for (const [index, key] of keys.entries()) {
    const next = keys[index + 1];
    if (next === undefined) at[key] ??= value;
    else at[key] ??= typeof next === "number" ? [] : newTree();
    const inner = at[key];
    if (typeof inner !== "object" || inner === null) return;
    at = inner as Tree;
  }
}

/** Without a prototype, so that any name is a name. */
function newTree(): Tree {
  return Object.create(null);
}

function keyOf(selector: Selector): string | number {
  if (selector.kind === "name") return selector.name;
  return selector.kind === "index" ? selector.index : -1;
}

function isItem(index: number): boolean {
  return index >= 0 && index < MOST_ITEMS;
}
