import type { JsonValue } from "../../base/values/json.ts";
import { startWork } from "../../base/values/work.ts";
import { compileNodes } from "./nodes.ts";
import { parseQuery } from "./path_reader.ts";
import { compileSingular } from "./singular.ts";

/** Finds a value; undefined when the path leads nowhere. */
type PathLookup = (
  value: JsonValue | undefined,
) => JsonValue | undefined;

/** Which matches of a path that is not singular are always a list. */
type Listed = "some" | "all";

/**
 * Compiles a JSON path. A singular path, the one every load test uses, becomes
 * a chain of property reads; any other yields its single match, or the list of
 * its matches when there are several.
 *
 * @param listed a path that is not singular yields the list of its matches,
 *   also when there is `some` one alone, or `all` the same when there is none
 * @throws {ExpressionError}
 */
export function compilePath(text: string, listed?: Listed): PathLookup {
  const query = parseQuery(text);
  if (query.singular) return compileSingular(query);
  const matches = compileMatches(text);
  const least = listed === "all" ? 0 : listed ? 1 : 2;
  return (value) => {
    const found = matches(value);
    return found.length >= least && value !== undefined ? found : found[0];
  };
}

/**
 * Compiles a JSON path to everything it matches.
 *
 * @throws {ExpressionError}
 */
export function compileMatches(
  text: string,
): (value: JsonValue | undefined) => readonly JsonValue[] {
  const nodes = compileNodes(parseQuery(text));
  return (value) => {
    if (value === undefined) return [];
    startWork();
    return nodes(value, value);
  };
}
