import { isObject, type JsonValue } from "../../base/values/json.ts";
import { compileQuery } from "./queries.ts";

/** Finds a value; undefined when the path leads nowhere, or to JSON null. */
export type PathLookup = (
  value: JsonValue | undefined,
) => JsonValue | undefined;

/*
 * A singular path matches at most one node (RFC 9535 section 2.3.5.1):
 *   path    := "$" segment*
 *   segment := "." name | "[" integer "]" | "[" quoted name "]"
 * Unlike the RFC, a name after a dot may hold `-`, as JSON keys often do.
 */
const SEGMENT =
  /\.([\p{L}_][\p{L}\p{N}_-]*)|\[(-?\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/uy;

/**
 * Checks a JSON path.
 *
 * @throws {SyntaxError} when it is malformed
 */
export function checkPath(text: string): void {
  if (!text.startsWith("$")) {
    throw new SyntaxError(`${text} is not a JSON path: it must start with $`);
  }
  if (!singularSegments(text)) compileQuery(text);
}

/**
 * Compiles a JSON path. A singular path, the one every load test uses, becomes
 * a chain of property reads; any other yields its single match, or the list of
 * its matches when there are several (design section 5).
 */
export function compilePath(text: string): PathLookup {
  const segments = singularSegments(text);
  if (segments) return compileSingular(segments);
  const query = compileQuery(text);
  return (value) => {
    if (value === undefined) return undefined;
    const matches = query(value);
    if (matches.length > 1) return matches;
    return matches[0] ?? undefined;
  };
}

function compileSingular(segments: readonly (string | number)[]): PathLookup {
  return (value) => {
    let at = value;
    for (const segment of segments) {
      if (Array.isArray(at)) {
        // A name selects nothing from a list, not even `length` (RFC 9535
        // section 2.3.1.2).
        at = typeof segment === "number" ? at.at(segment) : undefined;
      } else if (isObject(at) && Object.hasOwn(at, segment)) {
        at = typeof segment === "string" ? at[segment] : undefined;
      } else return undefined;
    }
    return at ?? undefined;
  };
}

/** The keys and indexes of a singular path; undefined for any other. */
function singularSegments(
  text: string,
): readonly (string | number)[] | undefined {
  const segments: (string | number)[] = [];
  let at = 1;
  while (at < text.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(text);
    if (!match) return undefined;
    const [whole, name, index, single, double] = match;
    if (index !== undefined) segments.push(Number(index));
    else segments.push(name ?? unescape(single ?? double ?? ""));
    at += whole.length;
  }
  return segments;
}

/** RFC 9535 section 2.3.1.1: JSON escapes, and the quote itself. */
function unescape(quoted: string): string {
  if (!quoted.includes("\\")) return quoted;
  const json = quoted.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"');
  return JSON.parse(`"${json}"`) as string;
}
