import type { RunDirectory } from "./run_directory.ts";

/**
 * Requests a second that an open-loop run offers whatever the target does, read
 * from its flow; undefined for every other run.
 */
export async function offeredRate(
  run: RunDirectory,
): Promise<number | undefined> {
  const { value } = await run.flow();
  try {
    const { count, per_us } = JSON.parse(value ?? "").profile.arrival;
    const rate = count / per_us * 1_000_000;
    return Number.isFinite(rate) && rate > 0 ? rate : undefined;
  } catch {
    return;
  }
}
