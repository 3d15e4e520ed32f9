/// <reference lib="deno.worker" />
import { tableFixture } from "../data/table.ts";
import { StepError } from "../vu/job.ts";
import { Stop } from "../vu/stop.ts";
import { lotOf, SampledTraces } from "../../results/traces/traces.ts";
import { systemClock } from "../../base/time/clock.ts";
import { TokenKeeper } from "../../steps/auth/tokens.ts";
import { LocalCrew } from "./local_crew.ts";
import type { FromWorker, ToWorker } from "./message.ts";
import { RemoteTokens } from "./remote_tokens.ts";

/*
 * One worker thread of a load run. It is told to prepare, then to run; it says
 * how far it is twice a second, and hands over its recording at the end.
 */

/** Whoever asks once a second gets what is at most half of one old. */
const PROGRESS_MS = 500;
const clock = systemClock;
const post = (message: FromWorker) => self.postMessage(message);
const remote = new RemoteTokens(post);

let crew: LocalCrew | undefined;
let stop: Stop | undefined;
let startsAt = 0;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "prepare":
      return void guarded(() => prepare(data));
    case "run":
      startsAt = data.startsAt;
      return void guarded(run);
    case "cut":
      return stop?.cut();
    case "token":
      return remote.answer(data);
  }
};

async function prepare(
  message: Extract<ToWorker, { type: "prepare" }>,
): Promise<void> {
  const { task, shard, memory } = message;
  stop = new Stop(message.stop);
  crew = new LocalCrew(
    {
      ...task,
      fixtures: new Map(
        task.fixtures.map(([pool, { columns, cells }]) => [
          pool,
          tableFixture(columns, cells),
        ]),
      ),
    },
    {
      clock,
      stop,
      traces: new SampledTraces(lotOf(task.plan.seed)),
      registerSecret: (value) => post({ type: "secret", value }),
      tokens: new TokenKeeper(
        (request, old) => remote.obtain(request, old),
        clock,
      ),
      shard,
      memory,
      // The threads share the wall clock; each measures with its own.
      startedAt: () => clock.now() + (startsAt - clock.wall()),
    },
  );
  try {
    await crew.prepare();
    post({ type: "ready" });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const { pointer, message } = error;
    post({ type: "refused", pointer, message });
  }
}

async function run(): Promise<void> {
  const end = new AbortController();
  const telling = (async () => {
    for (;;) {
      await clock.sleep(PROGRESS_MS, end.signal);
      if (end.signal.aborted) return;
      for (const progress of crew!.progress()) {
        post({ type: "progress", progress });
      }
    }
  })();
  try {
    const [report] = await crew!.run();
    post({ type: "done", report: report! });
  } finally {
    end.abort();
    await telling;
    crew!.close();
  }
}

/** A fault must reach the main thread, not only this thread's console. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    post({ type: "broken", message: (error as Error).stack ?? String(error) });
  }
}
