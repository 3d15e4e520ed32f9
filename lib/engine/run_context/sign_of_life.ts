import { StoreError } from "../../results/store/layout.ts";
import type { ReadyRun } from "./run_context.ts";

/** A third of the time after which readers take a silent run for one that was killed. */
const EVERY_MS = 5_000;

/**
 * Does a part of a run that may take long and in which nothing else is written, such
 * as `setup`, and says meanwhile that the run goes on.
 */
export async function whileAlive<T>(
  { writer, options: { clock } }: Pick<ReadyRun, "writer" | "options">,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const living = (async () => {
    for (;;) {
      await clock.sleep(EVERY_MS, over.signal);
      if (over.signal.aborted) return;
      try {
        await writer.heartbeat(clock.wall());
      } catch (error) {
        // What is written next says so.
        if (!(error instanceof StoreError)) throw error;
      }
    }
  })();
  try {
    return await work();
  } finally {
    over.abort();
    await living;
  }
}
