/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): delta-seconds or an HTTP date.
 *
 * @param nowMs milliseconds since the epoch
 * @returns milliseconds to wait, never negative; undefined when it is absent or says neither
 */
export function retryAfter(
  value: string | undefined,
  nowMs: number,
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads far more than HTTP dates, such as "1.5" and "-1".
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
