import { parseDuration, PERIOD_PATTERN } from "./duration.ts";

/** So many events in so many microseconds, in lowest terms. */
export type Rate = Readonly<Record<"count" | "per_us", number>>;

/** A rate as a regular expression, without ends. */
export const RATE_PATTERN = `(0*[1-9]\\d*)\\s*/\\s*(${PERIOD_PATTERN})`;

const FORM = new RegExp(`^${RATE_PATTERN}$`);

/**
 * Reads a rate: `N/s`, `N/m`, `N/h` or `N/<duration>`, such as `50/s` or
 * `1/250ms`. N is a whole number of at least 1.
 *
 * @throws {SyntaxError} when the text is not a rate
 */
export function parseRate(text: string): Rate {
  const match = FORM.exec(text.trim());
  if (!match) throw notARate(text);
  const count = Number(match[1]);
  const unit = match[2]!;
  let per: number;
  try {
    per = parseDuration(/^[a-z]+$/.test(unit) ? `1${unit}` : unit);
  } catch {
    throw notARate(text);
  }
  if (!Number.isSafeInteger(count) || count < 1 || per < 1) {
    throw notARate(text);
  }
  const divisor = greatestCommonDivisor(count, per);
  return { count: count / divisor, per_us: per / divisor };
}

export function perSecond(rate: Rate): number {
  return rate.count * 1_000_000 / rate.per_us;
}

function notARate(text: string): SyntaxError {
  return new SyntaxError(
    `"${text}" is not a rate: expected N/s, N/m, N/h or N/<duration>, such as 50/s`,
  );
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
