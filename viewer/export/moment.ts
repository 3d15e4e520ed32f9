/**
 * A moment of a run in UTC, to the millisecond: `2026-11-20T18:02:11.123Z`.
 *
 * @param startedAt the run's start, milliseconds since the epoch
 * @param us microseconds since then
 */
export function momentAt(startedAt: number, us: number): string {
  return new Date(startedAt + us / 1_000).toISOString();
}
