import { compileMatcher, type Matcher } from "./matcher.ts";

/** Counting what a pattern may take is done part by part. */
const MOST_CHARACTERS = 10_000;

/** Groups inside groups; more could overflow a stack when the pattern is used. */
const MAX_NESTING = 64;

/** Escapes and brackets, which are all that has to be distinguished. */
const PARTS = /\\([\s\S])|[[\]()]/g;

/**
 * Compiles the regular expression of `matches`: ECMAScript without flags. The
 * Python SDK reads it by the same rules, in the same words.
 *
 * An escape that ECMAScript accepts without a meaning is refused: `\A` would
 * match the letter A, `\p{L}` the text p{L}, and `\2` without a second group a
 * control character (ECMA-262 annex B.1.2).
 *
 * @throws {SyntaxError} with the reason
 */
export function compilePattern(source: string): Matcher {
  if (source.length > MOST_CHARACTERS) {
    throw new SyntaxError(
      `a pattern has at most ${MOST_CHARACTERS} characters, not ${source.length}`,
    );
  }
  new RegExp(source);
  const why = saysNothing(source);
  if (why === undefined) return compileMatcher(source);
  throw new SyntaxError(`Invalid regular expression: /${source}/: ${why}`);
}

function saysNothing(source: string): string | undefined {
  const groups = groupsOf(source);
  let inClass = false;
  let depth = 0;
  for (const { 0: part, 1: letter, index } of source.matchAll(PARTS)) {
    if (letter !== undefined) {
      const rest = source.slice(index + 1);
      const why = whyIdle(rest, inClass, groups);
      if (why !== undefined) return why;
    } else if (part === "]") {
      inClass = false;
    } else if (part === "[") {
      inClass = true;
    } else if (!inClass) {
      depth += part === "(" ? 1 : -1;
      if (depth > MAX_NESTING) return `groups nest at most ${MAX_NESTING} deep`;
    }
  }
  return undefined;
}

interface Groups {
  readonly count: number;
  readonly named: boolean;
}

/** The groups of a pattern: with an empty branch it matches anything. */
function groupsOf(source: string): Groups {
  const match = new RegExp(`${source}|`).exec("")!;
  return { count: match.length - 1, named: match.groups !== undefined };
}

const MEANS_SOMETHING =
  /^(?:[^A-Za-z0-9]|[bdDfnrsStvwW]|0(?![0-9])|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})/;

/**
 * Why an escape says nothing; undefined when it says something.
 *
 * @param rest the pattern behind the backslash
 */
function whyIdle(
  rest: string,
  inClass: boolean,
  groups: Groups,
): string | undefined {
  if (MEANS_SOMETHING.test(rest)) return undefined;
  const letter = rest[0]!;
  const [number] = /^[1-9][0-9]*/.exec(rest) ?? [];
  const outside = number !== undefined
    ? Number(number) <= groups.count
    : letter === "B" || (letter === "k" && groups.named);
  if (outside && !inClass) return undefined;
  if (number !== undefined) return `\\${number} refers to no group`;
  return IDLE[letter] ?? `\\${letter} is not an escape`;
}

const IDLE: Readonly<Record<string, string>> = {
  0: "\\0 is followed by a digit",
  c: "\\c needs a letter",
  k: "\\k refers to no named group",
  u: "\\u needs four hexadecimal digits",
  x: "\\x needs two hexadecimal digits",
};

/** Syntax of other languages, and the way to write it here. */
const BROUGHT: readonly (readonly [RegExp, string])[] = [
  [
    /\(\?P[<=>]/,
    "a named group is (?<name>...), and \\k<name> refers to it",
  ],
  [/\\[AZz]/, "^ is the start of the text, and $ its end"],
  [
    /\\[pP]\{|\\u\{/,
    "patterns have no `u` flag: list the characters, such as [A-Za-zÀ-ÿ]",
  ],
  [
    /\(\?>|[*+?}]\+/,
    "there are no possessive quantifiers and no atomic groups",
  ],
  [/\(\?[a-zA-Z]+\)/, "flags hold inside a group: (?i:...)"],
];

export function patternHint(source: string): string {
  return BROUGHT.find(([brought]) => brought.test(source))?.[1] ??
    "patterns are ECMAScript regular expressions without slashes";
}

/** Longer ones match nothing: a pattern may come from a response. */
const LONGEST = 10_000;
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

/** A pattern in ECMAScript with the flag `u` (RFC 9485 section 5.3); undefined when there is none. */
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
