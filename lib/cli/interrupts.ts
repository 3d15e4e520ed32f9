import type { Stop } from "../run.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
type Signal = (typeof SIGNALS)[number];

/** Signals of this run, for the exit code. */
export interface Interrupts {
  /** The first signal that came; undefined when none did. */
  readonly first: Signal | undefined;
  /** Gives the signals back to the system. */
  release(): void;
}

/**
 * Turns signals into stops: the first ends the run softly, so that iterations
 * under way may finish; the second at once. Results are written either way.
 *
 * @param say tells the person what is happening
 */
export function watchInterrupts(
  stop: Stop,
  say: (text: string) => void,
): Interrupts {
  let first: Signal | undefined;
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      if (first === undefined) {
        first = signal;
        stop.soft("interrupted", signal);
        say(
          "stopping: letting iterations under way finish; again to stop now\n",
        );
      } else {
        stop.hard("interrupted", signal);
      }
    };
    Deno.addSignalListener(signal, handler);
    return () => Deno.removeSignalListener(signal, handler);
  });
  return {
    get first() {
      return first;
    },
    release: () => handlers.forEach((each) => each()),
  };
}
