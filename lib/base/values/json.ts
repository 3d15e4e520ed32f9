/**
 * A JSON value, exactly as RFC 8259 allows it. A bigint is an integer whose
 * digits a double does not hold; see `readJson`.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether `value` is a JSON object (neither a list nor null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a member; `__proto__` is a key like any other. */
export function setMember(
  object: Record<string, JsonValue>,
  key: string,
  value: JsonValue,
): void {
  if (key !== "__proto__") {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The name of a value's JSON type, with integers apart from other numbers. */
export function jsonType(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return typeof value;
}
