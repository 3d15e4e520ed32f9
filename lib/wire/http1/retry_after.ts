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
  const at = httpDate(text, nowMs);
  return at === undefined ? undefined : Math.max(0, at - nowMs);
}

const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const ZONE = " (?:GMT|UTC)";

/** The three forms of an HTTP date (RFC 9110 section 5.6.7), all of them UTC. */
const FORMS: readonly RegExp[] = [
  // IMF-fixdate
  `[a-z]{3}, (?<day>\\d\\d) (?<month>[a-z]{3}) (?<year>\\d{4}) ${TIME}${ZONE}`,
  // RFC 850
  `[a-z]{6,9}, (?<day>\\d\\d)-(?<month>[a-z]{3})-(?<year>\\d\\d) ${TIME}${ZONE}`,
  // asctime, which names no zone
  `[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})(?:${ZONE})?`,
].map((form) => new RegExp(`^${form}$`, "i"));

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds since the epoch; undefined when it is no HTTP date. */
function httpDate(text: string, nowMs: number): number | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (!parts) continue;
    const month = MONTHS.indexOf(parts["month"]!.toLowerCase());
    const numbers = [parts["day"], parts["hour"], parts["minute"]].map(Number);
    const [day = 0, hour = 0, minute = 0] = numbers;
    const written = Number(parts["year"]);
    const year = parts["year"]!.length === 2
      ? fullYear(written, nowMs)
      : written;
    if (month < 0) return undefined;
    return Date.UTC(year, month, day, hour, minute, Number(parts["second"]));
  }
  return undefined;
}

/** Two digits are never more than 50 years ahead (RFC 9110 section 5.6.7). */
function fullYear(digits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - thisYear % 100 + digits;
  return year > thisYear + 50 ? year - 100 : year;
}
