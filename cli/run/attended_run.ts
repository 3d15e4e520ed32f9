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
  let begun = false;
  const shown: Listener = {
    start() {
      begun = true;
    },
    ...!quiet && { second: ({ progress }) => view.update(progress) },
  };
  const stopping = new GracefulStop();
  const giveBack = onStopSignal((signal) => {
    if (!stopping.ask(signal)) return;
    view.end();
    if (announced.has(console)) return;
    announced.add(console);
    console.err(`${stopText(begun, prepared)}\n`);
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

/** @param begun no shard is waited for any more, and `setup` is done */
function stopText(
  begun: boolean,
  { flow: { teardown } }: Pick<PreparedRun, "flow">,
): string {
  if (!begun) return "stopping: no iteration begins; again to stop now";
  return `stopping: letting iterations under way finish${
    teardown ? ", then `teardown`" : ""
  }; again to stop now${teardown ? ", without it" : ""}`;
}
