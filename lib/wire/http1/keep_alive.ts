/** An idle time that no server announces a shorter one than: nothing has to be read. */
export const SHORTEST_IDLE_MS = 500;

/** What a request may take to get there, and timers to be late, at the least. */
const LEAST_MARGIN_MS = 100;

/**
 * How long a connection may have been idle and still be used, by the
 * `Keep-Alive` field of the last response (`timeout=5`, in seconds; RFC 2068
 * section 19.7.1.1). A tenth of the time is left to the request's way, so that
 * it does not meet the close.
 *
 * @returns milliseconds; Infinity when the field says nothing
 */
export function idleLimit(field: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])timeout\s*=\s*"?(\d+)/i.exec(field ?? "") ??
    [];
  if (seconds === undefined) return Infinity;
  const announced = Number(seconds) * 1_000;
  return announced - Math.max(LEAST_MARGIN_MS, announced / 10);
}
