/// <reference lib="deno.worker" />
import { type RunTask, StepError } from "../vu/job.ts";
import { readShared } from "../data/table.ts";
import { Stop } from "../vu/stop.ts";
import { packTraces } from "../../results/traces/packed_traces.ts";
import { NO_TRACES, sampledTraces } from "../../results/traces/traces.ts";
import { systemClock } from "../../base/time/clock.ts";
import { PreciseClock } from "../../base/time/precise_clock.ts";
import type { Missed } from "../../results/record/snapshot.ts";
import { TokenKeeper } from "../../steps/auth/tokens.ts";
import { LocalWorkerPool } from "./local_worker_pool.ts";
import type { FromWorker, SentTask, ToWorker } from "./message.ts";
import { RemoteTokens } from "./remote_tokens.ts";

/*
 * One worker thread of a load run. It receives `prepare`, then
 * `run`; it reports its progress twice a second, and its recording at the end.
 */

/** A reader that looks once a second sees progress at most half a second old. */
const PROGRESS_MS = 500;
const clock = new PreciseClock(systemClock);
const post = (message: FromWorker) => self.postMessage(message);
const remote = new RemoteTokens(post);

let workers: LocalWorkerPool | undefined;
let tokens: TokenKeeper | undefined;
let stop: Stop | undefined;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "prepare":
      return void guarded(() => prepare(data));
    case "run":
      return void guarded(() => run(data));
    case "cut":
      return stop?.cut();
    case "record":
      return void record(data.from);
    case "increment":
      return void increment(data.missed);
    case "token":
      return remote.settle(data);
    default:
      return data satisfies never;
  }
};

async function prepare(
  message: Extract<ToWorker, { type: "prepare" }>,
): Promise<void> {
  const { shard, memory } = message;
  const task = receivedTask(message.task);
  stop = new Stop(message.stop);
  stop.listen(({ reason, detail }) => post({ type: "stop", reason, detail }));
  tokens = new TokenKeeper(
    (request, old) => remote.obtain(request, old),
    clock,
  );
  workers = new LocalWorkerPool(task, {
    clock,
    stop,
    traces: sampledTraces(task.plan.seed, task.flows),
    registerSecret: (value) => post({ type: "secret", value }),
    tokens,
    shard,
    memory,
  });
  try {
    await workers.prepare();
    post({ type: "ready" });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const { pointer, message } = error;
    post({ type: "refused", pointer, message });
  }
}

function receivedTask(task: SentTask): RunTask {
  const fixtures = new Map(
    task.fixtures.entries().map(([pool, { columns, cells }]) => [
      pool,
      { columns, cells: readShared(cells) },
    ]),
  );
  return { ...task, fixtures };
}

async function run(
  { startsAt, given }: Extract<ToWorker, { type: "run" }>,
): Promise<void> {
  const end = new AbortController();
  const reporting = (async () => {
    for (;;) {
      await clock.sleep(PROGRESS_MS, end.signal);
      if (end.signal.aborted) return;
      for (const progress of workers!.progress()) {
        post({ type: "progress", progress });
      }
    }
  })();
  try {
    // The threads share the wall clock; each measures with its own.
    const startedAt = clock.now() + (startsAt - clock.wall());
    await workers!.start(given);
    const [report] = await workers!.run(startedAt);
    const { snapshot } = report!;
    post({
      type: "done",
      report: { ...report!, snapshot: { ...snapshot, traces: NO_TRACES } },
      traces: packTraces(snapshot.traces),
    });
  } finally {
    end.abort();
    await reporting;
    tokens!.close();
    await workers!.close();
  }
}

async function record(from: number): Promise<void> {
  const [part] = await workers!.recorded(from);
  if (part) post({ type: "recorded", part });
}

/** Without one where the run has not begun. */
async function increment(missed: Missed): Promise<void> {
  const [increment] = await workers!.increments(missed);
  post({ type: "increment", ...(increment && { increment }) });
}

/** An error must reach the main thread, not only this thread's console. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    post({ type: "broken", message: (error as Error).stack ?? String(error) });
  }
}
