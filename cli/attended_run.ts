import type { PreparedRun } from "../lib/compile.ts";
import { GRACE_MS } from "../lib/engine/plan/grace.ts";
import { runFlow, type RunOptions, type RunOutcome, Stop } from "../lib/run.ts";
import { systemClock } from "../lib/base/time/clock.ts";
import { systemChance } from "../lib/base/time/random.ts";
import type { Console } from "./console.ts";
import { watchInterrupts } from "./interrupts.ts";
import { progressView } from "./progress.ts";
import { systemWorld } from "./world.ts";

/** What differs from command to command. */
export interface AttendedOptions
  extends Pick<RunOptions, "seed" | "storeDir" | "tls" | "notes"> {
  /** One per core, when absent. */
  readonly workers?: number;
  readonly quiet?: boolean;
}

/** A run that a person may watch and interrupt. */
export async function attendedRun(
  prepared: PreparedRun,
  options: AttendedOptions,
  console: Console,
): Promise<RunOutcome> {
  const stop = new Stop();
  const agentToken = agentTokenFor(prepared);
  const view = progressView(console);
  const interrupts = watchInterrupts({
    stop,
    clock: systemClock,
    graceMs: GRACE_MS,
    say(text) {
      view.end();
      console.err(text);
    },
  });
  try {
    return await runFlow(prepared, {
      seed: options.seed,
      storeDir: options.storeDir,
      tls: options.tls,
      notes: options.notes,
      workers: options.workers ?? navigator.hardwareConcurrency,
      clock: systemClock,
      chance: systemChance,
      stop,
      signal: () => interrupts.first,
      ...(agentToken !== undefined && { agentToken }),
      onProgress: options.quiet
        ? () => {}
        : (progress) => view.update(progress),
    });
  } finally {
    interrupts.release();
    view.end();
  }
}

/** Read only where it will be sent: it becomes a secret of the run. */
function agentTokenFor({ target }: PreparedRun): string | undefined {
  return target.agent_addr === undefined
    ? undefined
    : systemWorld.env("BENCH_AGENT_TOKEN") || undefined;
}
