import { compileMatcher, type Matcher } from "./matcher.ts";

/** Longer ones match nothing: a pattern may come from a response. */
const LONGEST = 10_000;
const MAX_NESTING = 64;

const CATEGORY =
  "(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfno]?)";
const ESCAPE = "\\\\[()*+\\-.?[\\\\\\]^nrt{|}]";
const CLASS_ESCAPE = `\\\\[pP]\\{${CATEGORY}\\}`;
const CLASS_CHAR = `(?:[^\\-[\\\\\\]]|${ESCAPE})`;
const CLASS_ITEM = `(?:${CLASS_CHAR}(?:-${CLASS_CHAR})?|${CLASS_ESCAPE})`;
const CLASS = `\\[(?!\\^\\])\\^?(?:-|${CLASS_ITEM})(?:${CLASS_ITEM})*-?\\]`;
const QUANTIFIER = "(?:[*+?]|\\{[0-9]+(?:,[0-9]*)?\\})?";
const NORMAL = "[^()*+.?[\\\\\\]{|}]";

/** One part of an I-Regexp (RFC 9485 section 4), with its quantifier. */
const PART = new RegExp(
  `(?<around>[|(]|\\)${QUANTIFIER})|` +
    `(?<atom>${NORMAL}|\\.|${ESCAPE}|${CLASS_ESCAPE}|${CLASS})` +
    `(?<quantifier>${QUANTIFIER})`,
  "uy",
);

/**
 * Compiles an I-Regexp, which knows neither look-arounds nor back references.
 *
 * @param whole it has to match a text from its start to its end
 * @returns undefined when the source is no I-Regexp
 */
export function compileIRegexp(
  source: string,
  whole: boolean,
): Matcher | undefined {
  const pattern = inEcmascript(source);
  if (pattern === undefined) return undefined;
  try {
    return compileMatcher(whole ? `^(?:${pattern})$` : pattern, true);
  } catch {
    // A range in reverse, say, or a pattern too large for anything.
    return undefined;
  }
}

/** The same in ECMAScript with the flag `u` (RFC 9485 section 5.3). */
function inEcmascript(source: string): string | undefined {
  if (source.length > LONGEST) return undefined;
  let pattern = "";
  let depth = 0;
  for (PART.lastIndex = 0; PART.lastIndex < source.length;) {
    const found = PART.exec(source)?.groups;
    if (!found) return undefined;
    const { around, atom = "", quantifier = "" } = found;
    if (around?.startsWith("(")) depth++;
    if (around?.startsWith(")")) depth--;
    if (depth < 0 || depth > MAX_NESTING) return undefined;
    pattern += around ?? (RENAMED[atom] ?? atom) + quantifier;
  }
  return depth === 0 ? pattern : undefined;
}

const RENAMED: Readonly<Record<string, string>> = {
  ".": "[^\\n\\r]",
  "\\-": "-",
};
