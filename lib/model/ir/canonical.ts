import canonicalize from "canonicalize";
import type { JsonValue } from "../../base/values/json.ts";

/**
 * The RFC 8785 form of `value`: sorted keys, ECMAScript numbers, no white
 * space. Equal values give equal text.
 *
 * @throws {Error} for NaN, infinities and lone surrogates, which JSON cannot say
 */
export function canonical(value: JsonValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Cannot write undefined as JSON");
  return text;
}

/**
 * `value` for a person: its canonical form, and for what has none, such as a
 * number too large for a double, what JSON.stringify makes of it.
 */
export function readable(value: JsonValue): string {
  try {
    return canonical(value);
  } catch {
    return typeof value === "number" ? String(value) : JSON.stringify(value);
  }
}
