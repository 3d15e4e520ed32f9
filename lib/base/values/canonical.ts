import type { JsonValue } from "./json.ts";
import { WorkLimitError } from "./work.ts";
import { writeJson } from "./write_json.ts";

/**
 * The RFC 8785 form of `value`: sorted keys, ECMAScript numbers, no white
 * space. Equal values give equal text.
 *
 * @param limit of the text's length, for what came from a target
 * @throws {Error} for NaN, infinities and lone surrogates, which JSON cannot say
 * @throws {WorkLimitError} beyond the limit
 */
export function canonical(value: JsonValue, limit = Infinity): string {
  if (typeof value !== "object") return strictLeaf(value);
  const { text, whole } = writeJson(value, strictLeaf, limit);
  if (whole) return text;
  throw new WorkLimitError(`it is longer than ${limit} characters as JSON`);
}

/** Characters that a person is shown at most; more is not read. */
const MOST_READ = 16_384;

/**
 * `value` for a person: as in its canonical form, and for what has none, such as a
 * number too large for a double, as near to it as can be. A long one ends
 * in `…`.
 */
export function readable(value: JsonValue): string {
  const { text, whole } = writeJson(value, looseLeaf, MOST_READ);
  return whole ? text : `${text}…`;
}

function strictLeaf(value: JsonValue | undefined): string {
  switch (typeof value) {
    case "string":
      if (value.isWellFormed()) return JSON.stringify(value);
      throw new Error("half a surrogate pair is not a character");
    case "number":
      if (Number.isFinite(value)) return JSON.stringify(value);
      throw new RangeError(`${value} is not a number of JSON`);
    case "undefined":
      throw new TypeError("undefined is not a value of JSON");
    default:
      return looseLeaf(value);
  }
}

function looseLeaf(value: JsonValue): string {
  const isNumber = typeof value === "bigint" || typeof value === "number";
  return isNumber ? String(value) : JSON.stringify(value);
}
