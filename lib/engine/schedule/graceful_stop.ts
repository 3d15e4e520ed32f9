import type { LoadRun } from "./load_run.ts";

/**
 * Lets iterations under way finish for the grace period, then cuts them off:
 * they are marked interrupted and count in no rate.
 */
export async function finishGracefully(
  run: LoadRun,
  loops: readonly Promise<void>[],
): Promise<void> {
  const { clock, stop } = run.tools;
  const done = Promise.all(loops);
  const grace = new AbortController();
  const timeout = clock.sleep(
    run.plan.graceMs,
    AbortSignal.any([grace.signal, stop.signal]),
  );
  await Promise.race([done, timeout]);
  grace.abort();
  stop.cut();
  await done;
}
