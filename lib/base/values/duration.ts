const UNITS: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
};

const UNIT = Object.keys(UNITS).join("|");

/** A duration as a regular expression, without ends. */
export const DURATION_PATTERN = `(\\d+)(?:\\.(\\d+))?(${UNIT})`;

/** A duration that is not 0. */
export const LONGER_THAN_0_PATTERN = `(?!0+(?:\\.0+)?[a-z])${DURATION_PATTERN}`;

/** One of a unit, or so many of it, which is not none. */
const PERIOD_PATTERN = `(?:${UNIT}|${LONGER_THAN_0_PATTERN})`;

const FORM = new RegExp(`^${DURATION_PATTERN}$`);

/**
 * Reads a duration: a decimal number and a unit (`us`, `ms`, `s`, `m`, `h`),
 * such as `500ms` or `1.5s`.
 *
 * @returns whole microseconds
 * @throws {SyntaxError} when the text is not a duration
 * @throws {RangeError} when it is negative, finer than a microsecond or too large
 */
export function parseDuration(text: string): number {
  const match = FORM.exec(text.trim());
  if (!match) {
    if (FORM.test(text.trim().replace(/^-/, ""))) {
      throw new RangeError(`"${text}" must not be negative`);
    }
    throw new SyntaxError(
      `"${text}" is not a duration: expected a number and a unit (${
        Object.keys(UNITS).join(", ")
      }), such as 500ms or 1.5s`,
    );
  }
  const [, whole, fraction = "", unit] = match;
  const scale = UNITS[unit!]!;
  const digits = BigInt(whole! + fraction) * BigInt(scale);
  const divisor = 10n ** BigInt(fraction.length);
  if (digits % divisor !== 0n) {
    throw new RangeError(`"${text}" is finer than one microsecond`);
  }
  const micros = Number(digits / divisor);
  if (!Number.isSafeInteger(micros)) {
    const most = Math.floor(Number.MAX_SAFE_INTEGER / UNITS.h!);
    throw new RangeError(`"${text}" is too long: expected at most ${most}h`);
  }
  return micros;
}

/** Units as people also write them. */
const SPELT: readonly (readonly [unit: string, words: RegExp])[] = [
  ["us", /^(us|usecs?|microseconds?)$/i],
  ["ms", /^(ms|msecs?|millis|milliseconds?)$/i],
  ["s", /^(s|secs?|seconds?)$/i],
  ["m", /^(m|mins?|minutes?)$/i],
  ["h", /^(h|hrs?|hours?)$/i],
];

/** Hours, minutes and seconds one after another, as Go writes them. */
const COMPOUND = /^(?:(\d+)h\s*)?(?:(\d+)m\s*)?(?:(\d+)s)?$/;

/** The duration most likely meant by a text that is not one. */
export function durationHint(text: string): string | undefined {
  if (FORM.test(text.trim())) return undefined;
  const [, hours = 0, minutes = 0, seconds] = COMPOUND.exec(text.trim()) ?? [];
  const inMinutes = Number(hours) * 60 + Number(minutes);
  if (inMinutes > 0) {
    return seconds === undefined
      ? `did you mean ${inMinutes}m?`
      : `did you mean ${inMinutes * 60 + Number(seconds)}s?`;
  }
  // Three digits behind a comma may be thousands.
  const match = /^(\d*)(?:[.,](\d+)(?<!,\d{3,}))?\s*([A-Za-z]*)$/.exec(
    text.trim(),
  );
  if (!match) return undefined;
  const [, whole = "", fraction, word = ""] = match;
  if (whole === "" && fraction === undefined) return undefined;
  const number = (whole || "0") +
    (fraction === undefined ? "" : `.${fraction}`);
  // In seconds it would be too long.
  if (Number(number) * 1_000_000 > Number.MAX_SAFE_INTEGER) return undefined;
  if (word === "") return `did you mean ${number}s or ${number}ms?`;
  if (/^(d|days?)$/i.test(word) && fraction === undefined) {
    return `did you mean ${BigInt(whole) * 24n}h?`;
  }
  const unit = SPELT.find(([, words]) => words.test(word))?.[0];
  const meant = unit && number + unit;
  return meant && `did you mean ${meant}?`;
}

/** Writes microseconds as a person would: three digits, a fitting unit. */
export function formatDuration(micros: number): string {
  const size = Math.abs(micros);
  if (size < 1_000) return `${trim(micros)}us`;
  if (size < 1_000_000) return `${trim(micros / 1_000)}ms`;
  if (size < 60_000_000) return `${trim(micros / 1_000_000)}s`;
  const seconds = Math.round(micros / 1_000_000);
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts.slice(first).filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit], index) =>
      index === 0
        ? `${count}${unit}`
        : `${String(count).padStart(2, "0")}${unit}`
    ).join("");
}

/**
 * `us` as text that `parseDuration` reads back to the same number, in the unit that a
 * person would write: `10.4ms`, `1.5s`, `90s`, `2m`.
 */
export function exactDuration(micros: number): string {
  for (const unit of ["h", "m"]) {
    if (micros !== 0 && micros % UNITS[unit]! === 0) {
      return `${micros / UNITS[unit]!}${unit}`;
    }
  }
  const unit = micros < UNITS.ms! ? "us" : micros < UNITS.s! ? "ms" : "s";
  // As digits: beyond 15 of them a division would lose the last.
  const places = Math.log10(UNITS[unit]!);
  const digits = String(micros);
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(whole.length).replace(/0+$/, "");
  return whole + (fraction && `.${fraction}`) + unit;
}

function trim(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}

/** So many events in so many microseconds, in lowest terms. */
export type Rate = Readonly<Record<"count" | "per_us", number>>;

/** A rate as a regular expression, without ends. */
export const RATE_PATTERN = `(0*[1-9]\\d*)\\s*/\\s*(${PERIOD_PATTERN})`;

/** No events at all, in whatever time. */
export const NO_RATE_PATTERN = `0+\\s*/\\s*(?:${PERIOD_PATTERN})`;

const RATE_FORM = new RegExp(`^${RATE_PATTERN}$`);

/**
 * Reads a rate: `N/s`, `N/m`, `N/h` or `N/<duration>`, such as `50/s` or
 * `1/250ms`. N is a whole number of at least 1.
 *
 * @throws {SyntaxError} when the text is not a rate
 */
export function parseRate(text: string): Rate {
  const match = RATE_FORM.exec(text.trim());
  if (!match) throw wholeRateOf(text) ?? notARate(text);
  const count = Number(match[1]);
  const unit = match[2]!;
  let per: number;
  try {
    per = parseDuration(/^[a-z]+$/.test(unit) ? `1${unit}` : unit);
  } catch {
    throw notARate(text);
  }
  // More than one a microsecond: slots that wait are kept one by one.
  if (count > per) {
    throw new SyntaxError(
      `"${text}" is too high a rate: expected at most 1000000/s`,
    );
  }
  const divisor = greatestCommonDivisor(count, per);
  return { count: count / divisor, per_us: per / divisor };
}

const RATE_UNITS = { s: 1e6, m: 60e6, h: 3_600e6 } as const;

/** `rate` as text that `parseRate` reads: `50/s`, `90/m`, `1/7s`. */
export function formatRate({ count, per_us }: Rate): string {
  for (const [unit, us] of Object.entries(RATE_UNITS)) {
    const whole = count * us / per_us;
    if (Number.isInteger(whole)) return `${whole}/${unit}`;
  }
  return `${count}/${exactDuration(per_us)}`;
}

export function perSecond(rate: Rate): number {
  return rate.count * 1_000_000 / rate.per_us;
}

const NO_RATE = new RegExp(`^${NO_RATE_PATTERN}$`);
/** Six digits are as fine as the microseconds of a period. */
const DECIMAL_RATE = /^(\d{1,6})\.(\d{1,6})\s*\/\s*([smh])$/;

/** The error of a rate of 0, and of one in decimals, which names the whole numbers for it. */
function wholeRateOf(text: string): SyntaxError | undefined {
  const trimmed = text.trim();
  const [, whole = "", digits = "", unit = ""] = DECIMAL_RATE.exec(trimmed) ??
    [];
  const count = Number(whole + digits);
  if (NO_RATE.test(trimmed)) {
    return new SyntaxError(`"${text}" must be greater than 0`);
  }
  if (count === 0) return undefined;
  const per = RATE_UNITS[unit as keyof typeof RATE_UNITS] * 10 ** digits.length;
  const divisor = greatestCommonDivisor(count, per);
  const same = formatRate({ count: count / divisor, per_us: per / divisor });
  return new SyntaxError(
    `"${text}" must have a whole number before the slash: write ${same}`,
  );
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
