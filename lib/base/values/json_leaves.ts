import { isObject, type JsonObject, type JsonValue } from "./json.ts";

/** A value that is neither a list nor an object, and the keys that lead to it. */
export interface JsonLeaf {
  readonly value: Exclude<JsonValue, JsonObject | readonly JsonValue[]>;
  readonly path: readonly (string | number)[];
  /** The last name on the way; empty when there is none. */
  readonly key: string;
}

/** Every such value, in the order of the text. */
export function* leavesOf(
  value: JsonValue,
  path: JsonLeaf["path"] = [],
  key = "",
): Generator<JsonLeaf> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield* leavesOf(each, [...path, index], key);
    }
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      yield* leavesOf(each, [...path, name], name);
    }
  } else yield { value: value as JsonLeaf["value"], path, key };
}

/** The same value with other leaves. */
export function withLeaves(
  value: JsonValue,
  change: (leaf: JsonLeaf) => JsonValue,
  path: JsonLeaf["path"] = [],
  key = "",
): JsonValue {
  if (Array.isArray(value)) {
    return value.map((each, index) =>
      withLeaves(each, change, [...path, index], key)
    );
  }
  if (!isObject(value)) {
    return change({ value: value as JsonLeaf["value"], path, key });
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      withLeaves(each, change, [...path, name], name),
    ]),
  );
}
