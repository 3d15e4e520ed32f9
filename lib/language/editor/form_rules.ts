import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import type { TreeMap, TreeNode } from "./tree.ts";

/**
 * Whether a mapping can no longer become what `form` wants: keys that exclude
 * each other are there. Keys that are still missing break nothing.
 */
export function breaksRules(form: JsonObject, map: TreeMap): boolean {
  const { not, allOf, oneOf } = form;
  if (not !== undefined && holds(not, map)) return true;
  if (objects(allOf).some((each) => breaksRules(each, map))) return true;
  const begun = objects(oneOf).filter((each) => hasRequired(each, map));
  const [first, second] = begun;
  return second !== undefined || (first !== undefined && !holds(first, map));
}

/** JSON Schema, as far as rules between keys go. */
function holds(rule: JsonValue, node: TreeNode): boolean {
  if (!isObject(rule)) return rule !== false;
  if (rule["type"] === "object" && node.kind !== "map") return false;
  if (rule["not"] !== undefined && holds(rule["not"], node)) return false;
  if (!objects(rule["allOf"]).every((each) => holds(each, node))) return false;
  if (node.kind !== "map") return true;
  const properties = (rule["properties"] ?? {}) as JsonObject;
  return hasRequired(rule, node) &&
    node.entries.every(({ key, value }) =>
      !Object.hasOwn(properties, key) || holds(properties[key]!, value)
    );
}

function hasRequired({ required = [] }: JsonObject, map: TreeMap): boolean {
  return (required as string[]).every((key) =>
    map.entries.some((each) => each.key === key)
  );
}

function objects(rules: JsonValue | undefined): JsonObject[] {
  return Array.isArray(rules) ? rules.filter(isObject) : [];
}
