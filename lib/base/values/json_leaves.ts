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

/** Every value, lists and objects among them, with how many of those are around it. */
export function* valuesOf(root: JsonValue): Generator<[JsonValue, number]> {
  const open: [JsonValue, number][] = [[root, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    const [value, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    for (const each of Object.values(value)) open.push([each, depth + 1]);
  }
}

/** Whether lists and objects lie more than `levels` deep in one another. */
export function isDeeper(root: JsonValue, levels: number): boolean {
  return valuesOf(root).some(([value, depth]) =>
    depth >= levels && typeof value === "object" && value !== null
  );
}

/** Whether half a surrogate pair, which is no character, is in a text or a name. */
export function hasHalfCharacter(root: JsonValue): boolean {
  return valuesOf(root).some(([value]) =>
    typeof value === "string" ? !value.isWellFormed() : isObject(value) &&
      Object.keys(value).some((each) => !each.isWellFormed())
  );
}
