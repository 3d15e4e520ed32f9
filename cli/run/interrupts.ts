import type { Stop } from "../../lib/run.ts";
import type { Clock } from "../../lib/base/time/clock.ts";
import { onStopSignal } from "../../lib/base/process/stop_signals.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { GracefulStop } from "./graceful_stop.ts";

/** Signals of this run, for the exit code. */
interface Interrupts {
  /** The first signal that came; undefined when none did. */
  readonly first: StopSignal | undefined;
  /** Gives the signals back to the system. */
  release(): void;
}

/** What watching for signals needs. */
interface InterruptTools {
  readonly stop: Stop;
  readonly clock: Clock;
  /** How long iterations under way may go on after the first signal. */
  readonly graceMs: number;
  /** Tells the person what is happening. */
  readonly say: (text: string) => void;
}

/**
 * Turns signals into stops: the first ends the run softly, so that iterations
 * under way may finish for a while; the second at once. Results are written
 * either way.
 */
export function watchInterrupts(
  { stop, clock, graceMs, say }: InterruptTools,
): Interrupts {
  const stopping = new GracefulStop(stop, clock, graceMs);
  const giveBack = onStopSignal((signal) => {
    if (!stopping.ask(signal)) return;
    say("stopping: letting iterations under way finish; again to stop now\n");
  });
  return {
    get first() {
      return stopping.first;
    },
    release() {
      stopping.release();
      giveBack();
    },
  };
}
