import type { GeneratorRecorder } from "../../results/record/generator.ts";
import type { Clock } from "../../base/time/clock.ts";

/**
 * How often the event loop is asked how it is, in milliseconds. Often enough
 * for one hiccup to be no 1 % of a run of a few seconds.
 */
const EVERY_MS = 20;

/**
 * Watches how late timers fire on this thread: a busy event loop delays
 * everything the generator does. The runtime's own monitor sees nothing of it.
 *
 * @returns ends the watching
 */
export function watchLoop(
  clock: Clock,
  recorder: GeneratorRecorder,
): () => Promise<void> {
  const end = new AbortController();
  const watching = (async () => {
    while (!end.signal.aborted) {
      const before = clock.now();
      await clock.sleep(EVERY_MS, end.signal);
      if (end.signal.aborted) return;
      const now = clock.now();
      const late = Math.max(0, now - before - EVERY_MS);
      recorder.loopLag(late, now, EVERY_MS);
    }
  })();
  return () => {
    end.abort();
    return watching;
  };
}
