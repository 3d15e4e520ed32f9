import type { GeneratorRecorder } from "../../results/record/generator.ts";
import { coreWaitMs } from "../../results/samples/proc_text.ts";
import type { Clock } from "../../base/time/clock.ts";

/**
 * How often the event loop is measured, in milliseconds. Often enough that one
 * hiccup is less than 1 % of a run of a few seconds.
 */
const EVERY_MS = 20;
/** How often the time this thread waited for a core is read. */
const TURNS_TO_A_READING = 10;

/**
 * Watches how late timers fire on this thread: a busy event loop delays
 * everything the generator does. The runtime's own monitor does not see it.
 * Also how long the thread waits for a core, which delays it as much.
 *
 * @returns stops watching
 */
export function watchLoop(
  clock: Clock,
  recorder: GeneratorRecorder,
): () => Promise<void> {
  const end = new AbortController();
  let waited = coreWaitMs();
  const readWait = () => {
    const now = coreWaitMs();
    if (now !== undefined && waited !== undefined) {
      recorder.waitedForCore(now - waited);
    }
    waited = now;
  };
  const watching = (async () => {
    for (let turn = 1; !end.signal.aborted; turn++) {
      const before = clock.now();
      await clock.sleep(EVERY_MS, end.signal);
      if (end.signal.aborted) return;
      const now = clock.now();
      const late = Math.max(0, now - before - EVERY_MS);
      recorder.loopLag(late, now, EVERY_MS);
      if (turn % TURNS_TO_A_READING === 0) readWait();
    }
  })();
  return () => {
    end.abort();
    return watching;
  };
}
