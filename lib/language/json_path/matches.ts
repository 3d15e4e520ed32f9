import { compileIRegexp } from "../patterns/i_regexp.ts";
import type { Matcher } from "../patterns/matcher.ts";
import { spend } from "../../base/values/work.ts";

/** Patterns that came from a value and are kept compiled. */
const MOST_KEPT = 32;
/** Compiling a pattern costs as much as looking at so many values. */
const COMPILING = 1_000;

type Compiled = Matcher | undefined;

/**
 * Whether a text matches an I-Regexp, as `match()` (the whole text) and `search()`
 * ask. False for an invalid pattern (RFC 9535 section 2.4.6).
 */
export function compileMatches(
  whole: boolean,
): (pattern: string, text: string) => boolean {
  let kept = new Map<string, Compiled>();
  const matcherOf = (pattern: string): Compiled => {
    if (kept.has(pattern)) return kept.get(pattern);
    spend(COMPILING + pattern.length);
    const compiled = compileIRegexp(pattern, whole);
    if (kept.size >= MOST_KEPT) kept = new Map();
    kept.set(pattern, compiled);
    return compiled;
  };
  return (pattern, text) => {
    spend(text.length);
    return matcherOf(pattern)?.test(text) ?? false;
  };
}
