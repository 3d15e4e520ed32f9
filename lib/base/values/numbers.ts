/** A number of JSON; a bigint is an integer whose digits a double does not hold. */
export type JsonNumber = number | bigint;

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === "number" || typeof value === "bigint";
}

/** An integer with more digits than this is read as `JSON.parse` reads it. */
const MOST_DIGITS = 10_000;

/** The value of a JSON number: beyond 2^53 an integer is a bigint. */
export function readNumber(text: string): JsonNumber {
  const value = Number(text);
  return Number.isSafeInteger(value) || text.length > MOST_DIGITS ||
      !/^-?\d+$/.test(text)
    ? value
    : BigInt(text);
}

/**
 * Whether canonical JSON (RFC 8785), which carries doubles, has all digits of a
 * number: of an integer every one, of a decimal the 17 that distinguish doubles.
 */
export function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value) || (value === 0 && /^[^eE]*[1-9]/.test(text))) {
    return false;
  }
  // 1e20 is written as 21 digits: what comes back unchanged is exact.
  if (/^-?\d{16,}$/.test(text)) return String(value) === text;
  const [digits = ""] = text.split(/[eE]/);
  const significant = digits.replace(/[-+.]/g, "").replace(/^0+|0+$/g, "");
  return significant.length <= 17;
}

/** Below 0, 0 or above 0, as `a` is less than, equal to or greater than `b`. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  return typeof a === typeof b ? sign(a, b) : sign(whole(a), whole(b));
}

function sign(a: JsonNumber, b: JsonNumber): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * A double beyond 2^53 as the integer it is written as: 1e23 is 10^23 in JSON,
 * though the double next to that is 8388608 less.
 */
function whole(value: JsonNumber): JsonNumber {
  if (typeof value === "bigint" || !Number.isInteger(value)) return value;
  if (Number.isSafeInteger(value)) return value;
  const [, digits = "", fraction = "", exponent = "0"] =
    /^(-?\d+)(?:\.(\d+))?(?:e\+(\d+))?$/.exec(String(value))!;
  return BigInt(digits + fraction.padEnd(Number(exponent), "0"));
}

/** No more than three decimals: milliseconds to the microsecond. */
export function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

// What JSON.stringify, and with it every writer of JSON, makes of a bigint. The
// compiler's library does not have `rawJSON` yet (ECMAScript proposal "JSON.parse
// source text access").
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
Object.defineProperty(BigInt.prototype, "toJSON", {
  value(this: bigint) {
    return rawJSON(this.toString());
  },
  configurable: true,
  writable: true,
});
