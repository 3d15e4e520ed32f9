import { onStopSignal } from "../../lib/base/process/signals.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import type { Listener, RunOutcome } from "../../lib/run.ts";
import type { Console } from "../terminal/console.ts";
import { progressView } from "../terminal/progress.ts";
import { GracefulStop, type StartOptions, startRun } from "./start_run.ts";

export interface AttendedOptions extends StartOptions {
  readonly storeDir: string;
  readonly quiet?: boolean | undefined;
}

/** The figures of a run, and the signal that stopped it. */
interface AttendedOutcome extends RunOutcome<string> {
  readonly signal: StopSignal | undefined;
}

/** A signal stops all runs of a command, such as both sides of a duel: one of them says so. */
const announced = new WeakSet<Console>();

/**
 * A run that a person may watch and interrupt. The first signal ends it softly, so
 * that iterations under way may finish for a while; the second at once. Results are
 * written either way.
 */
export async function attendedRun(
  prepared: PreparedRun,
  { quiet, listeners = [], ...options }: AttendedOptions,
  console: Console,
): Promise<AttendedOutcome> {
  const view = progressView(console);
  let part: Part = "setup";
  const shown: Listener = {
    start() {
      part = "load";
    },
    tearDown() {
      part = "teardown";
    },
    ...!quiet && { second: ({ progress }) => view.update(progress) },
  };
  const stopping = new GracefulStop();
  const giveBack = onStopSignal((signal) => {
    if (!stopping.ask(signal)) return;
    view.end();
    if (announced.has(console)) return;
    announced.add(console);
    console.err(`${stopText(part, prepared)}\n`);
  });
  try {
    const outcome = await startRun(prepared, {
      ...options,
      stopping,
      listeners: [...listeners, shown],
    });
    return { ...outcome, signal: stopping.first };
  } finally {
    stopping.release();
    giveBack();
    view.end();
  }
}

/** The part of a run that is under way; shards are waited for in the first. */
type Part = "setup" | "load" | "teardown";

function stopText(
  part: Part,
  { flow: { teardown } }: Pick<PreparedRun, "flow">,
): string {
  if (part === "setup") {
    return "stopping: no iteration begins; again to stop now";
  }
  if (part === "teardown") {
    return "stopping: `teardown` goes on; again to stop now, without the rest of it";
  }
  return `stopping: letting iterations under way finish${
    teardown ? ", then `teardown`" : ""
  }; again to stop now${teardown ? ", without it" : ""}`;
}
