import type { JsonValue } from "../../base/values/json.ts";

/** Walks `path` through objects and lists; undefined when it leads nowhere. */
export function follow(
  value: JsonValue | undefined,
  path: readonly string[],
): JsonValue | undefined {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    if (key[0] === "-" && Array.isArray(at)) {
      at = at.at(fromEnd(key, at.length));
    } else if (!Object.hasOwn(at, key)) return undefined;
    else at = (at as Record<string, JsonValue>)[key];
  }
  return at;
}

/** The index of an item that is counted from the end of a list; none of others. */
function fromEnd(key: string, length: number): number {
  return /^-[1-9]\d*$/.test(key) ? Number(key) : length;
}
